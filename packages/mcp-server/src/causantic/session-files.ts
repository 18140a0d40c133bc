import { dirname, resolve } from 'node:path';
import { realPath } from '@causantic/domain';
import type { Store, StoredProject } from '@causantic/storage';
import { findByPath } from '../arguments.js';
import { ifReadable, type ToolContext } from '../tool.js';

/** Work of the last hours counts as current: it may be spread over several sessions, or be a sub-agent's. */
const SESSION_MS = 4 * 3_600_000;
const MAX_FILES = 40;

/**
 * The files that current work on a folder's project touched, so that its map can rank them higher.
 *
 * @param root the folder to map; that of the project, or of a worktree of it, may be above
 * @returns absolute paths, latest first; none if the project is not in memory
 */
export function sessionFiles(
  root: string,
  context: Pick<ToolContext, 'store' | 'config' | 'clock' | 'home'>,
): string[] {
  if (!context.config.repomap.useSession) return [];
  return ifReadable(context, () => touchedFiles(root, context)) ?? [];
}

function touchedFiles(root: string, { store, clock }: Pick<ToolContext, 'store' | 'clock'>): string[] {
  const project = projectAbove(root, store);
  if (project === undefined) return [];
  const touched = store.sessions.filesTouched({
    projectId: project.id,
    fromMs: clock() - SESSION_MS,
    limit: MAX_FILES,
  });
  return touched.map(({ path, cwd }) => resolve(cwd ?? project.path, path));
}

function projectAbove(root: string, store: Store): StoredProject | undefined {
  for (let folder = realPath(resolve(root)); ; folder = dirname(folder)) {
    const project = findByPath(store, folder);
    if (project !== undefined || folder === dirname(folder)) return project;
  }
}
