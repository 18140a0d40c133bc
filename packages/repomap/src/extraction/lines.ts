export function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** Spaces in the place of a text: what surrounds it stays where it is. */
export function blanked(text: string): string {
  return text.replace(/[^\r\n]+/g, (line) => ' '.repeat(line.length));
}

/** @returns a function that tells the lines, from 1, of ascending places */
export function lineCounter(text: string): (place: number) => number {
  let line = 1;
  let end = endOfLine(text, 0);
  return (place) => {
    while (end < place) {
      line++;
      end = endOfLine(text, end + 1);
    }
    return line;
  };
}
