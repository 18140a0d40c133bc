import { readFileSync } from 'node:fs';
import { SymbolTable } from '../symbol-table.js';

/** Numbers of the file before its arrays. */
const HEADER = 3;

/**
 * The tokens of an encoding, numbered by rank: the arrays of a symbol table in one file, read in one go and used without
 * decoding. Little-endian, like all machines for which the native packages have builds.
 *
 * @throws Error if the file is missing or not what `bench/make-token-table.mjs` writes
 */
export function readTokens(path: string): SymbolTable {
  const file = readFileSync(path);
  const { byteLength } = file;
  const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + byteLength);
  const [tokens = 0, slots = 0, bytes = 0] = new Uint32Array(buffer, 0, HEADER);
  const slotsStart = 4 * (HEADER + tokens);
  const bytesStart = slotsStart + 4 * slots;
  if (byteLength !== bytesStart + bytes) throw new Error(`The token table ${path} is damaged.`);
  return new SymbolTable({
    bytes: new Uint8Array(buffer, bytesStart),
    ends: new Uint32Array(buffer, 4 * HEADER, tokens),
    slots: new Uint32Array(buffer, slotsStart, slots),
  });
}
