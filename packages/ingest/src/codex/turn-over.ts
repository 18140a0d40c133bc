import { readPieces } from '../lines.js';
import { whileOpen } from '../open-transcript.js';

/** The last record holds the last answer. */
const TAIL_BYTES = 1 << 16;

const ENDS = /"payload":\{"type":"(?:task_complete|turn_aborted)"/;

/** Whether a rollout ends with the end of a turn; false of older versions, which do not note it. */
export function endsWithTurn(path: string): boolean {
  return whileOpen(path, {}, ({ descriptor, size }) => {
    const [tail] = readPieces(descriptor, Math.max(0, size - TAIL_BYTES), size);
    const text = tail?.bytes.toString('utf8') ?? '';
    return ENDS.test(text.trimEnd().split('\n').at(-1) ?? '');
  });
}
