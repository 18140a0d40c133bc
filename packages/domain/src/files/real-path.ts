import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { asCompared } from '../text/as-compared.js';

/** No system has a longer one: each of the folders that it names would be looked for, a second and more. */
export const MAX_PATH_CHARS = 32_767;

/**
 * A path as the system names it, its links followed as far as it is there: the rest may have been deleted, or be a
 * pattern. Names get the case that they have on disk, on systems that take any.
 */
export function realPath(path: string): string {
  if (path.length > MAX_PATH_CHARS) return path;
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    if (existsSync(at)) return asOnDisk(realpathSync.native(at)) + path.slice(at.length);
  }
  return path;
}

/**
 * Linux leaves the case that was asked for, also on disks that take any: Windows' under WSL, exFAT, some network shares.
 * @param path of a file or folder that is there
 */
function asOnDisk(path: string): string {
  const folder = dirname(path);
  if (process.platform !== 'linux' || folder === path) return path;
  const above = asOnDisk(folder);
  return join(above, nameOnDisk(above, basename(path)));
}

function nameOnDisk(folder: string, name: string): string {
  const inOtherCase = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
  if (inOtherCase === name || !existsSync(join(folder, inOtherCase))) return name;
  const names = namesIn(folder);
  return names.includes(name) ? name : (names.find((each) => asCompared(each) === asCompared(name)) ?? name);
}

/** None of a folder that may be passed through, but not read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
