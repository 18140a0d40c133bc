import { newScanMemory, PAGE_BYTES, scanKernelOn, type ScanKernel } from './scan-kernel.js';

/** Small enough that a project of a few hundred chunks wastes little, large enough that scans run long. */
export const BLOCK_BYTES = 256 * 1024;

/** How much the memory grows at a time. */
const GROWTH_BLOCKS = 16;

/**
 * One WebAssembly memory, divided into blocks for the rows of many indexes: blocks that one index frees are reused by
 * others. The first block is for a query (its first half) and for scores (its second).
 */
export class BlockMemory {
  readonly queryAddress = 0;
  readonly scoresAddress = BLOCK_BYTES / 2;
  readonly kernel: ScanKernel;
  private readonly memory = newScanMemory(BLOCK_BYTES);
  private readonly free: number[] = [];

  constructor() {
    this.kernel = scanKernelOn(this.memory);
  }

  /** @throws RangeError beyond four gigabytes */
  takeBlock(): number {
    if (this.free.length === 0) this.grow();
    return this.free.pop()!;
  }

  giveBack(addresses: readonly number[]): void {
    this.free.push(...addresses);
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
    for (let block = GROWTH_BLOCKS - 1; block >= 0; block--) this.free.push(start + block * BLOCK_BYTES);
  }
}
