import type { BlockMemory } from './block-memory.js';
import { BlockRows } from './block-rows.js';
import { FileWriter } from './file-writer.js';
import { flatHeader } from './flat-header.js';

/** Exact inner products without FAISS: every row is scanned. */
export class FloatRows extends BlockRows {
  readonly precision = 'float32';
  protected readonly scales = undefined;

  constructor(dim: number, memory: BlockMemory) {
    super(dim, Float32Array.BYTES_PER_ELEMENT, memory);
  }

  writeTo(path: string): void {
    FileWriter.write(path, (file) => {
      file.append(flatHeader(this.dim, this.count));
      for (let row = 0; row < this.count; row++)
        file.append(this.memory.floats(this.addressOf(row), this.dim));
    });
  }

  protected writeRow(address: number, vector: Float32Array): void {
    const row = this.memory.floats(address, this.paddedDim);
    row.set(vector);
    row.fill(0, this.dim);
  }

  protected writeQuery(query: Float32Array): number {
    this.writeRow(this.memory.queryAddress, query);
    return 1;
  }

  protected scanBlock(address: number, count: number): Float32Array {
    const { kernel, queryAddress, scoresAddress } = this.memory;
    kernel.scanFloat32(address, count, this.paddedDim, queryAddress, scoresAddress);
    return this.memory.floats(scoresAddress, count);
  }
}
