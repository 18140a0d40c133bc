import { randomFillSync } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import type { Faiss, FaissIndex } from './faiss-binding.js';
import { FLAT_HEADER_BYTES, flatHeader } from './flat-header.js';
import type { Rows, RowSearchOptions } from './rows.js';
import { TopK, type RankedRows } from './top-k.js';

/**
 * `add` takes a plain array and needs about 0.1 ms for 256 components; from here on the way over a file,
 * which FAISS reads at once, is faster.
 */
const ADD_DIRECTLY_ROWS = 8;

/** The last query, as FAISS takes it: one search goes over many indexes, with an array that nobody changes. */
let last: { query: Float32Array | undefined; numbers: number[] } = { query: undefined, numbers: [] };

function numbersOf(query: Float32Array): number[] {
  if (last.query !== query) last = { query, numbers: Array.from(query) };
  return last.numbers;
}

/** Exact inner products by FAISS's IndexFlatIP. What would make faiss-node abort the process is refused here. */
export class FaissRows implements Rows {
  /** What searches have cost for ever: faiss-node copies each query and never frees it (`xq` in faiss.cc). */
  static lostBytes = 0;
  readonly precision = 'float32';
  /** FAISS's own count; asked for often, and a call costs microseconds. */
  count = 0;
  private index: FaissIndex;

  /** @param scratchPath a file that may be written at any time */
  constructor(
    readonly dim: number,
    private readonly faiss: Faiss,
    private readonly scratchPath: string,
  ) {
    this.index = this.emptyIndex();
  }

  get bytes(): number {
    return this.count * this.dim * Float32Array.BYTES_PER_ELEMENT;
  }

  append(vectors: Float32Array): void {
    const part = vectors.length > ADD_DIRECTLY_ROWS * this.dim ? this.partOverFile(vectors) : undefined;
    if (!part) this.index.add(Array.from(vectors));
    else if (this.count === 0) this.index = part;
    else this.index.mergeFrom(part);
    this.count = this.index.ntotal();
  }

  /** Undefined if no file can be written: its folder was deleted, or the disk is full. */
  private partOverFile(vectors: Float32Array): FaissIndex | undefined {
    const bytes = new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength);
    const header = flatHeader(this.dim, vectors.length / this.dim);
    try {
      writeFileSync(this.scratchPath, Buffer.concat([header, bytes]), { mode: 0o600 });
      return this.faiss.IndexFlatIP.read(this.scratchPath);
    } catch {
      return undefined;
    } finally {
      rmSync(this.scratchPath, { force: true });
    }
  }

  keep(rows: Uint32Array): void {
    if (rows.length === 0) return this.free();
    const kept = new Set(rows);
    const dropped = Array.from({ length: this.count }, (_, row) => row).filter((row) => !kept.has(row));
    if (dropped.length > 0) this.index.removeIds(dropped);
    this.count = this.index.ntotal();
  }

  search(query: Float32Array, k: number, { allowed }: RowSearchOptions = {}): RankedRows {
    const allowedCount = allowed ? allowed.reduce((sum, flag) => sum + flag, 0) : this.count;
    const wanted = Math.min(k, allowedCount);
    if (wanted === 0) return { rows: [], scores: [] };
    // FAISS here knows no filter, so more is asked for: enough if the allowed are spread evenly, else all.
    let asked = allowed ? Math.ceil((1.5 * wanted * this.count) / allowedCount) + 16 : wanted + 1;
    for (;;) {
      const { best, leastScore } = this.nearest(query, asked, wanted, allowed);
      const isFilled = best.rows.length === wanted;
      // Of rows with equal scores it finds any, so it must have gone on to a lower one.
      if (asked >= this.count || (isFilled && leastScore < best.scores.at(-1)!)) return best;
      asked = isFilled ? 8 * asked : this.count;
    }
  }

  writeTo(path: string): void {
    // FAISS aborts the process where it cannot write. Quotas and limits of a file's size show only in writing; twice the
    // size, since others may write meanwhile; and no zeros, for which some disks take no room.
    const trial = Buffer.allocUnsafe(2 * (FLAT_HEADER_BYTES + this.bytes));
    writeFileSync(path, randomFillSync(trial), { mode: 0o600 });
    this.index.write(path);
  }

  /** The wrapper's memory goes with the next garbage collection. */
  free(): void {
    this.index = this.emptyIndex();
    this.count = 0;
  }

  /** The best `wanted` of the allowed among the nearest `asked` rows, and the least score of those. */
  private nearest(query: Float32Array, asked: number, wanted: number, allowed?: Uint8Array) {
    const best = new TopK(wanted); // Orders equal scores as every other kind of rows does.
    FaissRows.lostBytes += query.byteLength;
    const { labels, distances } = this.index.search(numbersOf(query), Math.min(asked, this.count));
    labels.forEach((row, i) => {
      if (row >= 0 && allowed?.[row] !== 0) best.offer(row, distances[i]!);
    });
    return { best: best.ranked(), leastScore: distances.at(-1)! };
  }

  private emptyIndex(): FaissIndex {
    return new this.faiss.IndexFlatIP(this.dim);
  }
}
