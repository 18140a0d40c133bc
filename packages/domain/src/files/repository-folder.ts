import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MAX_PATH_CHARS } from './real-path.js';

/** The folder of the repository or worktree that holds a folder; null outside of any. */
export function folderWithGit(folder: string): string | null {
  if (folder.length > MAX_PATH_CHARS) return null;
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return null;
  }
}
