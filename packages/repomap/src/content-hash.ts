import { crc32 } from 'node:zlib';

/** A checksum and a hash of 32 bits each: they tell changed content, where lengths are equal. */
export type ContentHash = readonly [number, number];

/** Not by `node:crypto`, which takes a worker ten milliseconds to load; nothing depends on the hash being secret. */
export function contentHash(bytes: Uint8Array): ContentHash {
  return [crc32(bytes), wordHash(bytes)];
}

/** FNV-1a, four bytes at a time; what is left over at the end is in the checksum. */
function wordHash(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i + 4 <= bytes.length; i += 4) {
    const word = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    hash = Math.imul(hash ^ word, 0x01000193);
  }
  return hash >>> 0;
}
