import { madeOnce } from '@causantic/domain';
import { newScanMemory, PAGE_BYTES, scanKernelOn, type ScanKernel } from './scan-kernel.js';

/** Large enough that scans run long. */
export const BLOCK_BYTES = 256 * 1024;

/** What a project of a few chunks takes: some people have thousands. */
export const SMALLEST_BLOCK_BYTES = 8 * 1024;

/** How much the memory grows at a time. */
const GROWTH_BLOCKS = 16;

/**
 * One WebAssembly memory, divided into blocks for the rows of many indexes, and some of these again, into halves, quarters
 * and so on: what one index frees is reused by others. The first block is for a query (its first half) and for scores (its second).
 */
export class BlockMemory {
  readonly queryAddress = 0;
  readonly scoresAddress = BLOCK_BYTES / 2;
  readonly kernel: ScanKernel;
  private readonly memory = newScanMemory(BLOCK_BYTES);
  /** By size. */
  private readonly free = new Map<number, number[]>();

  constructor() {
    this.kernel = scanKernelOn(this.memory);
  }

  /**
   * @param bytes {@link BLOCK_BYTES} or a half of it, a quarter, …
   * @throws RangeError beyond four gigabytes
   */
  takeBlock(bytes: number): number {
    const free = this.freeOf(bytes);
    if (free.length === 0) {
      if (bytes === BLOCK_BYTES) this.grow();
      else free.push(...parts(this.takeBlock(BLOCK_BYTES), bytes, BLOCK_BYTES / bytes));
    }
    return free.pop()!;
  }

  giveBack(addresses: readonly number[], bytes: number): void {
    this.freeOf(bytes).push(...addresses);
  }

  private freeOf(bytes: number): number[] {
    return madeOnce(this.free, bytes, (): number[] => []);
  }

  /** Created for each use, because growing the memory invalidates older views. */
  floats(address: number, length: number): Float32Array {
    return new Float32Array(this.memory.buffer, address, length);
  }

  int8s(address: number, length: number): Int8Array {
    return new Int8Array(this.memory.buffer, address, length);
  }

  int16s(address: number, length: number): Int16Array {
    return new Int16Array(this.memory.buffer, address, length);
  }

  int32s(address: number, length: number): Int32Array {
    return new Int32Array(this.memory.buffer, address, length);
  }

  private grow(): void {
    const start = this.memory.grow((GROWTH_BLOCKS * BLOCK_BYTES) / PAGE_BYTES) * PAGE_BYTES;
    this.giveBack(parts(start, BLOCK_BYTES, GROWTH_BLOCKS), BLOCK_BYTES);
  }
}

/** Addresses, the first of which is taken first. */
function parts(start: number, bytes: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => start + (count - 1 - at) * bytes);
}
