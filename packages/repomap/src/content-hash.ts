/** Two hashes of 32 bits: they tell changed content, where lengths are equal. */
export type ContentHash = readonly [number, number];

/** FNV-1a with two primes. Not by `node:crypto`, which wants bytes; nothing depends on the hash being secret. */
export function contentHash(content: string): ContentHash {
  let first = 0x811c9dc5;
  let second = 0x050c5d1f;
  for (let i = 0; i < content.length; i++) {
    const code = content.charCodeAt(i);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x9e3779b1);
  }
  return [first >>> 0, second >>> 0];
}
