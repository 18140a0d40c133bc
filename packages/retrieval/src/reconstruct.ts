import type { ChunkFilter, Store, StoredChunk } from '@causantic/storage';
import { formatTimeRange } from './dates.js';
import type { Hit } from './presentation.js';
import type { Assembly } from './assembly.js';

export interface ReconstructRequest {
  filter: ChunkFilter;
  budgetTokens: number;
  /** Which end to keep when the window holds more than fits. */
  keep: 'newest' | 'oldest';
}

export interface Reconstruction extends Assembly {
  sessions: number;
  /** True when the window held more than the budget. */
  truncated: boolean;
}

/** Room for the note that something was left out, and for the boundary of the first session. */
const OVERHEAD_TOKENS = 80;

/**
 * What happened in a window, in order, under session and agent boundaries. Reads only as many chunks as fit: whole
 * chunks, without gaps, from the end that is kept. A chunk larger than the whole budget is passed over.
 */
export function reconstruct(store: Store, request: ReconstructRequest): Reconstruction {
  const { chunks, truncated } = takeWithinBudget(store, request);
  const sessions = bySession(chunks);
  const parts = sessions.map((session) => [sessionBoundary(session), ...sessionLines(session)].join('\n\n'));
  const note = truncated ? [truncationNote(request)] : [];
  const ordered = request.keep === 'newest' ? [...note, ...parts] : [...parts, ...note];
  return {
    text: ordered.join('\n\n'),
    tokens: OVERHEAD_TOKENS + chunks.reduce((sum, chunk) => sum + costOf(chunk), 0),
    hits: sessions.flat().map(toHit),
    sessions: sessions.length,
    truncated,
  };
}

function takeWithinBudget(
  store: Store,
  request: ReconstructRequest,
): { chunks: StoredChunk[]; truncated: boolean } {
  const chunks: StoredChunk[] = [];
  let remaining = request.budgetTokens - OVERHEAD_TOKENS;
  let truncated = false;
  for (const chunk of store.chunks.walk(request.filter, request.keep)) {
    const cost = costOf(chunk);
    const neverFits = cost > request.budgetTokens - OVERHEAD_TOKENS;
    if (cost > remaining) truncated = true;
    if (neverFits) continue;
    if (cost > remaining) break;
    remaining -= cost;
    chunks.push(chunk);
  }
  return { chunks: request.keep === 'newest' ? chunks.reverse() : chunks, truncated };
}

/** A chunk with the boundary it may need: counting one for each is an upper bound. */
function costOf(chunk: StoredChunk): number {
  return (
    chunk.tokens + (chunk.seq === 0 ? BOUNDARY_TOKENS : 0) + (chunk.agentName === null ? 4 : AGENT_TOKENS)
  );
}

const BOUNDARY_TOKENS = 48;
const AGENT_TOKENS = 24;

/** Sessions in the order in which they begin, each with its chunks in order. */
function bySession(chunks: readonly StoredChunk[]): StoredChunk[][] {
  const sessions = new Map<number, StoredChunk[]>();
  for (const chunk of chunks) {
    const session = sessions.get(chunk.sessionId);
    if (session) session.push(chunk);
    else sessions.set(chunk.sessionId, [chunk]);
  }
  return [...sessions.values()];
}

/** `=== Session a1b2c3d4 | my-app | Feb 8, 2:30 PM – 4:15 PM ===` */
function sessionBoundary(chunks: readonly StoredChunk[]): string {
  const first = chunks[0]!;
  const starts = chunks.flatMap((chunk) => chunk.startTimeMs ?? []);
  const ends = chunks.flatMap((chunk) => chunk.endTimeMs ?? []);
  const range =
    starts.length > 0
      ? formatTimeRange(minimum(starts), Math.max(minimum(starts), maximum(ends)))
      : 'undated';
  return `=== Session ${first.sessionUuid.slice(0, 8)} | ${first.projectSlug} | ${range} ===`;
}

const minimum = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);
const maximum = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), -Infinity);

function sessionLines(chunks: readonly StoredChunk[]): string[] {
  const lines: string[] = [];
  let agent: string | null = null;
  for (const chunk of chunks) {
    if (chunk.agentName !== agent)
      lines.push(`--- ${chunk.agentName === null ? 'Main agent' : `Agent: ${chunk.agentName}`} ---`);
    agent = chunk.agentName;
    lines.push(chunk.text);
  }
  return lines;
}

function truncationNote({ keep, budgetTokens }: ReconstructRequest): string {
  return `[… ${keep === 'newest' ? 'earlier' : 'later'} content left out to fit ${budgetTokens} tokens …]`;
}

/** A reconstruction is not ranked; its order is that of the causal record. */
function toHit(chunk: StoredChunk): Hit {
  return { chunk, score: 1, relevance: 1, sources: ['graph'] };
}
