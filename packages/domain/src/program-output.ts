/** What becomes of a program whose output cannot be written: for use where it begins, once. */
export function endWithOutput(program: string): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough, such as `head`, closes the pipe: that is no failure.
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`${program}: the output cannot be written: ${error.message}\n`);
    process.exit(1);
  });
  // Nobody is left to be told; the exit code says it.
  process.stderr.on('error', () => undefined);
}
