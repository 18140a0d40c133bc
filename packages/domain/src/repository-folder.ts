import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the repository or worktree that holds a folder; null outside of any. */
export function folderWithGit(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return null;
  }
}
