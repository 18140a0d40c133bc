// Cuts texts to a length.
/**
 * Text with its middle left out, when it is longer than both ends together.
 * @param telling lines of the middle that are kept
 */
export function shortenMiddle(text: string, headChars: number, tailChars: number, telling = ''): string {
  // A mark that saves less than this is not worth reading.
  if (text.length <= headChars + tailChars + 80) return text;
  return withMark(headOf(text, headChars), tailOf(text, tailChars), { chars: text.length, telling });
}

/** The ends of a text that was so long, with what tells how much is left out between them, but for these lines. */
export function withMark(
  head: string,
  tail: string,
  { chars, telling }: { chars: number; telling: string },
): string {
  const left = (chars - head.length - tail.length - telling.length).toLocaleString('en-US');
  const kept = telling === '' ? '' : `, but for:\n${telling}`;
  return `${head}\n[… ${left} characters left out${kept} …]\n${tail}`;
}

/** The lines that begin and end between these places. */
export function wholeLines(text: string, from: number, to: number): string {
  const start = text.indexOf('\n', from) + 1;
  return start === 0 ? '' : text.slice(start, Math.max(start, text.lastIndexOf('\n', to)));
}

/** The first characters of a longer text, up to the end of a line where one is near, else of a word; never half a character. */
export function headOf(text: string, chars: number): string {
  const ends = ['\n', ' '].map((mark) => text.lastIndexOf(mark, chars));
  return text.slice(0, ends.find((end) => end > chars * 0.8) ?? betweenCharacters(text, chars));
}

/** Half a line of a list of files names a file that does not exist. */
const LINE_CHARS = 80;

/** The last characters of a longer text, from the beginning of a line where one is near, else of a word. */
export function tailOf(text: string, chars: number): string {
  const at = text.length - chars;
  const near = chars * 0.2;
  const startBehind = (mark: string, within: number): number | undefined => {
    const start = text.indexOf(mark, at) + 1;
    return start > at && start < at + within ? start : undefined;
  };
  const start =
    startBehind('\n', Math.max(near, Math.min(chars * 0.8, LINE_CHARS))) ?? startBehind(' ', near);
  return text.slice(start ?? betweenCharacters(text, at));
}

/** Where the word begins that stands at a place, at most so many characters before it. */
export function startOfWord(text: string, at: number, chars: number): number {
  const blanks = [' ', '\n', '\t'].map((blank) => text.lastIndexOf(blank, at) + 1);
  return Math.max(at - chars, ...blanks);
}

/** `at`, or one more where it would split a surrogate pair. */
export function betweenCharacters(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}

/** The first line of a text, at most `chars` long. */
export function firstLine(text: string, chars: number): string {
  return oneLine(text.trimStart().split('\n', 1)[0] ?? '', chars);
}

/** A text on one line, at most `chars` long. */
export function oneLine(text: string, chars: number): string {
  const line = text
    .slice(0, chars * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= chars ? line : `${line.slice(0, betweenCharacters(line, chars - 1))}…`;
}
