import type { StoredChunk } from '@causantic/storage';
import { formatDate } from './dates.js';

/** How a retrieved chunk was found. */
export type Source = 'vector' | 'keyword' | 'cluster' | 'graph' | 'entity';

/** A chunk in an answer. */
export interface Hit {
  chunk: StoredChunk;
  /** Ranking score, comparable within one answer. */
  score: number;
  /** 0 to 1: how much of the question the chunk answers, as far as can be told. */
  relevance: number;
  sources: Source[];
}

/** Text with a measure of its size. */
export interface Block {
  text: string;
  tokens: number;
}

/**
 * Tokens of short generated text such as a header: an upper bound, so that an answer never exceeds its budget.
 * Headers measured with the cl100k tokenizer have 2.7 to 3.4 characters a token; of other scripts and signs, in the
 * names of projects and agents, no byte is more than a token.
 */
export function headerTokens(text: string): number {
  const ascii = text.match(ASCII)?.length ?? 0;
  return Math.ceil(ascii / 2.5) + Buffer.byteLength(text) - ascii;
}

// eslint-disable-next-line no-control-regex
const ASCII = /[\u0000-\u007f]/g;

/** `[Session: a1b2c3d4 | my-app | Feb 8, 2026 | researcher | keyword+entity | 87%]` */
export function hitHeader(hit: Hit): string {
  const { chunk } = hit;
  const parts = [
    `Session: ${chunk.sessionUuid.slice(0, 8)}`,
    chunk.projectSlug,
    formatDate(chunk.startTimeMs),
    ...(chunk.agentName === null ? [] : [chunk.agentName]),
    hit.sources.join('+'),
    `${Math.round(hit.relevance * 100)}%`,
  ];
  return `[${parts.join(' | ')}]`;
}
