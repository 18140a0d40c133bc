import { BLOCK_BYTES, type BlockMemory, SMALLEST_BLOCK_BYTES } from './block-memory.js';
import type { Precision, Rows, RowSearchOptions } from './rows.js';
import { paddedDim, ROWS_AT_ONCE } from './scan-kernel.js';
import { TopK, type RankedRows } from './top-k.js';

interface ScannedBlock {
  /** The block's first row. */
  first: number;
  scores: Float32Array | Int32Array;
  queryScale: number;
  mask: Uint8Array | undefined;
}

/** Rows of one width in the blocks of a {@link BlockMemory}; how a vector becomes a row is the subclass's. */
export abstract class BlockRows implements Rows {
  abstract readonly precision: Precision;
  count = 0;
  protected readonly paddedDim: number;
  protected readonly rowBytes: number;
  private readonly blocks: number[] = [];
  /** Of each block; less than {@link BLOCK_BYTES} only where one is enough. */
  private blockBytes = SMALLEST_BLOCK_BYTES;

  constructor(
    readonly dim: number,
    bytesPerComponent: number,
    protected readonly memory: BlockMemory,
  ) {
    this.paddedDim = paddedDim(dim);
    this.rowBytes = this.paddedDim * bytesPerComponent;
    while (this.rowsPerBlock === 0) this.blockBytes *= 2;
  }

  get bytes(): number {
    return this.blocks.length * this.blockBytes;
  }

  private get rowsPerBlock(): number {
    return ROWS_AT_ONCE * Math.floor(this.blockBytes / this.rowBytes / ROWS_AT_ONCE);
  }

  append(vectors: Float32Array): void {
    for (let start = 0; start < vectors.length; start += this.dim) {
      this.writeRow(this.newRowAddress(), vectors.subarray(start, start + this.dim));
    }
  }

  keep(rows: Uint32Array): void {
    rows.forEach((from, to) => {
      if (from !== to) this.moveRow(from, to);
    });
    this.count = rows.length;
    this.giveBackFrom(Math.ceil(this.count / this.rowsPerBlock));
  }

  search(query: Float32Array, k: number, { allowed, least }: RowSearchOptions = {}): RankedRows {
    const best = new TopK(Math.min(k, this.count), least);
    const queryScale = this.writeQuery(query);
    this.blocks.forEach((address, block) => {
      const first = block * this.rowsPerBlock;
      const count = Math.min(this.rowsPerBlock, this.count - first);
      const mask = allowed?.subarray(first, first + count);
      if (mask && !mask.includes(1)) return;
      this.offerBlock(best, { first, scores: this.scanBlock(address, count), queryScale, mask });
    });
    return best.ranked();
  }

  free(): void {
    this.giveBackFrom(0);
    this.count = 0;
  }

  private giveBackFrom(block: number): void {
    this.memory.giveBack(this.blocks.splice(block), this.blockBytes);
  }

  abstract writeTo(path: string): void;
  protected abstract writeRow(address: number, vector: Float32Array): void;
  /** Puts the query where the kernel reads it; gives what its scores must be multiplied with. */
  protected abstract writeQuery(query: Float32Array): number;
  protected abstract scanBlock(address: number, count: number): Float32Array | Int32Array;
  /** What each row's score must be multiplied with, if anything. */
  protected abstract readonly scales: Float32Array | undefined;

  private offerBlock(best: TopK, { first, scores, queryScale, mask }: ScannedBlock): void {
    const { scales } = this;
    let floor = best.floor;
    for (let i = 0; i < scores.length; i++) {
      const score = scales ? scores[i]! * queryScale * scales[first + i]! : scores[i]!;
      if (!(score >= floor) || mask?.[i] === 0) continue; // Nor NaN, like FAISS: it would stay the best for ever.
      best.offer(first + i, score);
      floor = best.floor;
    }
  }

  protected addressOf(row: number): number {
    const block = Math.floor(row / this.rowsPerBlock);
    return this.blocks[block]! + (row - block * this.rowsPerBlock) * this.rowBytes;
  }

  /** Copies a row over another; a subclass that keeps more than the bytes moves that too. */
  protected moveRow(from: number, to: number): void {
    const source = this.memory.int8s(this.addressOf(from), this.rowBytes);
    this.memory.int8s(this.addressOf(to), this.rowBytes).set(source);
  }

  protected newRowAddress(): number {
    if (this.count === this.blocks.length * this.rowsPerBlock) this.makeRoom();
    return this.addressOf(this.count++);
  }

  /** One block of twice the size while that is enough, then one more. */
  private makeRoom(): void {
    const [only] = this.blocks;
    if (only === undefined || this.blockBytes === BLOCK_BYTES) {
      this.blocks.push(this.memory.takeBlock(this.blockBytes));
      return;
    }
    const larger = this.memory.takeBlock(2 * this.blockBytes);
    this.memory.int8s(larger, this.blockBytes).set(this.memory.int8s(only, this.blockBytes));
    this.giveBackFrom(0);
    this.blocks.push(larger);
    this.blockBytes *= 2;
  }
}
