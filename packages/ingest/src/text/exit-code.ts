import type { ToolOutput } from '../clients/events.js';

/** The output of a failed command in Claude Code's form: below its exit code. */
export function withExitCode(code: number | string, text: string): string {
  return `Exit code ${code}\n${text}`;
}

/** What a command printed that ended with this code: to most clients, one that could be run has succeeded. */
export function endedWith(code: number, text: string): ToolOutput {
  return code === 0 ? { text, isError: false } : { text: withExitCode(code, text), isError: true };
}

export const EXIT_CODE = /^Exit code -?\d+\n/;

export function withoutExitCode(text: string): string {
  return text.replace(EXIT_CODE, '');
}
