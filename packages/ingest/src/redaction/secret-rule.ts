// What rules that find secrets in a text are made of, and what they find.
import { literally } from '@causantic/domain';

/** A secret's place in a text. */
export interface SecretRange {
  kind: string;
  start: number;
  end: number;
}

/** The group of its pattern is the secret where there is one, else the whole match. */
export interface SecretRule {
  kind: string;
  /** What all that it finds has, and most texts have not: it is only tried where that stands. */
  needs?: RegExp;
  pattern: RegExp;
  isSecret?: (secret: string, match: RegExpExecArray) => boolean;
}

/** What tells that a text may hold a secret: words, several of them separated by bars, and patterns. */
export interface SignsOfSecrets {
  words: readonly string[];
  signs: readonly string[];
}

/** The rules of one subject. Where one finds something stands one of its signs, or a word that names a secret. */
export interface RuleFamily extends SignsOfSecrets {
  rules: readonly SecretRule[];
}

/** Between a name, its sign and its value, which may stand in a column of their own. */
export const GAP = '(?:[ \\t]{0,40}|\\s{0,3})';

/** Around a value on keyboards of other languages; what follows a value there without a blank is no part of it. */
export const WIDE_SIGNS =
  '\\s"\'`,;<>(){}\\[\\]\\\\«»“”„\\u0E00-\\u0E7F\\u3000-\\u9FFF\\uAC00-\\uD7AF\\uFF00-\\uFFEF';

/** As it may stand in a text of its own that a command or a record quotes. */
export const QUOTE = '\\\\{0,3}["\'`]';

/** Matches where one of the words, which are separated by bars, or of the patterns stands: the engine looks for all words at once. */
export function anyOf(words: readonly string[], signs: readonly string[], flags = ''): RegExp {
  const literals = new Set(words.flatMap((some) => some.split('|')).map(literally));
  return new RegExp([...literals, ...signs].join('|'), flags);
}

/** Where a secret stands that ends what was matched. */
export function rangeOf(kind: string, match: RegExpExecArray, secret: string): SecretRange {
  const start = match.index + match[0].lastIndexOf(secret);
  return { kind, start, end: start + secret.length };
}
