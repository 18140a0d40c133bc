import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** No system has a longer one: each of the folders that it names would be looked for, a second and more. */
const MAX_PATH_CHARS = 32_767;

/**
 * A path as the system names it, its links followed as far as it is there: the rest may have been deleted, or be a
 * pattern. Names get the case that they have on disk, on systems that take any.
 */
export function realPath(path: string): string {
  if (path.length > MAX_PATH_CHARS) return path;
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    if (existsSync(at)) return realpathSync.native(at) + path.slice(at.length);
  }
  return path;
}
