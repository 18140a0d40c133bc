import { readFileSync, statSync } from 'node:fs';

/** Far more than settings take. */
const MAX_BYTES = 64 << 20;

/**
 * The bytes of a file that somebody else may have made, such as the files of a repository: behind a link there may be a
 * device or a pipe, which would be read for ever.
 * @throws Error where it is no file, is too large, or cannot be read
 */
export function readWholeFile(path: string): Buffer {
  const stats = statSync(path);
  if (!stats.isFile() || stats.size > MAX_BYTES) throw new Error('not a file of at most 64 MB');
  return readFileSync(path);
}
