import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A path as the system names it, its links followed as far as it is there: the rest may have been deleted, or be a
 * pattern. Names get the case that they have on disk, on systems that take any.
 */
export function realPath(path: string): string {
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    if (existsSync(at)) return realpathSync.native(at) + path.slice(at.length);
  }
  return path;
}
