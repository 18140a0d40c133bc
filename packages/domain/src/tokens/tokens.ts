import { assetPath } from '../files/assets.js';
import type { SymbolTable } from '../symbol-table.js';
import { readTokens } from './token-table.js';
import { wordEnd } from './token-words.js';

/**
 * The encoding treats a run of one kind of characters as one word, and the cost of a word grows with the square of its
 * length, so longer words are counted in pieces. Real words are far shorter.
 */
const MAX_WORD_CHARS = 250;
const MAX_BYTES_PER_CHAR = 3;

/**
 * The encoding counts word by word, and words repeat. Counts are cached by a 64-bit hash, in a table with room for a
 * hundred thousand, and no string is made for a known word.
 */
const SLOTS = 1 << 18;
const MAX_REMEMBERED_WORDS = 100_000;
const lowHashes = new Int32Array(SLOTS);
const highHashes = new Int32Array(SLOTS);
/** 0 marks a free slot: no word has no token. */
const counts = new Uint16Array(SLOTS);
let remembered = 0;

let table: SymbolTable | undefined;
const encoder = new TextEncoder();
const wordBytes = new Uint8Array(MAX_WORD_CHARS * MAX_BYTES_PER_CHAR);

/** The number of tokens of a text in the cl100k encoding; exact except for words of more than 250 characters. */
export function countTokens(text: string): number {
  let count = 0;
  for (let start = 0; start < text.length;) {
    const end = wordEnd(text, start);
    count +=
      end - start > MAX_WORD_CHARS ? countLongWord(text.slice(start, end)) : countWord(text, start, end);
    start = end;
  }
  return count;
}

/** Loads the encoding's tokens. The first count does this; call it earlier while waiting for something else anyway. */
export function loadTokens(): SymbolTable {
  return (table ??= readTokens(assetPath(import.meta.url, 'domain', 'cl100k.tokens')));
}

function countWord(text: string, start: number, end: number): number {
  let low = 0x811c9dc5;
  let high = end - start;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    // FNV-1a, and the 31-multiplier hash with another seed beside it.
    low = Math.imul(low ^ code, 0x01000193);
    high = (Math.imul(high, 31) + code) | 0;
  }
  let slot = (low ^ (low >>> 15)) & (SLOTS - 1);
  while (counts[slot] !== 0) {
    if (lowHashes[slot] === low && highHashes[slot] === high) return counts[slot]!;
    slot = (slot + 1) & (SLOTS - 1);
  }
  const count = countEncoded(text.slice(start, end));
  remember(slot, low, high, count);
  return count;
}

function remember(slot: number, low: number, high: number, count: number): void {
  if (remembered >= MAX_REMEMBERED_WORDS) {
    counts.fill(0);
    remembered = 0;
  }
  lowHashes[slot] = low;
  highHashes[slot] = high;
  counts[slot] = count;
  remembered++;
}

function countLongWord(word: string): number {
  let count = 0;
  for (let at = 0; at < word.length; at += MAX_WORD_CHARS) {
    count += countEncoded(word.slice(at, at + MAX_WORD_CHARS));
  }
  return count;
}

/**
 * Byte pair encoding of one word: while two neighbouring parts together are a token, join the two that form the token of
 * lowest rank.
 */
function countEncoded(word: string): number {
  const tokens = loadTokens();
  const { written: length } = encoder.encodeInto(word, wordBytes);
  if (tokens.find(wordBytes, 0, length) >= 0) return 1;
  /** Where each part begins, followed by the end of the last one. */
  const starts = Array.from({ length: length + 1 }, (_, at) => at);
  /** Rank of the token that a part and the next one form, or -1. */
  const rankAt = (part: number): number =>
    part + 2 < starts.length ? tokens.find(wordBytes, starts[part]!, starts[part + 2]!) : -1;
  const ranks = starts.map((_, part) => rankAt(part));
  for (let part = lowest(ranks); part >= 0; part = lowest(ranks)) {
    starts.splice(part + 1, 1);
    ranks.splice(part + 1, 1);
    ranks[part] = rankAt(part);
    if (part > 0) ranks[part - 1] = rankAt(part - 1);
  }
  return starts.length - 1;
}

/** @returns the position of the lowest rank, the first of equal ones; -1 if there is none */
function lowest(ranks: readonly number[]): number {
  let place = -1;
  for (let part = 0; part < ranks.length; part++) {
    if (ranks[part]! >= 0 && (place < 0 || ranks[part]! < ranks[place]!)) place = part;
  }
  return place;
}
