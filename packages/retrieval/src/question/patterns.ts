/**
 * What separates words, but not `_`, `/`, `.` and `-`. By ranges: a pattern with `\p{L}` in it takes half a millisecond
 * to make, one with these a fiftieth of it. Not U+212A, which is a `k` where case is ignored.
 */
const SEPARATORS =
  '\\s!-,:-@\\[-^`{-¿\\u2000-\\u20ff\\u2190-\\u2bff،؛؟।\\u3000-\\u3011！-／：-？\\u{10000}-\\u{10ffff}';
export const BEFORE_WORD = `(?<=^|[${SEPARATORS}])`;
const AFTER_WORD = `(?=$|[.${SEPARATORS}])`;
/** Also of another script, with their marks. */
export const LETTER = `[^${SEPARATORS}_/.-]`;

/**
 * Not within names: the `-` in `our-last-chat`, the date in `2026-01-06-cf564e14`. For `\p{L}`, {@link LETTER} is taken.
 *
 * @param flags without `i`, which doubles the time that it takes to make one, for a text in lower case
 */
export function wholeWords(pattern: string, flags = 'giu'): RegExp {
  return new RegExp(`${BEFORE_WORD}(?:${pattern.replaceAll('\\p{L}', LETTER)})${AFTER_WORD}`, flags);
}

/** A pattern that also matches where accents are missing. */
export function accentsLeftOut(pattern: string): string {
  return pattern.replace(
    /[\u00C0-\u0130\u0132-\u024F]/g,
    (letter) => `[${letter}${letter.normalize('NFD')[0]!}]`,
  );
}

export const QUOTE = '["\'`“”‘’«»]';

/** A name as it is, or in quotes. */
export function perhapsQuoted(name: string): string {
  return `(?:${QUOTE}${name}${QUOTE}|${name})`;
}

/** What stands around a name, without the quotes that it is in. */
export function withoutQuotes(before: string, behind: string): [before: string, behind: string] {
  const isQuoted = new RegExp(`${QUOTE}$`).test(before) && new RegExp(`^${QUOTE}`).test(behind);
  return isQuoted ? [before.slice(0, -1), behind.slice(1)] : [before, behind];
}

/** Up to the name: `branch main`, `branch: main`, `a branch called main`. */
export function beforeName(kind: string): string {
  return `${kind}(?:\\s+(?:called|named))?(?::\\s*|\\s+)`;
}
