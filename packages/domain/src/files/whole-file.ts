import { readFileSync, statSync } from 'node:fs';

/** Far larger than any settings file. */
const MAX_BYTES = 64 << 20;

/**
 * The bytes of a file that somebody else may have made, such as a file in a repository: a link may lead to a device or a
 * pipe, which would be read forever.
 * @throws Error if it is not a regular file, is too large, or cannot be read
 */
export function readWholeFile(path: string): Buffer {
  const stats = statSync(path);
  if (!stats.isFile() || stats.size > MAX_BYTES) throw new Error('not a file of at most 64 MB');
  return readFileSync(path);
}
