import { inLetterPairs, type TextLanguage, textLanguage } from '@causantic/storage';

/** Dotted, dashed, slashed or underscored compounds: paths, snake_case, kebab-case, versions, ticket numbers. */
export const COMPOUND = /[-\p{L}\p{N}\p{M}$@~._/\\:#]+/gu;
/** Vowel signs and accents belong to the letter before them, as in Hindi and in macOS file names. */
export const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** Function words: in Japanese they are written in hiragana, and Chinese has characters used for nothing else. */
const PARTICLES = /^\p{Script=Hiragana}+$|[をのはがもへ么们吗呢麼們嗎]/u;

/** @param query composed letters (NFC) */
export function languageOf(query: string): TextLanguage {
  const text = inLetterPairs(query);
  const words = [...(text.match(WORD) ?? []), ...(text.match(COMPOUND) ?? [])];
  const { isStopWord, ...language } = textLanguage(words.map((word) => word.toLowerCase()));
  return { ...language, isStopWord: (word) => isStopWord(word) || PARTICLES.test(word) };
}

/** In small letters. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}
