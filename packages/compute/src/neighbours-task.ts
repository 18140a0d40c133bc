import { scanKernelOn } from './scan-kernel.js';
import { transferred, type TaskContext } from './task.js';
import { TopK } from './top-k.js';

export interface NeighboursInput {
  /** Holds the matrix from address 0, rows padded to `dim`, and room for `count` scores at `scoresAddress`. */
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

/** Runs in a pool's worker: one scan of the whole matrix per row. */
export function findNeighbours(input: NeighboursInput, context: TaskContext): NeighboursOutput {
  const { memory, count, dim, scoresAddress, k, from, to } = input;
  const kernel = scanKernelOn(memory);
  const scores = new Float32Array(memory.buffer, scoresAddress, count);
  const output = { rows: new Int32Array((to - from) * k), scores: new Float32Array((to - from) * k) };
  for (let row = from; row < to && !context.cancelled(); row++) {
    kernel.scanFloat32(0, count, dim, row * dim * Float32Array.BYTES_PER_ELEMENT, scoresAddress);
    const best = bestBut(row, scores, k);
    output.rows.set(best.rows, (row - from) * k);
    output.scores.set(best.scores, (row - from) * k);
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
