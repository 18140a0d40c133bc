import { OF_UNSPACED_SCRIPTS } from './unspaced-text.js';

/** Letters that do not decompose into a plain one and a mark, as who has no key for them types them. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ı: 'i', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ø: 'o', Ø: 'O', ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th' },
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'Ae', œ: 'oe', Œ: 'Oe', ʼ: "'", ـ: '' },
};
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g');

/** Letters and marks beyond ASCII, full-width forms; scripts that are searched by pairs of letters are left alone. */
const RUN = new RegExp(`(?:(?![\\0-\\x7F${OF_UNSPACED_SCRIPTS}])[\\p{L}\\p{M}\\uFF01-\\uFF5E])+`, 'gu');

/** The tokenizer itself leaves out the marks of Latin letters; those of signs (emoji) belong to no word. */
const ALIKE_IN_INDEX = `\\0-\\x7F\\u0300-\\u036F\\u20D0-\\u20FF\\uFE00-\\uFE0F${OF_UNSPACED_SCRIPTS}`;
const FULL_WIDTH = '\\uFB00-\\uFB06\\uFF10-\\uFF19\\uFF21-\\uFF3A\\uFF41-\\uFF5A';
const UNKNOWN = new RegExp(
  `${NOT_PLAIN.source}|[${FULL_WIDTH}]|(?![${ALIKE_IN_INDEX}]|\\p{Script=Latin})[\\p{L}\\p{M}]`,
  'u',
);

/** Whether `foldedLetters` makes other words of a text than the index's tokenizer would. */
export function hasLettersToFold(text: string): boolean {
  return UNKNOWN.test(text);
}

/**
 * The text with its letters as plain as people type them: `błąd` → `blad`, `ёлка` → `елка`, `مُعرِّف` → `معرف`, `ＡＢＣ` →
 * `ABC`. For the index and for questions alike. Without it the tokenizer parts words at vowel signs and points.
 */
export function foldedLetters(text: string): string {
  if (!/[^\0-\x7F]/.test(text)) return text;
  return text.replace(RUN, (run) =>
    run
      .replace(NOT_PLAIN, (letter) => PLAIN[letter]!)
      .normalize('NFKD')
      .replace(/\p{M}/gu, ''),
  );
}
