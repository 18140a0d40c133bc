import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import type { Store } from '@causantic/storage';
import { keepBlock } from '../claude-md/kept-files.js';
import { memorySummary } from '../claude-md/memory-summary.js';
import { withMemory } from './memory-store.js';
import { projectOfFolder } from './project-of-folder.js';
import type { HookContext, HookOutcome } from './hook.js';

/** Claude Code removes a worktree that it made when its session ends, unless files in it have changed. */
const FLEETING = /[\\/]\.claude[\\/]worktrees[\\/]/;

/** Keeps the marked block in the project's CLAUDE.md. */
export async function claudeMdGenerator(context: HookContext): Promise<HookOutcome> {
  const { input, home, config, env } = context;
  const { claudeMd } = config.hooks;
  if (claudeMd === 'never') return { message: 'disabled (hooks.claudeMd)' };
  const folder = env['CLAUDE_PROJECT_DIR'] || input.cwd;
  const file = join(folder, 'CLAUDE.md');
  if (claudeMd === 'existing' && !existsSync(file)) return { message: `no such file: ${file}` };
  if (FLEETING.test(file)) return { message: `left unchanged, because its worktree may be removed: ${file}` };
  const outcome = await withMemory(home, (store) => keepSummary(store, { home, folder, file }));
  return outcome ?? { message: 'nothing in memory yet' };
}

function keepSummary(
  store: Store,
  { home, folder, file }: { home: string; folder: string; file: string },
): HookOutcome {
  const project = projectOfFolder(store, folder);
  if (!project) return { message: 'nothing in memory for this project' };
  if (isForeignLink(file, [folder, project.path])) {
    return {
      message: `left unchanged, because the link does not lead to a Markdown file of this project: ${file}`,
    };
  }
  return { message: `${keepBlock(home, file, memorySummary(store, project))}: ${file}` };
}

/** A repository comes with its links: one may lead to the user's own files, or to a program. */
function isForeignLink(file: string, folders: readonly string[]): boolean {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return false;
  if (!existsSync(file)) return true;
  const target = realpathSync.native(file);
  const inside = folders.filter((folder) => existsSync(folder)).map((folder) => realpathSync.native(folder));
  return extname(target) !== '.md' || !inside.some((folder) => target.startsWith(folder + sep));
}
