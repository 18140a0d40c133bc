import type { KeywordScope, Store } from '@causantic/storage';
import { timesAsked } from './times-asked.js';

/** Days are remembered one off, and work goes on after midnight. */
const NEAR_MS = 24 * 60 * 60 * 1000;
const NEAR = 0.5;

/** Chunks of the times that a question names: 1, or less near them. Evidence: docs/decisions/0116-times-in-questions.md. */
export function searchTimes(
  { chunks }: Store,
  query: string,
  { projectId }: KeywordScope,
  nowMs?: number,
): Map<number, number> {
  const found = new Map<number, number>();
  const { spans } = timesAsked(query, nowMs);
  for (const { fromMs, beforeMs } of spans)
    for (const id of chunks.idsBetween(fromMs - NEAR_MS, beforeMs + NEAR_MS, projectId)) found.set(id, NEAR);
  for (const { fromMs, beforeMs } of spans)
    for (const id of chunks.idsBetween(fromMs, beforeMs, projectId)) found.set(id, 1);
  return found;
}
