import { existsSync } from 'node:fs';
import { projectOf } from '@causantic/domain';
import type { Store, StoredProject } from '@causantic/storage';

/** The project in memory that a working folder belongs to; undefined where there is none. */
export function projectOfFolder(store: Store, cwd: string): StoredProject | undefined {
  const known = store.sessions.projectOfFolder(cwd);
  if (known !== undefined) return store.projects.get(known);
  return existsSync(cwd) ? store.projects.findByPath(projectOf(cwd).path) : undefined;
}
