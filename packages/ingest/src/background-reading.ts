import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineTask, type Task, type WorkerPool } from '@causantic/compute';
import type { InputIssue } from '@causantic/domain';
import { whenNotBusy } from './embed-chunks.js';
import type { Piece, PieceInput, ReadingPlace, Unread, UnreadInput } from './reading-task.js';

export interface BackgroundReadingOptions extends UnreadInput {
  pool: WorkerPool;
  /** What was read stays; the next run goes on from there. */
  signal: AbortSignal;
}

/** Other processes look for the lock at least this often: a pause of that length lets them have it. */
const PAUSE_MS = 120;
const PAUSE_EVERY_MS = 500;
/** What is not linked is found, but leads nowhere; and all of a long history at once would hold up whoever writes. */
const LINK_EVERY_MS = 20_000;

const entry = new URL('./reading-task.js', import.meta.url);
const listUnread = defineTask<UnreadInput, Unread>(entry, 'listUnread');
const readPiece = defineTask<PieceInput, Piece>(entry, 'readPiece');
const linkNext = defineTask<Pick<ReadingPlace, 'databasePath'>, boolean>(entry, 'linkNext');

/** Nobody waits for it, so nobody is told how long it does. */
const NOBODY = { tellOfLongWait: () => undefined };

/**
 * Bring the memory up to date with the transcripts in these folders, in a worker, piece by piece, and link what is new.
 * Makes the memory where there is none. Of several processes that do so at once each goes on where the others are.
 *
 * @returns what could not be read
 * @throws StorageError; ComputeError ABORTED or an AbortError when the signal fires
 */
export async function readInBackground({
  pool,
  signal,
  folders,
  ...place
}: BackgroundReadingOptions): Promise<InputIssue[]> {
  let restedAtMs = performance.now();
  const run = async <I, O>(task: Task<I, O>, input: I): Promise<O> => {
    const output = await whenNotBusy(NOBODY, () => pool.run(task, input, { signal }), signal);
    if (performance.now() - restedAtMs > PAUSE_EVERY_MS) {
      await sleep(PAUSE_MS, undefined, { signal });
      restedAtMs = performance.now();
    }
    return output;
  };
  const { paths, issues } = await run(listUnread, { ...place, folders });
  const forks = new Set<string>();
  let linkedAtMs = performance.now();
  const link = async (): Promise<void> => {
    while (await run(linkNext, place));
    linkedAtMs = performance.now();
  };
  const readAll = async (path: string): Promise<void> => {
    for (let hasMore = true; hasMore;) {
      const piece = await run(readPiece, { ...place, path });
      issues.push(...piece.issues);
      for (const fork of piece.takenFrom) forks.add(fork);
      hasMore = piece.hasMore;
    }
    if (performance.now() - linkedAtMs > LINK_EVERY_MS) await link();
  };
  for (const path of paths) await readAll(path);
  for (const fork of forks) await readAll(fork);
  // What a reader before this one was stopped at, too.
  if (existsSync(place.databasePath)) await link();
  return issues;
}
