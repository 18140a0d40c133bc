// Cuts a text that is too long for one chunk.
import { estimateTokens } from './estimate-tokens.js';
import { fenceBehind } from '../text/fences.js';
import { betweenCharacters } from '../text/shorten.js';

/** Sizes of chunks in tokens. */
export interface ChunkSizes {
  /** The size that chunks are filled up to. */
  target: number;
  /** Units (a paragraph, a call with its result) stay whole up to this size. */
  whole: number;
  /** No chunk is larger, wherever it must be cut. */
  limit: number;
}

/** The finer levels at which a text can be cut, in order. A fence is kept whole as long as the limit allows. */
type Level = 'block' | 'line' | 'sentence' | 'word' | 'character';
const FINER: Record<Level, Level> = {
  block: 'line',
  line: 'sentence',
  sentence: 'word',
  word: 'character',
  character: 'character',
};

/** Up to where a sentence ends, or a part of one; some scripts have no blank behind it. */
const SENTENCE = /[\s\S]*?(?:[.!?;,؟؛،।]\s+|[。！？；，、]+["'”’」』）]*)|[\s\S]+$/g;

/**
 * Splits a text into parts of about the target size, at the coarsest boundary possible: between paragraphs and code
 * fences, then lines, sentences, words, characters. The joined parts equal the text except for white space at the cuts.
 */
export function splitText(text: string, sizes: ChunkSizes): string[] {
  if (estimateTokens(text) <= sizes.whole) return [text];
  return pack(text, 'block', sizes)
    .map((part) => part.replace(/^(?:[ \t]*\n)+|\s+$/g, ''))
    .filter((part) => part !== '');
}

/** Greedy: fill a part up to the target with pieces of one level; a piece too large for itself is cut finer. */
function pack(text: string, level: Level, sizes: ChunkSizes): string[] {
  const parts: string[] = [];
  let open = '';
  let openTokens = 0;
  const close = (): void => {
    if (open !== '') parts.push(open);
    open = '';
    openTokens = 0;
  };
  for (const piece of piecesOf(text, level, sizes)) {
    const tokens = estimateTokens(piece);
    if (openTokens + tokens > sizes.target) close();
    if (tokens > maxWhole(piece, level, sizes)) {
      close();
      for (const part of pack(piece, FINER[level], sizes)) parts.push(part);
      continue;
    }
    open += piece;
    openTokens += tokens;
  }
  close();
  return parts;
}

function maxWhole(piece: string, level: Level, sizes: ChunkSizes): number {
  if (level === 'block' && fenceBehind(piece, null) !== null) return sizes.limit;
  return level === 'character' ? Infinity : sizes.whole;
}

function piecesOf(text: string, level: Level, sizes: ChunkSizes): string[] {
  switch (level) {
    case 'block':
      return blocksOf(text);
    case 'line':
      return linesOf(text);
    case 'sentence':
      return text.match(SENTENCE) ?? [];
    case 'word':
      return text.match(/\S*\s+|\S+$/g) ?? [];
    case 'character':
      return slices(text, sizes.target);
  }
}

/** Each with its end. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Paragraphs with the blank lines behind them, and code fences from opening to closing line. */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let block = '';
  let fence: string | null = null;
  let isBlank = false;
  const close = (): void => {
    if (block !== '') blocks.push(block);
    block = '';
  };
  for (const line of linesOf(text)) {
    const before = fence;
    fence = fenceBehind(line, before);
    const isText = before === null && fence === null;
    if ((before === null && fence !== null) || (isText && isBlank && line.trim() !== '')) close();
    block += line;
    isBlank = line.trim() === '';
    if (before !== null && fence === null) close();
  }
  close();
  return blocks;
}

/** An endless run of characters, cut hard. */
function slices(text: string, tokens: number): string[] {
  const step = Math.max(1, Math.floor(text.length / Math.ceil(estimateTokens(text) / tokens)));
  const result: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = Math.min(text.length, betweenCharacters(text, start + step));
    result.push(text.slice(start, end));
    start = end;
  }
  return result;
}
