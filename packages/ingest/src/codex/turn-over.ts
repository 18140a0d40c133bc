import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The last record holds the last answer. */
const TAIL_BYTES = 1 << 16;

const ENDS = /"payload":\{"type":"(?:task_complete|turn_aborted)"/;

/** Whether a rollout ends with the end of a turn; false of older versions, which do not note it. */
export function endsWithTurn(path: string): boolean {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
    readSync(descriptor, tail, 0, tail.length, size - tail.length);
    return ENDS.test(tail.toString('utf8').trimEnd().split('\n').at(-1) ?? '');
  } finally {
    closeSync(descriptor);
  }
}
