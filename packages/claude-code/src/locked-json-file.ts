import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject, makeFolder, pause, writeAtomically } from '@causantic/domain';

/** Whoever holds a lock writes a few hundred bytes: after this long it was killed while it did. */
const STALE_LOCK_MS = 1_000;
const MAX_WAIT_MS = 5_000;
const PAUSE_MS = 5;

/**
 * Change a small JSON file; several processes that do so at once lose nothing. A file that is damaged begins anew.
 * @param update is given what stands in the file, `{}` where there is none
 * @param synced see `writeAtomically`; others wait meanwhile
 */
export function updateJsonFile(
  file: string,
  update: (current: Record<string, unknown>) => Record<string, unknown>,
  { synced = true } = {},
): void {
  makeFolder(dirname(file));
  withLock(`${file}.lock`, () => {
    writeAtomically(file, `${JSON.stringify(update(readJsonFile(file)), null, 2)}\n`, { synced });
  });
}

/** The object in a JSON file; `{}` where there is no file, or none that can be read as one. */
export function readJsonFile(file: string): Record<string, unknown> {
  return (existsSync(file) && parseObject(readFileSync(file, 'utf8'))) || {};
}

/** Undefined where the text is no JSON object. PowerShell and some editors put a mark before it. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The texts in a list of JSON; none where it is no list. */
export function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}

function withLock(lock: string, work: () => void): void {
  const startMs = performance.now();
  let seen = { lock: '', sinceMs: startMs };
  while (!tryLock(lock)) {
    const nowMs = performance.now();
    const now = identityOf(lock);
    if (now !== seen.lock) seen = { lock: now, sinceMs: nowMs };
    // By this process's own clock: the system's may have been set back since the lock was taken.
    else if (nowMs - seen.sinceMs > STALE_LOCK_MS) rmSync(lock, { force: true });
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
    if (['EEXIST', 'EPERM', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** Each holder makes a file of its own. */
function identityOf(lock: string): string {
  const held = statSync(lock, { throwIfNoEntry: false });
  return held ? `${held.ino} ${held.mtimeMs}` : '';
}
