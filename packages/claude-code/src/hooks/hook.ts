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

/** Of the tags that Claude Code and Gemini CLI put around what a hook says. */
const FRAME = /<(?=\s{0,3}\/?\s{0,3}(?:system-reminder|hook_context)\b)/gi;

/**
 * The form in which Claude Code takes text into a session. A tag that memory quotes, of a web page for instance, must not
 * end the client's own: what stands behind it would be read as the client's word.
 */
export function additionalContext(hookEventName: 'SessionStart' | 'UserPromptSubmit', text: string): string {
  const framed = text.replace(FRAME, '[');
  return `${JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: framed } })}\n`;
}
