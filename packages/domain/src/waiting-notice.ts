import { writeSync } from 'node:fs';

/** Says on stderr for whom a program waits, once for each; to be called by a thread that is about to wait. */
export function waitingNotice(program: string): (writer: string | null) => void {
  const said = new Set<string | null>();
  return (writer) => {
    if (said.has(writer)) return;
    said.add(writer);
    const who = writer === null ? '' : `: ${writer}`;
    try {
      // The stream may write only when this thread runs on.
      writeSync(2, `${program}: waiting for another process that is writing to the memory${who}\n`);
    } catch {
      // Nobody reads it, or not at once.
    }
  };
}
