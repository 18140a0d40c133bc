import { errorMessage, topicBranchOf } from '@causantic/domain';
import type { Store } from '@causantic/storage';
import { briefing } from '../briefing/briefing.js';
import { readProjectMemory } from '../briefing/project-memory.js';
import { withMemory } from './memory-store.js';
import { projectOfFolder } from './project-of-folder.js';
import { additionalContext, type HookContext, type HookOutcome } from './hook.js';
import { unreadTranscripts } from './unread-transcript.js';

/** Sub-agents may have written much beside a short transcript, and a session waits for its briefing. */
const READ_WITHIN_MS = 2_000;

/** Puts a briefing into a session that starts, or that goes on behind a compaction. */
export async function sessionStart(context: HookContext): Promise<HookOutcome> {
  const { input, home, config } = context;
  if (config.hooks.briefingTokens === 0) return { message: 'briefings are disabled' };
  // A session that is resumed has its own history before it.
  if (input.source === 'resume') return { message: 'no briefing for a resumed session' };
  const outcome = await withMemory(home, (store) => brief(store, context));
  return outcome ?? { message: 'no briefing: nothing in memory yet' };
}

async function brief(store: Store, context: HookContext): Promise<HookOutcome> {
  const { input, config } = context;
  const problem = await readUnread(store, context);
  const project = projectOfFolder(store, input.cwd);
  const memory =
    project &&
    readProjectMemory(store, {
      project,
      topicBranch: topicBranchOf(input.cwd),
      session: input.sessionId,
      about: input.source === 'compact' ? 'this session' : 'earlier sessions',
    });
  const text = memory && briefing(memory, config.hooks.briefingTokens);
  if (!text) return { message: 'no briefing: nothing in memory for this project' };
  return {
    output: additionalContext('SessionStart', text),
    message: `briefing on ${memory.slug}${problem}`,
  };
}

/** Reads one session that was left unread. What fails keeps no briefing from the session that starts: it is told of. */
async function readUnread(store: Store, context: HookContext): Promise<string> {
  try {
    const paths = unreadTranscripts(store, context);
    if (paths.length === 0) return '';
    const { readSession } = await import('./ingest-session.js');
    const untilMs = performance.now() + READ_WITHIN_MS;
    for (const path of paths) {
      const withinMs = untilMs - performance.now();
      const { chunks } = readSession(store, path, { config: context.config, withinMs });
      if (chunks > 0) break;
    }
    return '';
  } catch (error) {
    return `; earlier sessions left unread could not be read: ${errorMessage(error)}`;
  }
}
