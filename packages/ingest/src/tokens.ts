import { countTokens as countEncoded } from 'gpt-tokenizer/encoding/cl100k_base';
import { wordEnd } from './token-words.js';

/** Text that looks like a special token is ordinary text here. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/**
 * A run of one kind of characters is one word to the tokenizer, whose cost grows with its square (20,000 × "a":
 * 0.6 s), so that longer ones are counted in pieces. Real words are far shorter.
 */
const MAX_WORD_CHARS = 250;

/**
 * The encoding counts word by word, and words repeat: their counts are remembered by a 64-bit hash, in a table with
 * room for a hundred thousand, and no string is made for a word that is known.
 */
const SLOTS = 1 << 18;
const MAX_REMEMBERED_WORDS = 100_000;
const lowHashes = new Int32Array(SLOTS);
const highHashes = new Int32Array(SLOTS);
/** 0 marks a free slot: no word has no token. */
const counts = new Uint16Array(SLOTS);
let remembered = 0;

/** Number of tokens of a text in the cl100k encoding; exact but for words of over 250 characters. */
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
  const count = countEncoded(text.slice(start, end), AS_TEXT);
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
    count += countEncoded(word.slice(at, at + MAX_WORD_CHARS), AS_TEXT);
  }
  return count;
}

/** Measured on the development transcripts: 3.4 characters a token in code and output, 4.4 in prose. */
const ASCII_CHARS_PER_TOKEN = 3.6;

/** A cheap guess at `countTokens`, for deciding where to cut; what is stored is counted. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) wide++;
  return (text.length - wide) / ASCII_CHARS_PER_TOKEN + wide;
}
