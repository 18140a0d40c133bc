import type { RankedRows } from './top-k.js';

/** How vectors are stored: unchanged, or with eight bits per component. */
export type Precision = 'float32' | 'int8';

export interface RowSearchOptions {
  allowed?: Uint8Array | undefined;
  least?: number;
}

/** Vectors in memory under row numbers 0 … count − 1, in the order in which they were appended. */
export interface Rows {
  readonly precision: Precision;
  readonly dim: number;
  readonly count: number;
  /** Their size, for the memory budget. */
  readonly bytes: number;
  /** @param vectors n × dim, row-major; copied */
  append(vectors: Float32Array): void;
  /** Drops all other rows; the kept ones, given in ascending order, are renumbered in the same order. */
  keep(rows: Uint32Array): void;
  /**
   * The k rows with the greatest inner products, or all if there are fewer.
   *
   * @param options.allowed one byte per row, 0 for rows that may not be found; undefined if all may
   * @param options.least rows with lower scores may be left out
   */
  search(query: Float32Array, k: number, options?: RowSearchOptions): RankedRows;
  /** Writes the payload of an index file, see index-file.ts. */
  writeTo(path: string): void;
  /** Frees the memory; not usable afterwards. */
  free(): void;
}
