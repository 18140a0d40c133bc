import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { jsonValue } from '@causantic/domain';
import { replaceFile } from './replace-file.js';

const COLUMN_TYPES = { Uint8Array, Uint16Array, Uint32Array, Float64Array };
export type ColumnArray = Uint8Array | Uint16Array | Uint32Array | Float64Array;
type ColumnType = keyof typeof COLUMN_TYPES;

interface Header {
  version: string;
  crc: number;
  columns: { name: string; type: ColumnType; offset: number; length: number }[];
}

const MAGIC = 0x314d5243; // "CRM1" in little-endian order.
const ALIGNMENT = 8;

/**
 * Named typed arrays in one file: magic, header length, JSON header, then the arrays' own bytes, so that
 * reading it is one read and no decoding. A file half written at a power cut fails its checksum and is rebuilt.
 */
export function writeColumnFile(path: string, version: string, columns: Record<string, ColumnArray>): void {
  const { header, parts } = laidOut(version, columns);
  const prefix = new Uint32Array([MAGIC, header.length]);
  replaceFile(path, [Buffer.from(prefix.buffer), header, ...parts]);
}

/** @returns undefined if the file is missing, damaged or of another version, and so must be rebuilt */
export function readColumnFile(path: string, version: string): Record<string, ColumnArray> | undefined {
  const bytes = readWhole(path);
  if (bytes === undefined || bytes.length < 8 || bytes.readUInt32LE(0) !== MAGIC) return undefined;
  const bodyStart = 8 + bytes.readUInt32LE(4);
  if (bodyStart > bytes.length) return undefined;
  const header = jsonValue(bytes.toString('utf8', 8, bodyStart)) as Header | undefined;
  if (header?.version !== version) return undefined;
  const body = bytes.subarray(bodyStart);
  if (crc32(body) !== header.crc) return undefined;
  const columns: Record<string, ColumnArray> = {};
  for (const { name, type, offset, length } of header.columns) {
    const Type = COLUMN_TYPES[type];
    columns[name] = new Type(bytes.buffer as ArrayBuffer, bytes.byteOffset + bodyStart + offset, length);
  }
  return columns;
}

function laidOut(version: string, columns: Record<string, ColumnArray>): { header: Buffer; parts: Buffer[] } {
  const parts: Buffer[] = [];
  const placed: Header['columns'] = [];
  let offset = 0;
  let crc = 0;
  const append = (part: Buffer) => {
    // Of nothing at no address it begins again.
    if (part.length === 0) return;
    parts.push(part);
    crc = crc32(part, crc);
    offset += part.length;
  };
  for (const [name, array] of Object.entries(columns)) {
    placed.push({ name, type: typeOf(array), offset, length: array.length });
    append(Buffer.from(array.buffer, array.byteOffset, array.byteLength));
    append(Buffer.alloc(padding(offset)));
  }
  const text = JSON.stringify({ version, crc, columns: placed } satisfies Header);
  return { header: Buffer.from(text + ' '.repeat(padding(Buffer.byteLength(text)))), parts };
}

/** A Buffer is a Uint8Array by another name. */
function typeOf(array: ColumnArray): ColumnType {
  return array instanceof Uint8Array ? 'Uint8Array' : (array.constructor.name as ColumnType);
}

function padding(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;
}

/** In memory of its own, so that the arrays in it are aligned: a small file is read into a part of a larger buffer. */
function readWhole(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    return bytes.byteOffset === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
