import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A younger file may belong to a program that runs. */
const ABANDONED_AFTER_MS = 3_600_000;

/**
 * Removes files of these names that killed programs, or sessions that are over, left in a folder, which need not be there.
 *
 * @param afterMs how long nobody must have written to one
 */
export function removeAbandonedFiles(folder: string, names: RegExp, afterMs = ABANDONED_AFTER_MS): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((each) => names.test(each))) {
    const path = join(folder, name);
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > afterMs) rmSync(path, { force: true });
  }
}
