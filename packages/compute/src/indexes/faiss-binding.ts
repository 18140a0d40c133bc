import { createRequire } from 'node:module';
import { errorMessage } from '@causantic/domain';

/** What of faiss-node is used here; its own types forget that all of it throws or aborts when misused. */
export interface FaissIndex {
  ntotal(): number;
  add(components: number[]): void;
  search(query: number[], k: number): { distances: number[]; labels: number[] };
  removeIds(labels: number[]): number;
  mergeFrom(other: FaissIndex): void;
  write(path: string): void;
}

export interface Faiss {
  /** FAISS merges only indexes of one class, and its factory's `Flat` has another one than what is read from a file. */
  IndexFlatIP: {
    new (dim: number): FaissIndex;
    read(path: string): FaissIndex;
  };
}

/**
 * OpenBLAS, which FAISS needs only for many queries at once, starts a thread for each core as it is loaded, and ends the
 * process where a container's limit forbids that. Call this on the main thread: native code does not see what a worker
 * sets.
 */
export function refuseBlasThreads(): void {
  process.env['OPENBLAS_NUM_THREADS'] ??= '1';
}

/**
 * Loads faiss-node, or says why it cannot be. Only ever called in the one worker that is its home: a
 * second JavaScript context that loads it aborts the process.
 */
export function loadFaiss(): Faiss | { reason: string } {
  try {
    return createRequire(import.meta.url)('faiss-node') as Faiss;
  } catch (error) {
    const [said = ''] = errorMessage(error).split('\n');
    return { reason: `faiss-node does not load (${said.replace(/\. Tried:$/, '')})` };
  }
}
