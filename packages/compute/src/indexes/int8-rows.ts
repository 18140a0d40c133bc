import { grown } from '@causantic/domain/grown-array';
import type { BlockMemory } from './block-memory.js';
import { BlockRows } from './block-rows.js';
import { FileWriter } from './file-writer.js';

/** Codes are −127 … 127, the query's −4095 … 4095: 127 × 4095 × 4096 components still fit 32 bits. */
const MAX_CODE = 127;
const MAX_QUERY_CODE = 4095;

/**
 * Eight bits a component with one scale per row: a quarter of the memory, and the inner product of unit
 * vectors is off by about 0.001.
 */
export class Int8Rows extends BlockRows {
  readonly precision = 'int8';
  protected scales = new Float32Array(16);

  constructor(dim: number, memory: BlockMemory) {
    super(dim, Int8Array.BYTES_PER_ELEMENT, memory);
  }

  override get bytes(): number {
    return super.bytes + this.scales.byteLength;
  }

  /** Adds rows as {@link writeTo} wrote them: their scales, then their codes of `dim` bytes each. */
  appendCodes(scales: Float32Array, codes: Int8Array): void {
    scales.forEach((scale, i) => {
      const row = this.memory.int8s(this.newRowAddress(), this.paddedDim);
      row.set(codes.subarray(i * this.dim, (i + 1) * this.dim));
      row.fill(0, this.dim);
      this.setScale(this.count - 1, scale);
    });
  }

  writeTo(path: string): void {
    FileWriter.write(path, (file) => {
      file.append(this.scales.subarray(0, this.count));
      for (let row = 0; row < this.count; row++)
        file.append(this.memory.int8s(this.addressOf(row), this.dim));
    });
  }

  protected writeRow(address: number, vector: Float32Array): void {
    const codes = this.memory.int8s(address, this.paddedDim);
    writeCodes(vector, codes, MAX_CODE);
    this.setScale(this.count - 1, bestScale(vector, codes));
  }

  protected writeQuery(query: Float32Array): number {
    return writeCodes(query, this.memory.int16s(this.memory.queryAddress, this.paddedDim), MAX_QUERY_CODE);
  }

  protected scanBlock(address: number, count: number): Int32Array {
    const { kernel, queryAddress, scoresAddress } = this.memory;
    kernel.scanInt8(address, count, this.paddedDim, queryAddress, scoresAddress);
    return this.memory.int32s(scoresAddress, count);
  }

  protected override moveRow(from: number, to: number): void {
    super.moveRow(from, to);
    this.scales[to] = this.scales[from]!;
  }

  private setScale(row: number, scale: number): void {
    this.scales = grown(this.scales, row + 1);
    this.scales[row] = scale;
  }
}

/** The scale at which the codes come closest to the vector; a vector's product with its own codes is then never above 1. */
function bestScale(vector: Float32Array, codes: Int8Array): number {
  let product = 0;
  let squares = 0;
  for (let j = 0; j < vector.length; j++) {
    product += vector[j]! * codes[j]!;
    squares += codes[j]! * codes[j]!;
  }
  return squares === 0 ? 0 : product / squares;
}

/** Writes round(v / scale), pads with zeros and gives the scale, at which the greatest component becomes `maxCode`. */
function writeCodes(vector: Float32Array, codes: Int8Array | Int16Array, maxCode: number): number {
  let greatest = 0;
  for (const value of vector) greatest = Math.max(greatest, Math.abs(value));
  codes.fill(0, vector.length);
  const perUnit = greatest === 0 ? 0 : maxCode / greatest;
  for (let j = 0; j < vector.length; j++) codes[j] = Math.round(vector[j]! * perUnit);
  return greatest / maxCode;
}
