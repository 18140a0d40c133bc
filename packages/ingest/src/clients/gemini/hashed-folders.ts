import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { isPathHash } from '@causantic/domain';
import type { Store } from '@causantic/storage';

/**
 * Older versions keep a project's chats in a folder that is named by the hash of its path. Chats that name no path stand
 * in a project of that folder, until any session is known to have worked in the folder with this hash.
 */
export function joinHashedFolders(store: Store): void {
  const nameless = store.projects.list().filter(({ path }) => isPathHash(basename(path)));
  if (nameless.length === 0) return;
  const known = new Map(
    store.sessions.folders().map(({ path, projectId }) => [pathHash(path), projectId] as const),
  );
  for (const { id, path } of nameless) {
    const project = known.get(basename(path));
    if (project !== undefined && project !== id) store.projects.join(id, project);
  }
}

export function pathHash(path: string): string {
  return hash('sha256', path);
}
