import { groupBy, madeOnce, outOfWorktree, withSlashes } from '@causantic/domain';

/** The path below one of the project's folders or its worktrees; null for files elsewhere, such as drafts. */
function pathInProject(folders: readonly string[], file: string): string | null {
  const path = withSlashes(file, folders);
  const isAbsolute = /^(?:\/|[A-Za-z]:)/.test(path);
  if (!isAbsolute) return path;
  for (const folder of folders) {
    const root = folder.replaceAll('\\', '/').replace(/\/+$/, '');
    if (!path.toLowerCase().startsWith(root.toLowerCase())) continue;
    const below = outOfWorktree(path.slice(root.length));
    if (below.startsWith('/')) return below.slice(1);
  }
  return null;
}

/** `src/: a.ts, b.ts`: files of one folder together, where the first of them stands. */
export function filesByFolder(files: readonly string[]): string[] {
  const byFolder = groupBy(files, (file) => file.slice(0, file.lastIndexOf('/') + 1));
  return [...byFolder].map(([folder, inside]) =>
    inside.length === 1
      ? inside[0]!
      : `${folder || './'}: ${inside.map((file) => file.slice(folder.length)).join(', ')}`,
  );
}

/** Those of the files that are the project's, each once, by their paths in it. */
export function pathsInProject(
  files: readonly string[] | undefined,
  folders: readonly string[],
): Set<string> {
  return new Set(files?.flatMap((file) => pathInProject(folders, file) ?? []));
}

/** In how many turns each file of the project was edited, given the files that each turn edited. */
export function editCounts(
  filesByTurn: readonly (readonly string[] | undefined)[],
  folders: readonly string[],
): Map<string, number> {
  const counts = new Map<string, number>();
  // The turns of a long session edit the same files a thousand times.
  const paths = new Map<string, string | null>();
  const pathOf = (file: string): string | null => madeOnce(paths, file, () => pathInProject(folders, file));
  for (const files of filesByTurn) {
    for (const path of new Set(files?.map(pathOf)))
      if (path !== null) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}
