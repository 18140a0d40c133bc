/** The output of a failed command in Claude Code's form: below its exit code. */
export function withExitCode(code: number | string, text: string): string {
  return `Exit code ${code}\n${text}`;
}

export const EXIT_CODE = /^Exit code \d+\n/;

export function withoutExitCode(text: string): string {
  return text.replace(EXIT_CODE, '');
}
