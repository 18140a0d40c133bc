import { wholeWords } from './patterns.js';
import type { TimeSpan } from './time-spans.js';

/** What the named groups of a pattern matched. */
export type NamedParts = Record<string, string | undefined>;

/** A way to name a time. */
export interface Form {
  pattern: RegExp;
  /** As it may be meant, the likeliest first. */
  spans: (parts: NamedParts, now: Date) => TimeSpan[];
}

export const YEAR = '(?<year>(?:19|20)\\d\\d)';

export function form(pattern: string, spans: Form['spans']): Form {
  return { pattern: wholeWords(pattern), spans };
}
