/** Ignores letter case, and composes accents with their letters, which macOS separates in file names. */
export function asCompared(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Whether a text has these words next to each other, with any white space between them. */
export function holding(words: string): (text: string) => boolean {
  const trimmed = words.trim();
  // One word stands on one line.
  const inForm = /\s/.test(trimmed) ? onOneLine : asCompared;
  const wanted = inForm(trimmed);
  return (text) => inForm(text).includes(wanted);
}

function onOneLine(text: string): string {
  return asCompared(text).replace(/\s+/g, ' ');
}
