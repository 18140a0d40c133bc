/** The text on one line, cut at a word boundary if it is longer than the given number of characters. */
export function oneLine(text: string, maxChars: number): string {
  return cut(text.replace(/\s+/g, ' ').trim(), maxChars);
}

/** The text with its lines; if it is too long, its beginning and its last quarter, each cut at a word boundary. */
export function excerpt(text: string, maxChars: number): string {
  // A pattern for blanks at the ends of lines takes the square of the time for a long run of them.
  const lines = text.split('\n').map((line) => line.trimEnd());
  const plain = lines.filter(Boolean).join('\n').trim();
  if (plain.length <= maxChars) return plain;
  const tail = Math.floor(maxChars / 4);
  return `${cut(plain, maxChars - tail)}\n… ${fromWord(plain.slice(-tail))}`;
}

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = text.slice(0, maxChars - 1);
  const space = head.lastIndexOf(' ');
  return `${wellFormed(space > maxChars / 2 ? head.slice(0, space) : head)}…`;
}

function fromWord(text: string): string {
  const space = text.search(/\s/);
  return wellFormed(space >= 0 && space < text.length / 2 ? text.slice(space + 1) : text);
}

/** Drops half of a surrogate pair that was cut in two. */
export function wellFormed(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}
