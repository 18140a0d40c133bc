import { readFileSync } from 'node:fs';

/** Numbers of the file before its arrays. */
const HEADER = 3;

/**
 * The tokens of an encoding by rank, with slots to find them by their bytes: typed arrays in one file, read in one go and used
 * without decoding. Little-endian, as all machines are that the native packages have builds for.
 */
export class TokenTable {
  private constructor(
    /** The tokens' bytes, one after the other. */
    private readonly bytes: Uint8Array,
    /** Where each token ends in `bytes`. */
    private readonly ends: Uint32Array,
    /** Open addressing by hash; a slot holds a token's rank + 1, or 0. Its length is a power of two. */
    private readonly slots: Uint32Array,
  ) {}

  /** @throws Error when the file is not there or not as `file` made it */
  static read(path: string): TokenTable {
    const file = readFileSync(path);
    const { byteLength } = file;
    const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + byteLength);
    const [tokens = 0, slots = 0, bytes = 0] = new Uint32Array(buffer, 0, HEADER);
    const slotsStart = 4 * (HEADER + tokens);
    const bytesStart = slotsStart + 4 * slots;
    if (byteLength !== bytesStart + bytes) throw new Error(`The table of tokens ${path} is damaged.`);
    return new TokenTable(
      new Uint8Array(buffer, bytesStart),
      new Uint32Array(buffer, 4 * HEADER, tokens),
      new Uint32Array(buffer, slotsStart, slots),
    );
  }

  /** What a table of these tokens, in the order of their ranks, looks like as a file. */
  static file(tokens: readonly Uint8Array[]): Uint8Array {
    const bytes = Buffer.concat(tokens);
    let end = 0;
    const ends = Uint32Array.from(tokens, ({ length }) => (end += length));
    const slots = new Uint32Array(2 ** Math.ceil(Math.log2(tokens.length * 2)));
    const table = new TokenTable(bytes, ends, slots);
    tokens.forEach((token, rank) => (slots[table.slotOf(token, 0, token.length)] = rank + 1));
    const header = Uint32Array.of(ends.length, slots.length, bytes.length);
    return Buffer.concat([header, ends, slots].map(({ buffer }) => Buffer.from(buffer)).concat(bytes));
  }

  get size(): number {
    return this.ends.length;
  }

  /** @returns the rank of the token that lies there in `source`, or -1 */
  rank(source: Uint8Array, start: number, end: number): number {
    return this.slots[this.slotOf(source, start, end)]! - 1;
  }

  /** The slot that holds the token, or the free one where it belongs. */
  private slotOf(source: Uint8Array, start: number, end: number): number {
    const mask = this.slots.length - 1;
    let slot = hashOf(source, start, end) & mask;
    for (let entry = this.slots[slot]!; entry !== 0 && !this.holds(entry - 1, source, start, end);) {
      slot = (slot + 1) & mask;
      entry = this.slots[slot]!;
    }
    return slot;
  }

  private holds(rank: number, source: Uint8Array, start: number, end: number): boolean {
    const own = rank === 0 ? 0 : this.ends[rank - 1]!;
    if (this.ends[rank]! - own !== end - start) return false;
    for (let i = start, j = own; i < end; i++, j++) if (source[i] !== this.bytes[j]) return false;
    return true;
  }
}

/** FNV-1a, with a final mix because the low bits choose the slot. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
