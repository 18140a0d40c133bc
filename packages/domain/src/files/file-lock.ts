import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { pause } from '../pause.js';
import { mayBeInUse } from './atomic-file.js';

/** Whoever holds a lock writes a few hundred bytes: after this long it was killed while it did. */
const STALE_LOCK_MS = 1_000;
/** The same of those who wait for the disk, which may take seconds. */
const STALE_SYNCED_LOCK_MS = 4_000;
const MAX_WAIT_MS = 5_000;
const PAUSE_MS = 5;

/**
 * Do what reads a small file and writes it again; several processes that do so at once lose nothing. Its folder must be
 * there.
 * @param synced whether the work waits for the disk
 * @throws Error if another process does not finish, or of the system
 */
export function withFileLock(file: string, work: () => void, { synced = true } = {}): void {
  const lock = `${file}.lock`;
  const staleMs = synced ? STALE_SYNCED_LOCK_MS : STALE_LOCK_MS;
  const startMs = performance.now();
  let seen = { lock: '', sinceMs: startMs };
  while (!tryLock(lock)) {
    const nowMs = performance.now();
    const now = identityOf(lock);
    if (now !== seen.lock) seen = { lock: now, sinceMs: nowMs };
    // By this process's own clock: the system's may have been set back since the lock was taken.
    else if (now !== '' && nowMs - seen.sinceMs > staleMs) rmSync(lock, { force: true });
    if (nowMs - startMs > MAX_WAIT_MS) throw new Error(`The lock ${lock} did not become free.`);
    pause(PAUSE_MS);
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function tryLock(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    // On Windows a file that is being deleted cannot be opened either.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || mayBeInUse(error)) return false;
    throw error;
  }
}

/** Each holder makes a file of its own. Empty where none can be looked at, as where it is being deleted on Windows. */
function identityOf(lock: string): string {
  try {
    const { ino, mtimeMs } = statSync(lock);
    return `${ino} ${mtimeMs}`;
  } catch {
    return '';
  }
}
