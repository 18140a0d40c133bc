import { assetPath } from '@causantic/domain/assets';
import { readColumnFile } from './column-file.js';
import { SymbolTable, type SymbolTableArrays } from './symbol-table.js';

/**
 * The encoding's tokens by rank, as the arrays of a symbol table. Made from gpt-tokenizer by
 * `bench/make-token-table.mjs`: loading that package takes 0.2 s and 40 MB a thread, this table 2 ms and 2 MB.
 */
export const TOKEN_TABLE_VERSION = 'cl100k_base';

/** What the encoding never merges across. */
function wordsOf(letter: string, digit: string, flags: string): RegExp {
  const endings = `'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE])`;
  const word = `[^\\r\\n${letter}${digit}]?[${letter}]+`;
  const signs = ` ?[^\\s${letter}${digit}]+[\\r\\n]*`;
  const spaces = `\\s+$|\\s*[\\r\\n]|\\s+(?!\\S)|\\s`;
  return new RegExp(`${endings}|${word}|[${digit}]{1,3}|${signs}|${spaces}`, flags);
}

const WORDS = wordsOf('\\p{L}', '\\p{N}', 'gu');
/** The same in the text of most maps: compiled in a tenth of the time, and faster. */
const ASCII_WORDS = wordsOf('A-Za-z', '0-9', 'g');
const ASCII_OR_BAR = /^[\0-\x7f│]*$/;
/** The cost of a word grows with its square; longer ones are no source code and count a token a byte, which is too many. */
const MAX_WORD_BYTES = 300;
const NO_TOKEN = 0x7fffffff;

let tokens: SymbolTable | undefined;

/** @returns the number of cl100k tokens; never too few */
export function countTokens(text: string): number {
  const table = loadTokens();
  const bytes = Buffer.from(text, 'utf8');
  let count = 0;
  let start = 0;
  // The words follow each other without a gap.
  for (const [word] of text.matchAll(ASCII_OR_BAR.test(text) ? ASCII_WORDS : WORDS)) {
    const end = start + Buffer.byteLength(word, 'utf8');
    count += table.find(bytes, start, end) >= 0 ? 1 : tokensOfWord(table, bytes.subarray(start, end));
    start = end;
  }
  return count;
}

/** Done by the first count; sooner where there is time to wait for something else. */
export function loadTokens(): SymbolTable {
  return (tokens ??= readTable());
}

function readTable(): SymbolTable {
  const path = assetPath(import.meta.url, 'repomap', 'cl100k.tokens');
  const columns = readColumnFile(path, TOKEN_TABLE_VERSION);
  if (columns === undefined) throw new Error(`The token table ${path} is missing or damaged.`);
  return new SymbolTable(columns as unknown as SymbolTableArrays);
}

/** Byte pair encoding: as long as two neighbours make a token, the two that make the one of lowest rank are joined. */
function tokensOfWord(table: SymbolTable, word: Uint8Array): number {
  if (word.length > MAX_WORD_BYTES) return word.length;
  const starts = Array.from({ length: word.length + 1 }, (_, i) => i);
  for (;;) {
    const joined = placeToJoin(table, word, starts);
    if (joined < 0) return starts.length - 1;
    starts.splice(joined + 1, 1);
  }
}

/** @returns the number of the left one of two parts, or -1 where no two make a token */
function placeToJoin(table: SymbolTable, word: Uint8Array, starts: readonly number[]): number {
  let lowest = NO_TOKEN;
  let place = -1;
  for (let part = 0; part + 2 < starts.length; part++) {
    const rank = table.find(word, starts[part]!, starts[part + 2]!);
    if (rank < 0 || rank >= lowest) continue;
    lowest = rank;
    place = part;
  }
  return place;
}
