import { closeSync, existsSync, fstatSync, openSync, readSync, rmSync, statSync, type Stats } from 'node:fs';
import { crc32 } from 'node:zlib';
import { jsonValue, renameOver } from '@causantic/domain';
import { FileWriter } from './file-writer.js';
import { FLAT_HEADER_BYTES } from './flat-header.js';
import { OWN_NAME } from './own-files.js';
import type { Precision, Rows } from './rows.js';

/**
 * An index file is the rows' payload (for float32: just what FAISS reads and writes, so it can open the
 * file itself), the ids as 64-bit floats, a description as JSON, its length in four bytes, and this mark.
 * Without the mark the file was not written to its end.
 */
const MARK = Buffer.from('CSNTIX01', 'latin1');
const TAIL_BYTES = 4 + MARK.length;
const READ_BYTES = 1 << 20;

export interface IndexDescription {
  key: string;
  modelId: string;
  dim: number;
  precision: Precision;
  count: number;
  /** Of everything before the description. */
  crc32: number;
}

/**
 * Replaces the file as a whole: a reader sees the old one or the new one. What cannot be written leaves nothing.
 *
 * @returns its stamp, see {@link stampAt}
 */
export function writeIndexFile(
  path: string,
  rows: Rows,
  ids: Float64Array,
  about: { key: string; modelId: string },
): string {
  // Servers and batch programs may save the same index at the same time.
  const unfinished = `${path}.${OWN_NAME}.tmp`;
  try {
    rows.writeTo(unfinished);
    FileWriter.write(unfinished, (file) => file.append(ids), 'a');
    const { precision, dim } = rows;
    const sum = checksum(unfinished);
    const description: IndexDescription = { ...about, dim, precision, count: ids.length, crc32: sum };
    const json = Buffer.from(JSON.stringify(description));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(json.length);
    FileWriter.write(unfinished, (file) => [json, length, MARK].forEach((part) => file.append(part)), 'a');
    const stamp = stampOf(statSync(unfinished));
    renameOver(unfinished, path);
    return stamp;
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** Tells a file from any other that is put at its path later. */
export function stampAt(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && stampOf(stats);
}

function stampOf({ ino, size, mtimeMs }: Stats): string {
  return [ino, size, mtimeMs].join();
}

/** Why a file is of no use: it is not there, or it cannot be read or is not what was written. */
export type FileProblem = 'missing' | 'damaged';

/** An index file whose every byte was checked. */
export class IndexFile {
  private constructor(
    private readonly descriptor: number,
    readonly description: IndexDescription,
  ) {}

  /** Whatever another process puts at this path meanwhile, `use` reads the file that was checked. */
  static read<T>(path: string, use: (file: IndexFile) => T): T | FileProblem {
    const descriptor = opened(path);
    if (typeof descriptor === 'string') return descriptor;
    try {
      const description = checkedDescription(descriptor);
      return description ? use(new IndexFile(descriptor, description)) : 'damaged';
    } finally {
      closeSync(descriptor);
    }
  }

  get stamp(): string {
    return stampOf(fstatSync(this.descriptor));
  }

  ids(): Float64Array {
    return new Float64Array(this.read(payloadBytes(this.description), idBytes(this.description)));
  }

  /** Vectors of a float32 file in pages of at most `pageRows`. */
  *floatPages(pageRows: number): Generator<Float32Array> {
    const { count, dim } = this.description;
    for (let row = 0; row < count; row += pageRows) {
      const rows = Math.min(pageRows, count - row);
      yield new Float32Array(this.read(FLAT_HEADER_BYTES + row * dim * 4, rows * dim * 4));
    }
  }

  /** Scales and codes of an int8 file in pages of at most `pageRows`. */
  *codePages(pageRows: number): Generator<{ scales: Float32Array; codes: Int8Array }> {
    const { count, dim } = this.description;
    for (let row = 0; row < count; row += pageRows) {
      const rows = Math.min(pageRows, count - row);
      const scales = new Float32Array(this.read(row * 4, rows * 4));
      const codes = new Int8Array(this.read(count * 4 + row * dim, rows * dim));
      yield { scales, codes };
    }
  }

  private read(position: number, length: number): ArrayBuffer {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length;) {
      const count = readSync(this.descriptor, bytes, done, length - done, position + done);
      if (count === 0) throw new Error(`The index file of ${this.description.key} ended early.`);
      done += count;
    }
    return bytes.buffer;
  }
}

/** A file that somebody else left, such as root, is of no more use than a damaged one. */
function opened(path: string): number | FileProblem {
  try {
    return openSync(path, 'r');
  } catch {
    return existsSync(path) ? 'damaged' : 'missing';
  }
}

function payloadBytes({ precision, count, dim }: IndexDescription): number {
  return precision === 'float32' ? FLAT_HEADER_BYTES + count * dim * 4 : count * (4 + dim);
}

function idBytes({ count }: IndexDescription): number {
  return count * Float64Array.BYTES_PER_ELEMENT;
}

/** Undefined for anything that is not as it was written. */
function checkedDescription(descriptor: number): IndexDescription | undefined {
  const stats = fstatSync(descriptor);
  const { size } = stats;
  if (!stats.isFile() || size < TAIL_BYTES) return undefined;
  const tail = Buffer.alloc(TAIL_BYTES);
  readSync(descriptor, tail, 0, TAIL_BYTES, size - TAIL_BYTES);
  const jsonLength = tail.readUInt32LE(0);
  if (!tail.subarray(4).equals(MARK) || jsonLength > size - TAIL_BYTES) return undefined;
  const json = Buffer.alloc(jsonLength);
  readSync(descriptor, json, 0, jsonLength, size - TAIL_BYTES - jsonLength);
  const description = jsonValue(json.toString()) as IndexDescription | undefined;
  if (!description) return undefined;
  const checkedBytes = payloadBytes(description) + idBytes(description);
  if (size !== checkedBytes + jsonLength + TAIL_BYTES) return undefined;
  return checksumOf(descriptor, checkedBytes) === description.crc32 ? description : undefined;
}

function checksum(path: string): number {
  const descriptor = openSync(path, 'r');
  try {
    return checksumOf(descriptor, fstatSync(descriptor).size);
  } finally {
    closeSync(descriptor);
  }
}

function checksumOf(descriptor: number, length: number): number {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  let sum = 0;
  for (let position = 0; position < length;) {
    const count = readSync(descriptor, buffer, 0, Math.min(READ_BYTES, length - position), position);
    if (count === 0) break;
    sum = crc32(buffer.subarray(0, count), sum);
    position += count;
  }
  return sum;
}
