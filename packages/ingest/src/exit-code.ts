/** What a command printed that failed, as Claude Code tells it: under the code with which it ended. */
export function withExitCode(code: number | string, text: string): string {
  return `Exit code ${code}\n${text}`;
}

export const EXIT_CODE = /^Exit code \d+\n/;

export function withoutExitCode(text: string): string {
  return text.replace(EXIT_CODE, '');
}
