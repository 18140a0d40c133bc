/**
 * A file as all sessions of a project spell it: relative to the project, or to the session's own folder where that is
 * a worktree elsewhere. Other paths stay as they are.
 * @param folders the more general first; null where unknown
 */
export function projectFile(file: string, folders: readonly (string | null)[]): string {
  const path = file.replaceAll('\\', '/');
  for (const folder of folders) {
    const start = folder === null ? '' : `${folder.replaceAll('\\', '/').replace(/\/+$/, '')}/`;
    if (start !== '' && path.startsWith(start)) return path.slice(start.length);
  }
  return path.replace(/^\.\//, '');
}
