import { outOfWorktree, withSlashes } from '@causantic/domain';

/**
 * A file as all sessions of a project spell it: relative to the project or to a worktree of it, or to the session's own
 * folder where that is a worktree elsewhere. Other paths stay as they are.
 * @param folders the more general first; null where unknown
 */
export function projectFile(file: string, folders: readonly (string | null)[]): string {
  const path = withSlashes(file, folders);
  // Clients do not agree on the case of a drive's letter.
  const compared = (text: string): string => (/^[A-Za-z]:\//.test(text) ? text.toLowerCase() : text);
  for (const folder of folders) {
    const start = folder?.replaceAll('\\', '/').replace(/(?<!\/)\/+$/, '');
    if (start === undefined || !compared(path).startsWith(compared(start))) continue;
    const below = outOfWorktree(path.slice(start.length));
    if (below.startsWith('/')) return below.slice(1);
  }
  return path.replace(/^\.\//, '');
}
