/**
 * Writes assets/cl100k.tokens from gpt-tokenizer; build the package first. To be run again only when the encoding changes.
 *
 *   node bench/make-token-table.mjs
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ranks from 'gpt-tokenizer/bpeRanks/cl100k_base';
import { TokenTable } from '../dist/token-table.js';

const path = fileURLToPath(new URL('../assets/cl100k.tokens', import.meta.url));
writeFileSync(path, TokenTable.file(ranks.map((token) => Buffer.from(token))));
console.log(`${path}: ${TokenTable.read(path).size} tokens`);
