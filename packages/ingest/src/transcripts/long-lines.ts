/** Longer strings in a JSON line are shortened as bytes, before they are parsed into memory. */
const LONG_STRING_BYTES = 256 * 1024;
const KEPT_AT_EACH_END_BYTES = 64 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Names of the fields that hold what people and models say. Their text is kept whole, unless the record is a
 * tool's result.
 */
const SAID = new Set(['text', 'content', 'thinking', 'prompt', 'message']);

/**
 * Shortens a long JSON line: the middle of huge strings (file contents, base64 images, tool output) is left out, and the
 * result is valid JSON. Words of a person or a model stay whole. One pass over the bytes.
 */
export function shortenLongStrings(line: Buffer): Buffer {
  const isToolResult = line.includes('"tool_use_id"') || line.includes('"toolUseResult"');
  const parts: Buffer[] = [];
  let copiedTo = 0;
  let name = '';
  for (let open = line.indexOf(QUOTE); open !== -1;) {
    const close = closingQuote(line, open + 1);
    if (close === -1) break;
    const length = close - open - 1;
    if (length > LONG_STRING_BYTES && (isToolResult || !SAID.has(name))) {
      const cutFrom = characterBoundary(line, open + 1 + KEPT_AT_EACH_END_BYTES);
      const cutTo = characterBoundary(line, close - KEPT_AT_EACH_END_BYTES);
      parts.push(line.subarray(copiedTo, cutFrom), Buffer.from(` [… ${cutTo - cutFrom} bytes left out …] `));
      copiedTo = cutTo;
    } else if (length < 40) {
      name = line.toString('latin1', open + 1, close);
    }
    open = line.indexOf(QUOTE, close + 1);
  }
  return parts.length === 0 ? line : Buffer.concat([...parts, line.subarray(copiedTo)]);
}

function closingQuote(line: Buffer, from: number): number {
  let at = line.indexOf(QUOTE, from);
  while (at !== -1 && isEscaped(line, at)) at = line.indexOf(QUOTE, at + 1);
  return at;
}

function isEscaped(line: Buffer, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

/** The next place at or after `at` that splits neither a UTF-8 sequence nor a JSON escape. */
function characterBoundary(line: Buffer, at: number): number {
  let place = at;
  while ((line[place]! & 0xc0) === 0x80) place++;
  // An escape is at most \uXXXX, a surrogate pair two of them: step out of any that covers this place.
  for (let back = 1; back <= 11; back++) {
    const start = place - back;
    if (line[start] === BACKSLASH && !isEscaped(line, start)) {
      const end = start + escapeBytes(line.toString('latin1', start, start + 4));
      if (end > place) return characterBoundary(line, end);
    }
  }
  return place;
}

function escapeBytes(beginning: string): number {
  if (/^\\ud[89ab]/i.test(beginning)) return 12;
  return beginning[1] === 'u' ? 6 : 2;
}
