import type { ChunkDraft, Speaker } from '@causantic/domain';
import { foldedLetters } from './folded-letters.js';
import { withoutListedCommits } from './listed-commits.js';
import { inLetterPairs } from './unspaced-text.js';

/** A chunk's text as the full-text index stores it: one text per column of `chunk_fts`, except the scope. */
export interface SearchableText {
  prompt: string;
  said: string;
  /** What the model asked of its tools: commands, paths, changed lines. */
  tools: string;
  /** What tools answered, and what the client injected. */
  results: string;
  /** The words inside compound identifiers (`getUserName` → `get user name`), which the tokenizer cannot see. */
  words: string;
  /** The compound identifiers themselves, without repetition. */
  names: string[];
}

const COLUMN_OF: Record<Speaker, 'prompt' | 'said' | 'tools' | 'results'> = {
  user: 'prompt',
  assistant: 'said',
  tool_use: 'tools',
  tool_result: 'results',
  thinking: 'results',
  system: 'results',
};

/** Distribute a chunk's text over the index columns by who wrote it. */
export function searchableText(chunk: Pick<ChunkDraft, 'text' | 'spans'>): SearchableText {
  const columns = { prompt: '', said: '', tools: '', results: '' };
  for (const span of chunk.spans) {
    const text = chunk.text.slice(span.start, span.end);
    const told = span.speaker === 'tool_result' ? withoutListedCommits(text) : text;
    columns[COLUMN_OF[span.speaker]] += `${inLetterPairs(foldedLetters(told))}\n`;
  }
  const names = [
    ...new Set(chunk.spans.flatMap(({ start, end }) => camelCaseNames(chunk.text.slice(start, end)))),
  ];
  return { ...columns, words: names.flatMap(splitCamelCase).join(' '), names };
}

/** None begins within small letters: a text of nothing else would be looked through from each of them. */
const CAMEL_CASE = /(?<![a-z])[A-Za-z][a-z0-9]*(?:[A-Z]+[a-z0-9]+)+[A-Z]*/g;

/** Names with inner capitals in a text, in order, with repetitions. */
export function camelCaseNames(text: string): string[] {
  return text.match(CAMEL_CASE) ?? [];
}

/** `parseHTTPRequest2` → `parse`, `HTTP`, `Request2`. */
export function splitCamelCase(name: string): string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/g) ?? [name];
}
