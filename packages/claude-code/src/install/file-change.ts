import { mkdirSync, rmdirSync, rmSync, readdirSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assertWritable, ConfigError, errorMessage, writeAtomically } from '@causantic/domain';

/** One file that is to be changed; null stands for "no file". */
export interface FileChange {
  file: string;
  /** What is done, for people: `add hooks`. */
  what: string;
  before: string | null;
  after: string | null;
}

/**
 * To be asked before the first change is made, so that all are or none.
 * @throws ConfigError where one of the files cannot be written
 */
export function assertPossible(changes: readonly FileChange[]): void {
  for (const { file } of changes) {
    try {
      assertWritable(file);
    } catch (cause) {
      throw new ConfigError(`Cannot write ${file}: ${errorMessage(cause)}. Nothing was changed.`, {
        cause,
        data: { file },
      });
    }
  }
}

/** Make the change. Returns the outermost folder that had to be made, if any. */
export function applyChange({ file, after }: FileChange): string | undefined {
  if (after === null) {
    rmSync(file, { force: true });
    return undefined;
  }
  const made = mkdirSync(dirname(file), { recursive: true });
  writeAtomically(file, after);
  return made;
}

/** Remove a folder and what is above it up to `outermost`, as far as nothing is in them. */
export function removeEmptyFolders(outermost: string): void {
  for (const folder of foldersBelow(outermost).reverse()) {
    if (readdirSync(folder).length === 0) rmdirSync(folder);
  }
}

/** The folder and all in it, the outer ones first. */
function foldersBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const inner = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  return [folder, ...inner.sort((a, b) => a.length - b.length)];
}
