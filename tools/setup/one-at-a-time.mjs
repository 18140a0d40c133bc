import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportLine } from './report.mjs';

const PAUSE_MS = 200;
/** So long a lock may stand empty, between being made and being written. */
const EMPTY_MS = 2_000;

/**
 * Runs `work` while no other set-up of this workspace runs: two that install or build at once break each other.
 *
 * @param {string} root the workspace
 * @param {() => Promise<void>} work
 */
export async function oneAtATime(root, work) {
  const lock = join(root, '.setup', 'running');
  let told = 0;
  for (let holder = claim(lock); holder !== undefined; holder = claim(lock)) {
    if (holder !== told) reportLine('another set-up', `is running (process ${holder}); waiting for it …`);
    told = holder;
    await sleep(PAUSE_MS);
  }
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    await work();
  } finally {
    release();
    process.off('exit', release);
  }
}

/**
 * @param {string} lock
 * @returns {number | undefined} the process that has it; undefined once this one has, or where nothing can be written
 */
function claim(lock) {
  try {
    mkdirSync(join(lock, '..'), { recursive: true });
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return undefined;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') return undefined;
  }
  const holder = holderOf(lock);
  if (holder !== undefined) {
    if (isHeld(lock, holder)) return holder;
    // It was killed.
    rmSync(lock, { force: true });
  }
  return claim(lock);
}

/**
 * @param {string} lock
 * @returns {number | undefined} undefined if it was just released
 */
function holderOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    return undefined;
  }
}

/**
 * @param {string} lock
 * @param {number} holder 0 where none is named yet
 */
function isHeld(lock, holder) {
  const { mtimeMs = 0 } = statSync(lock, { throwIfNoEntry: false }) ?? {};
  if (holder === 0) return Date.now() - mtimeMs < EMPTY_MS;
  // One that was killed in another container had the number that this process has in its own.
  if (holder === process.pid && mtimeMs < performance.timeOrigin) return false;
  try {
    process.kill(holder, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
