import { writeSync } from 'node:fs';

/** Prints on stderr which process a program is waiting for, once each. Call this from the thread that is about to wait. */
export function waitingNotice(program: string): (writer: string | null) => void {
  const said = new Set<string | null>();
  return (writer) => {
    if (said.has(writer)) return;
    said.add(writer);
    const who = writer === null ? '' : `: ${writer}`;
    try {
      // The stream might write only after this thread has stopped waiting.
      writeSync(2, `${program}: waiting for another process that is writing to the memory${who}\n`);
    } catch {
      // Nobody reads it, or not at once.
    }
  };
}
