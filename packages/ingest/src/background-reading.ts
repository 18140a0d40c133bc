import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineTask, type Task, type WorkerPool } from '@causantic/compute';
import type { InputIssue } from '@causantic/domain';
import { whenNotBusy } from './vectors/embed-chunks.js';
import type { Piece, PieceInput, ReadingPlace, Unread, UnreadInput } from './reading-task.js';

export interface BackgroundReadingOptions extends UnreadInput {
  pool: WorkerPool;
  /** Stops the reading. What was read stays, and the next run continues there. */
  signal: AbortSignal;
}

/** Other processes try to get the lock at least this often, so a pause of this length lets them have it. */
const PAUSE_MS = 120;
const PAUSE_EVERY_MS = 500;
/** Unlinked chunks are found but lead nowhere, and linking a long history all at once would block other writers. */
const LINK_EVERY_MS = 20_000;

const entry = new URL('./reading-task.js', import.meta.url);
const listUnread = defineTask<UnreadInput, Unread>(entry, 'listUnread');
const readPiece = defineTask<PieceInput, Piece>(entry, 'readPiece');
const linkNext = defineTask<Pick<ReadingPlace, 'databasePath'>, boolean>(entry, 'linkNext');

/** Nobody waits for this, so waiting is not reported. */
const NOBODY = { tellOfLongWait: () => undefined };

/**
 * Brings the memory up to date with the transcripts in these folders, in a worker, piece by piece, and links what is new.
 * Creates the memory if there is none. Several processes may do this at once; each continues where the others are.
 *
 * @returns what could not be read
 * @throws StorageError; ComputeError ABORTED or an AbortError if the signal fires
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
