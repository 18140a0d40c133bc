import { withoutControls } from './text/controls.js';

/** Ends the program properly if its output cannot be written. Call this once, at the start. */
export function endWithOutput(program: string): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough, such as `head`, closes the pipe. That is not an error.
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`${program}: cannot write the output: ${error.message}\n`);
    process.exit(1);
  });
  // Nobody is left to be told; the exit code says it.
  process.stderr.on('error', () => undefined);
}

/** Makes text safe for a terminal: folder names and system messages may contain escapes or overwrite a line. */
export function printable(text: string): string {
  return withoutControls(text).replaceAll('\r', '');
}

/** Prints one or more lines for the user. */
export function print(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

/** The same on stderr: a note or an error, apart from the program's actual output. */
export function printAside(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}
