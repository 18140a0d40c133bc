/** Ignores letter case, and composes accents with their letters, which macOS separates in file names. */
export function asCompared(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** A test whether a text has these words, which may stand on two lines, and further apart. */
export function holding(words: string): (text: string) => boolean {
  // One word stands on one line.
  const inForm = /\s/.test(words) ? onOneLine : asCompared;
  const wanted = inForm(words);
  return (text) => inForm(text).includes(wanted);
}

function onOneLine(text: string): string {
  return asCompared(text).replace(/\s+/g, ' ');
}
