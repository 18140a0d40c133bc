import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Copies of a whole memory that an export or an import makes and removes again. */
const COPY = /^(?:export|import)-\d+\.tmp/;
/** A younger one may belong to a program that runs. */
const ABANDONED_AFTER_MS = 3_600_000;

/** Removes copies that killed programs left: they hold what was deleted since. */
export function removeAbandonedCopies(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => COPY.test(each))) {
    const path = join(folder, name);
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) rmSync(path, { force: true });
  }
}
