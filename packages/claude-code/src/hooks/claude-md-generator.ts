import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '@causantic/storage';
import { keepBlock } from '../claude-md/kept-files.js';
import { memorySummary } from '../claude-md/memory-summary.js';
import { withMemory } from './memory-store.js';
import { projectOfFolder } from './project-of-folder.js';
import type { HookContext, HookOutcome } from './hook.js';

/** Keeps the marked block in the project's CLAUDE.md. */
export async function claudeMdGenerator(context: HookContext): Promise<HookOutcome> {
  const { input, home, config, env } = context;
  const { claudeMd } = config.hooks;
  if (claudeMd === 'never') return { message: 'switched off (hooks.claudeMd)' };
  const folder = env['CLAUDE_PROJECT_DIR'] || input.cwd;
  const file = join(folder, 'CLAUDE.md');
  if (claudeMd === 'existing' && !existsSync(file)) return { message: `there is no ${file}` };
  const outcome = await withMemory(home, (store) => keepSummary(store, { home, folder, file }));
  return outcome ?? { message: 'nothing in memory yet' };
}

async function keepSummary(
  store: Store,
  { home, folder, file }: { home: string; folder: string; file: string },
): Promise<HookOutcome> {
  const project = await projectOfFolder(store, folder);
  if (!project) return { message: 'nothing in memory of this project' };
  return { message: `${keepBlock(home, file, memorySummary(store, project))}: ${file}` };
}
