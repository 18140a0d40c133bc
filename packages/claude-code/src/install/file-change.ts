import { existsSync, readFileSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  assertNotReadOnly,
  assertWritable,
  ConfigError,
  errorMessage,
  makeFolder,
  writeAtomically,
} from '@causantic/domain';

/** One file that is to be changed; null stands for "no file". */
export interface FileChange {
  file: string;
  /** What is done, for people: `add hooks`. */
  what: string;
  before: string | null;
  after: string | null;
  /** Of a new file. */
  mode?: number;
}

/**
 * To be asked before the first change is made, so that all are or none.
 * @throws ConfigError where one of the files cannot be written
 */
export function assertPossible(changes: readonly Pick<FileChange, 'file'>[]): void {
  for (const { file } of changes) {
    try {
      assertWritable(file);
      assertNotReadOnly(file);
    } catch (cause) {
      throw new ConfigError(`Cannot write ${file}: ${errorMessage(cause)}. Nothing was changed.`, {
        cause,
        data: { file },
      });
    }
  }
}

/**
 * Make the change. Returns the folders that had to be made.
 * @throws Error if another program has written the file since it was read, as Claude Code often does with its own
 */
export function applyChange({ file, before, after, mode = 0o600 }: FileChange): string[] {
  // A file may have two names.
  if (readIfThere(file) === after) return [];
  const isAsRead = (): boolean => readIfThere(file) === before;
  if (after === null) {
    if (!isAsRead()) throw changedMeanwhile();
    // A link stays: what it leads to was made.
    rmSync(realpathSync.native(file));
    return [];
  }
  const folders = missingFolders(dirname(file));
  // Nobody else is to say what an agent does, whatever the mask.
  makeFolder(dirname(file), 0o755);
  if (!writeAtomically(file, after, { mode, isWanted: isAsRead })) throw changedMeanwhile();
  return folders;
}

function changedMeanwhile(): Error {
  return new Error('another program has just changed it');
}

/** The folder and those above it, as far as they are not there. */
function missingFolders(folder: string): string[] {
  return existsSync(folder) ? [] : [...missingFolders(dirname(folder)), folder];
}

/** Remove these folders, the inner ones first, as far as nothing is in them and they can be removed. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
    try {
      rmdirSync(folder);
    } catch {
      // Not there, not empty, a link, what a disk is mounted at, or a folder in one of somebody else's.
    }
  }
}

export function readIfThere(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
