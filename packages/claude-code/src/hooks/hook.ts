import type { Config } from '@causantic/domain';
import type { HookInput } from './hook-input.js';

/** What a hook is given. */
export interface HookContext {
  input: HookInput;
  home: string;
  config: Config;
  env: NodeJS.ProcessEnv;
}

/** A hook's output to the session, if any, and its status message. */
export interface HookOutcome {
  output?: string;
  message: string;
}

export type Hook = (context: HookContext) => Promise<HookOutcome>;

/** Since the process started. */
export function millisecondsSinceStart(): number {
  return Math.round(process.uptime() * 1000);
}

/** The form in which Claude Code takes text into a session. */
export function additionalContext(hookEventName: 'SessionStart' | 'UserPromptSubmit', text: string): string {
  return `${JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: text } })}\n`;
}
