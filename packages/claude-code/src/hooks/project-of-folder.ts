import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { folderWithGit } from '@causantic/domain';
import type { Store, StoredProject } from '@causantic/storage';

/** The project in memory that a working folder belongs to; undefined where there is none. */
export async function projectOfFolder(store: Store, cwd: string): Promise<StoredProject | undefined> {
  const known = store.sessions.projectOfFolder(cwd);
  if (known !== undefined) return store.projects.get(known);
  return existsSync(cwd)
    ? store.projects.findByPath(await repositoryOf(realpathSync.native(cwd)))
    : undefined;
}

/**
 * The main folder of the repository that holds a folder; the folder itself outside of any. What a worktree belongs
 * to is known to the ingestion, which takes longer to load than the rest of a hook takes.
 */
export async function repositoryOf(folder: string): Promise<string> {
  const root = folderWithGit(folder);
  if (root === null) return folder;
  if (statSync(join(root, '.git')).isDirectory()) return root;
  const { projectOf } = await import('@causantic/ingest');
  return projectOf(folder).path;
}
