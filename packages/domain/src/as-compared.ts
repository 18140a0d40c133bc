/** Ignores letter case, and composes accents with their letters, which macOS separates in file names. */
export function asCompared(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
