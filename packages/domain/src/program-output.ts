import { withoutControls } from './controls.js';

/** What becomes of a program whose output cannot be written: for use where it begins, once. */
export function endWithOutput(program: string): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough, such as `head`, closes the pipe: that is no failure.
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`${program}: cannot write the output: ${error.message}\n`);
    process.exit(1);
  });
  // Nobody is left to be told; the exit code says it.
  process.stderr.on('error', () => undefined);
}

/** For a terminal: names of folders and messages of the system may hold what it would obey, or overwrite a line. */
export function printable(text: string): string {
  return withoutControls(text).replaceAll('\r', '');
}

/** A line, or several, for whoever ran the program. */
export function print(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

/** The same beside what was asked for: a note, or what went wrong. */
export function printAside(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}
