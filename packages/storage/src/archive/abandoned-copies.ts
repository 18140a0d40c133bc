import { basename, dirname } from 'node:path';
import { literally, removeAbandonedFiles } from '@causantic/domain';

/** Copies of a whole memory that an export or an import makes and removes again. */
const COPY = /^(?:export|import)-\d+\.tmp/;

/** Removes copies that killed programs left: they hold what was deleted since. */
export function removeAbandonedCopies(folder: string): void {
  removeAbandonedFiles(folder, COPY);
}

/** What is written until the archive is whole. */
export function draftOf(archive: string): string {
  return `${archive}.${process.pid}.tmp`;
}

/** Removes drafts of this archive that killed programs left: each holds as much as an archive does. */
export function removeAbandonedDrafts(archive: string): void {
  try {
    removeAbandonedFiles(dirname(archive), new RegExp(`^${literally(basename(archive))}\\.\\d+\\.tmp$`));
  } catch {
    // In a folder that others use, somebody else's may have to stay. That is no reason to write no archive.
  }
}
