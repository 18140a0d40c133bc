import { scanKernelOn } from './scan-kernel.js';
import { transferred, type TaskContext } from './task.js';
import { TopK } from './top-k.js';

export interface NeighboursInput {
  /**
   * Holds the matrix from address 0, rows padded to `dim`, and room for {@link ROWS_PER_SCAN} × `count` scores at
   * `scoresAddress`.
   */
  memory: WebAssembly.Memory;
  count: number;
  /** A multiple of 16. */
  dim: number;
  scoresAddress: number;
  k: number;
  /** The rows whose neighbours are wanted: from, up to but not including to. */
  from: number;
  to: number;
}

/** (to − from) × k, row-major, best first. */
export interface NeighboursOutput {
  rows: Int32Array<ArrayBuffer>;
  scores: Float32Array<ArrayBuffer>;
}

/** How many rows are searched for in one scan. */
export const ROWS_PER_SCAN = 4;

/** Runs in a pool's worker: one scan of the whole matrix for every four rows. */
export function findNeighbours(input: NeighboursInput, context: TaskContext): NeighboursOutput {
  const { memory, count, dim, scoresAddress, k, from, to } = input;
  const kernel = scanKernelOn(memory);
  const scores = new Float32Array(memory.buffer, scoresAddress, count * ROWS_PER_SCAN);
  const output = { rows: new Int32Array((to - from) * k), scores: new Float32Array((to - from) * k) };
  for (let row = from; row < to && !context.cancelled(); row += ROWS_PER_SCAN) {
    const together = Math.min(ROWS_PER_SCAN, to - row);
    // The rows after the last are read along where they exist; of what lies behind the matrix nothing is used.
    kernel.scanFloat32By4(0, count, dim, row * dim * Float32Array.BYTES_PER_ELEMENT, scoresAddress);
    for (let i = 0; i < together; i++) {
      const best = bestBut(row + i, scores.subarray(i * count, (i + 1) * count), k);
      output.rows.set(best.rows, (row + i - from) * k);
      output.scores.set(best.scores, (row + i - from) * k);
    }
  }
  return transferred(output, [output.rows.buffer, output.scores.buffer]);
}

function bestBut(self: number, scores: Float32Array, k: number) {
  const best = new TopK(k);
  let floor = best.floor;
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row]!;
    if (score <= floor || row === self) continue;
    best.offer(row, score);
    floor = best.floor;
  }
  return best.ranked();
}
