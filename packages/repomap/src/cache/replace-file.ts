import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { threadId } from 'node:worker_threads';
import { makeFolder, renameOver } from '@causantic/domain';

let written = 0;

/**
 * Replaces a file atomically by a rename: a reader sees either the old or the new one. It is not flushed to disk, so a
 * power cut may leave it half written.
 *
 * @throws Error if the folder cannot be written
 */
export function replaceFile(path: string, parts: readonly Uint8Array[]): void {
  makeFolder(dirname(path));
  const temporary = `${path}.${process.pid}-${threadId}-${written++}.tmp`;
  try {
    const file = openSync(temporary, 'w', 0o600);
    try {
      for (const part of parts) writeFileSync(file, part);
    } finally {
      closeSync(file);
    }
    renameOver(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
