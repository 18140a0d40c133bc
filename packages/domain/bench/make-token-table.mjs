/**
 * Writes assets/cl100k.tokens from gpt-tokenizer; build the package first. To be run again only when the encoding changes.
 *
 *   node bench/make-token-table.mjs
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ranks from 'gpt-tokenizer/bpeRanks/cl100k_base';
import { SymbolTable } from '../dist/symbol-table.js';
import { readTokens } from '../dist/tokens/token-table.js';

const path = fileURLToPath(new URL('../assets/cl100k.tokens', import.meta.url));
const table = new SymbolTable();
ranks.forEach((token, rank) => {
  const bytes = Buffer.from(token);
  if (table.internBytes(bytes, 0, bytes.length) !== rank) throw new Error(`token ${rank} occurs twice`);
});
const { ends, slots, bytes } = table.arrays();
const header = Uint32Array.of(ends.length, slots.length, bytes.length);
const parts = [header, ends, slots, bytes];
writeFileSync(
  path,
  Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength))),
);
console.log(`${path}: ${readTokens(path).size} tokens`);
