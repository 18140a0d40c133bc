/**
 * Writes assets/cl100k.tokens from gpt-tokenizer; build the package first. To be run again only when the encoding changes.
 *
 *   node bench/make-token-table.mjs
 */
import { fileURLToPath } from 'node:url';
import ranks from 'gpt-tokenizer/bpeRanks/cl100k_base';
import { writeColumnFile } from '../dist/column-file.js';
import { TOKEN_TABLE_VERSION } from '../dist/token-count.js';

const tokens = ranks.map((token) => Buffer.from(token));
const table = fileURLToPath(new URL('../assets/cl100k.tokens', import.meta.url));
writeColumnFile(table, TOKEN_TABLE_VERSION, {
  bytes: Buffer.concat(tokens),
  lengths: Uint8Array.from(tokens, ({ length }) => length),
});
console.log(`${table}: ${tokens.length} tokens`);
