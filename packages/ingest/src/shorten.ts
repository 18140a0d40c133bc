/** Text with its middle left out, when it is longer than both ends together; cut at line ends where one is near. */
export function shortenMiddle(text: string, headChars: number, tailChars: number): string {
  // A mark that saves less than this is not worth reading.
  if (text.length <= headChars + tailChars + 80) return text;
  const headEnd = lineEndNear(text, headChars);
  const tailStart = lineStartNear(text, text.length - tailChars);
  const left = tailStart - headEnd;
  return `${text.slice(0, headEnd)}\n[… ${left.toLocaleString('en-US')} characters left out …]\n${text.slice(tailStart)}`;
}

/** The last line break in the last fifth before `at`, else `at` itself, never inside a surrogate pair. */
function lineEndNear(text: string, at: number): number {
  const end = text.lastIndexOf('\n', at);
  return end > at * 0.8 ? end : betweenCharacters(text, at);
}

function lineStartNear(text: string, at: number): number {
  const start = text.indexOf('\n', at) + 1;
  return start > 0 && start < at + (text.length - at) * 0.2 ? start : betweenCharacters(text, at);
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
