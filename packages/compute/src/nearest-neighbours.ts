import { InvalidArgumentError } from '@causantic/domain';
import { ROWS_PER_SCAN, type NeighboursInput, type NeighboursOutput } from './neighbours-task.js';
import { newScanMemory, paddedDim } from './scan-kernel.js';
import { defineTask } from './task.js';
import type { WorkerPool } from './worker-pool.js';

export interface NeighboursOptions {
  pool: WorkerPool;
  /** n × dim, row-major; copied once. */
  vectors: Float32Array;
  dim: number;
  /** How many neighbours a row gets; a row is not its own neighbour. */
  k: number;
  signal?: AbortSignal;
  onProgress?: (doneRows: number, totalRows: number) => void;
}

export interface Neighbours {
  /** min(k, n − 1). */
  k: number;
  /** n × k, row-major, best first; among equal scores the lower row first. */
  rows: Int32Array;
  /** Their inner products. */
  scores: Float32Array;
}

const findNeighbours = defineTask<NeighboursInput, NeighboursOutput>(
  new URL('./neighbours-task.js', import.meta.url),
  'findNeighbours',
);

/** A query that waits behind a slice waits no longer than this; a row of 10,000 × 256 takes half a millisecond. */
const TARGET_SLICE_MS = 40;

const MAX_BYTES = 2 ** 32;

/**
 * The exact nearest neighbours of every row by inner product: n² × dim multiplications, in slices over the
 * pool's threads, for clustering.
 *
 * @throws InvalidArgumentError for a matrix above four gigabytes or a `k` below 1; ComputeError ABORTED
 */
export async function nearestNeighbours(options: NeighboursOptions): Promise<Neighbours> {
  const { pool, vectors, dim, signal, onProgress } = options;
  const count = vectors.length / dim;
  const matrix = sharedMatrix(vectors, dim, pool.threads);
  if (!Number.isInteger(options.k) || options.k < 1)
    throw new InvalidArgumentError('k', options.k, 'at least 1');
  const k = Math.max(0, Math.min(options.k, count - 1));
  // In shared memory: whoever hands them on to other threads does not copy them.
  const result: Neighbours = {
    k,
    rows: new Int32Array(new SharedArrayBuffer(count * k * 4)),
    scores: new Float32Array(new SharedArrayBuffer(count * k * 4)),
  };
  let taken = k === 0 ? count : 0;
  let done = 0;
  const runLane = async (scoresAddress: number) => {
    for (let sliceRows = 8; taken < count;) {
      const from = taken;
      const to = (taken = Math.min(count, from + sliceRows));
      const startedAtMs = performance.now();
      const input = { memory: matrix.memory, dim: matrix.dim, count, scoresAddress, k, from, to };
      const slice = await pool.run(findNeighbours, input, { ...(signal && { signal }) });
      result.rows.set(slice.rows, from * k);
      result.scores.set(slice.scores, from * k);
      onProgress?.((done += to - from), count);
      sliceRows = nextSliceRows(to - from, performance.now() - startedAtMs);
    }
  };
  await Promise.all(matrix.scoresAddresses.map(runLane)).finally(() => (taken = count));
  return result;
}

/** A multiple of what one scan serves. */
function nextSliceRows(rows: number, elapsedMs: number): number {
  const wanted = Math.min(rows * 2, (rows * TARGET_SLICE_MS) / Math.max(elapsedMs, 0.1));
  return Math.max(1, Math.round(wanted / ROWS_PER_SCAN)) * ROWS_PER_SCAN;
}

/** The matrix in memory that all workers see, followed by room for scores for each thread. */
function sharedMatrix(vectors: Float32Array, dim: number, threads: number) {
  const count = vectors.length / dim;
  if (!Number.isInteger(count))
    throw new InvalidArgumentError('vectors', vectors.length, `a multiple of ${dim}`);
  const width = paddedDim(dim);
  const matrixBytes = count * width * 4;
  const scoreBytes = count * ROWS_PER_SCAN * 4;
  const spareRowBytes = ROWS_PER_SCAN * width * 4; // The last rows' scan may read on behind everything.
  const bytes = matrixBytes + threads * scoreBytes + spareRowBytes;
  if (bytes > MAX_BYTES)
    throw new InvalidArgumentError('vectors', `${bytes} bytes`, 'at most four gigabytes');
  const memory = newScanMemory(bytes);
  const matrix = new Float32Array(memory.buffer, 0, count * width);
  if (width === dim) matrix.set(vectors);
  else
    for (let row = 0; row < count; row++)
      matrix.set(vectors.subarray(row * dim, (row + 1) * dim), row * width);
  const scoresAddresses = Array.from({ length: threads }, (_, lane) => matrixBytes + lane * scoreBytes);
  return { memory, dim: width, scoresAddresses };
}
