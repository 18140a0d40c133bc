import { fileURLToPath } from 'node:url';
import ranks from 'gpt-tokenizer/bpeRanks/cl100k_base';
import { countTokens as countWithTokenizer } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it } from 'vitest';
import { readColumnFile } from '../src/column-file.js';
import { SymbolTable, type SymbolTableArrays } from '../src/symbol-table.js';
import { TOKEN_TABLE_VERSION, countTokens } from '../src/token-count.js';
import { seeded } from './seeded.js';

const PIECES = [
  ..."abcXYZ019_$#@/.│()'-+ \n\t",
  ...['get', 'Repository', 'résumé', '数据', 'Ω', '😀', '\u0301', "'ll", "'RE", '  ', '\r\n', '<=>', '１２'],
];
const ASCII_AND_BAR = PIECES.filter((piece) => /^[\0-\x7f│]*$/.test(piece));

describe('tokens', () => {
  it('are those of the encoding, by rank', () => {
    const path = fileURLToPath(new URL('../assets/cl100k.tokens', import.meta.url));
    const table = new SymbolTable(readColumnFile(path, TOKEN_TABLE_VERSION) as unknown as SymbolTableArrays);
    expect(table.size).toBe(ranks.length);
    const wrong = ranks.findIndex((token, rank) => {
      const bytes = Buffer.from(token as string);
      return table.find(bytes, 0, bytes.length) !== rank;
    });
    expect(wrong).toBe(-1);
  });

  it('are counted as the tokenizer counts them', () => {
    const random = seeded(7);
    for (let i = 0; i < 6000; i++) {
      const pieces = i % 3 === 0 ? ASCII_AND_BAR : PIECES;
      const text = Array.from({ length: random(30) }, () => pieces[random(pieces.length)]).join('');
      expect(countTokens(text), JSON.stringify(text)).toBe(countWithTokenizer(text));
    }
  });

  it('are never counted too few in words of any length', () => {
    for (const word of ['a'.repeat(5000), 'xY'.repeat(400), '数'.repeat(300)])
      expect(countTokens(word)).toBeGreaterThanOrEqual(countWithTokenizer(word));
  });
});
