import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { HEAD_BYTES } from '../../transcripts/describe-transcript.js';
import { fileRecords } from '../../transcripts/file-records.js';
import { fileOf, type OpenTranscript, whileOpen } from '../../transcripts/open-transcript.js';
import { type JsonObject, objectOf } from '../../transcripts/records.js';
import { unwrapped } from './head.js';

/** What the first record of a thread's file tells of its place in the thread. */
interface Segment {
  path: string;
  /** Number of its first record, in the thread. */
  first: number;
  /** What it goes on from ends before the record of this number. */
  base: number;
}

/**
 * When a person goes back in a numbered thread, Codex starts another file beside the first one. It says up to which record
 * the thread is still valid; later records in earlier files are revoked.
 * @param paths the files of a thread, which are named after it, and of its agents, which are named after themselves
 * @returns by path, the first revoked line of a file
 */
export function takenBack(thread: string, paths: readonly string[]): Map<string, number> {
  const lines = new Map<string, number>();
  // To look into an agent's file that lies compressed takes a tenth of a second, and a thread may have hundreds.
  const own = paths.filter((path) => basename(path).includes(thread));
  if (own.length < 2) return lines;
  const segments = own
    .toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1))
    .map((path) => segmentIn(path, thread))
    .filter((segment) => segment !== null);
  for (const [at, { path, first }] of segments.entries()) {
    const end = Math.min(...segments.slice(at + 1).map(({ base }) => base));
    if (end !== Infinity) lines.set(path, Math.max(1, end - first + 1));
  }
  return lines;
}

function segmentIn(path: string, thread: string): Segment | null {
  if (!existsSync(fileOf(path))) return null;
  const record = whileOpen(path, { maxBytes: HEAD_BYTES }, firstRecord);
  if (!record) return null;
  const first = record['ordinal'];
  const { id, history_base: base } = unwrapped(record).payload;
  if (id !== thread || typeof first !== 'number') return null;
  const { end_ordinal_exclusive: end } = objectOf(base);
  return { path, first, base: typeof end === 'number' ? end : Infinity };
}

function firstRecord({ descriptor, size }: OpenTranscript): JsonObject | null {
  const [first] = fileRecords({ descriptor, size, layout: 'lines' });
  return first?.parsed.record ?? null;
}
