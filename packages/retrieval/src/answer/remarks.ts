// Lines above the passages of an answer, which say what of the question they do not answer.
import { literally } from '@causantic/domain';
import type { WeighedTerm } from '../matching/weighed-terms.js';
import type { TimeSpan } from '../question/time-spans.js';
import { MOST_CHARACTERS } from '../question/times-asked.js';
import { formatDate } from './dates.js';

/** `[nothing from Feb 8, 2026; the latest before that:]` */
export function nothingFrom({ fromMs, beforeMs }: TimeSpan): string {
  const [first, last] = [formatDate(fromMs), formatDate(beforeMs - 1)];
  return `[nothing from ${first === last ? first : `${first} – ${last}`}; the latest before that:]`;
}

const MOST_NAMES = 3;
/** `e.g.`, `and/or`, `step-by-step` and `18th` are no names, `wheel.ts:12` is a place, and `0x1f40` is another in every run. */
const SURELY_A_NAME =
  /^(?=.{4})(?!\d+(?:st|nd|rd|th)$|0x[\da-f]+$|.*:\d)(?:[\p{L}\p{N}\p{M}]+|.*[\d_].*|.*\w\w\.\w+)$/u;

/**
 * `[no passage contains TestStone]`: names in the question that no chunk has, as they are written there. What is found
 * instead is about something else. docs/decisions/0128-names-as-written.md
 */
export function missingNames(terms: readonly WeighedTerm[], query: string): string | undefined {
  if (query.length > MOST_CHARACTERS) return undefined;
  const missing = terms
    .filter(({ isEntity, documentFrequency }) => isEntity && documentFrequency === 0)
    .map(({ phrase }) => phrase)
    .filter((phrase) => SURELY_A_NAME.test(phrase));
  const names = [...new Set(missing)]
    .slice(0, MOST_NAMES)
    .map((phrase) => new RegExp(literally(phrase), 'i').exec(query)?.[0] ?? phrase);
  return names.length === 0 ? undefined : `[no passage contains ${names.join(', ')}]`;
}
