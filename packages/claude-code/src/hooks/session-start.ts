import type { Store } from '@causantic/storage';
import { briefing } from '../briefing/briefing.js';
import { readProjectMemory } from '../briefing/project-memory.js';
import { withMemory } from './memory-store.js';
import { projectOfFolder } from './project-of-folder.js';
import { additionalContext, type HookContext, type HookOutcome } from './hook.js';
import { unreadTranscript } from './unread-transcript.js';

/** Sub-agents may have written much beside a short transcript, and a session waits for its briefing. */
const READ_WITHIN_MS = 2_000;

/** Puts a briefing into a session that starts, or that goes on behind a compaction. */
export async function sessionStart(context: HookContext): Promise<HookOutcome> {
  const { input, home, config } = context;
  if (config.hooks.briefingTokens === 0) return { message: 'briefings are switched off' };
  // A session that is resumed has its own history before it.
  if (input.source === 'resume') return { message: 'no briefing for a resumed session' };
  const outcome = await withMemory(home, (store) => brief(store, context));
  return outcome ?? { message: 'no briefing: nothing in memory yet' };
}

async function brief(store: Store, context: HookContext): Promise<HookOutcome> {
  const { input, config } = context;
  await readUnread(store, context);
  const project = await projectOfFolder(store, input.cwd);
  const memory =
    project &&
    readProjectMemory(store, {
      project,
      ...(input.sessionId !== undefined && { session: input.sessionId }),
      about: input.source === 'compact' ? 'this session' : 'earlier sessions',
    });
  const text = memory ? briefing(memory, config.hooks.briefingTokens) : '';
  if (text === '') return { message: 'no briefing: nothing in memory of this project' };
  return { output: additionalContext('SessionStart', text), message: `briefing on ${memory!.slug}` };
}

async function readUnread(store: Store, context: HookContext): Promise<void> {
  const path = unreadTranscript(store, context);
  if (path === null) return;
  const { readSession } = await import('./ingest-session.js');
  await readSession(store, path, { config: context.config, withinMs: READ_WITHIN_MS });
}
