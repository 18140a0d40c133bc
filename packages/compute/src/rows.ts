import type { RankedRows } from './top-k.js';

/** How vectors are held: as they are, or eight bits a component. */
export type Precision = 'float32' | 'int8';

/** Vectors in memory under row numbers 0 … count − 1, in the order in which they were appended. */
export interface Rows {
  readonly precision: Precision;
  readonly dim: number;
  readonly count: number;
  /** What they take, for the memory budget. */
  readonly bytes: number;
  /** @param vectors n × dim, row-major; copied */
  append(vectors: Float32Array): void;
  /** Drops the others; the kept ones, given in ascending order, are numbered anew in the same order. */
  keep(rows: Uint32Array): void;
  /**
   * The k rows with the greatest inner product, fewer when there are fewer.
   *
   * @param allowed one byte a row, 0 for what may not be found; absent when all may
   */
  search(query: Float32Array, k: number, allowed?: Uint8Array): RankedRows;
  /** Writes the payload of an index file, see index-file.ts. */
  writeTo(path: string): void;
  /** Gives the memory back; not usable afterwards. */
  free(): void;
}
