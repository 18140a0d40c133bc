/**
 * Writes assets/cl100k.tokens from gpt-tokenizer; build the package first. To be run again only when the encoding changes.
 *
 *   node bench/make-token-table.mjs
 */
import { fileURLToPath } from 'node:url';
import ranks from 'gpt-tokenizer/bpeRanks/cl100k_base';
import { writeColumnFile } from '../dist/column-file.js';
import { SymbolTable } from '../dist/symbol-table.js';
import { TOKEN_TABLE_VERSION } from '../dist/token-count.js';

const table = new SymbolTable();
ranks.forEach((token, rank) => {
  const bytes = Buffer.from(token);
  if (table.internBytes(bytes, 0, bytes.length) !== rank) throw new Error(`token ${rank} occurs twice`);
});
const path = fileURLToPath(new URL('../assets/cl100k.tokens', import.meta.url));
writeColumnFile(path, TOKEN_TABLE_VERSION, { ...table.arrays() });
console.log(`${path}: ${table.size} tokens`);
