import { literally } from './literally.js';

/** Ignores letter case, and composes accents with their letters, which macOS separates in file names. */
export function asCompared(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** A test whether a text has these words, which may stand on two lines, and further apart. */
export function holding(words: string): (text: string) => boolean {
  const pattern = new RegExp(asCompared(words).split(/\s+/).map(literally).join('\\s+'));
  return (text) => pattern.test(asCompared(text));
}
