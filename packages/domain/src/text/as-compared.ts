/** Ignores letter case, and composes accents with their letters, which macOS separates in file names. */
export function asCompared(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Signs that show nothing, such as the soft hyphens of web pages. */
const INVISIBLE = /[\u00AD\u200B-\u200D\u2060\uFEFF]/g;

/**
 * Whether a text has these words next to each other, with any white space between them. Models write `O’Brien` of whom
 * people type as `O'Brien`.
 */
export function holding(words: string): (text: string) => boolean {
  const trimmed = words.trim();
  // One word stands on one line.
  const inForm = /\s/.test(trimmed) ? onOneLine : asSeen;
  const wanted = inForm(trimmed);
  // Every text would hold signs that show nothing.
  return (text) => wanted !== '' && inForm(text).includes(wanted);
}

function asSeen(text: string): string {
  return asCompared(text).replace(INVISIBLE, '').replaceAll('’', "'");
}

function onOneLine(text: string): string {
  return asSeen(text).replace(/\s+/g, ' ');
}
