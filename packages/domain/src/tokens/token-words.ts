/**
 * Finds the ends of the words into which the cl100k encoding splits a text. It matches by hand what the expression
 * `'(?:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+$|\s*[\r\n]|\s+(?!\S)|\s`
 * does (with `i` for the first part), without allocating an object or string for each word.
 */
const LETTER = 1;
const NUMBER = 2;
const SPACE = 3;
const NEWLINE = 4;
const OTHER = 5;

const MAX_NUMBER_CHARS = 3;
const APOSTROPHE = 0x27;
const BLANK = 0x20;

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => classify(String.fromCharCode(code)));
/** Classes of other characters, by code point; 0 is not yet known. */
const WIDE = new Uint8Array(0x110000);

function classify(character: string): number {
  if (character === '\n' || character === '\r') return NEWLINE;
  if (/\s/u.test(character)) return SPACE;
  if (/\p{L}/u.test(character)) return LETTER;
  return /\p{N}/u.test(character) ? NUMBER : OTHER;
}

/** The class of the character at a position; 0 after the end. */
function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return ASCII[code]!;
  if (at >= text.length) return 0;
  const point = text.codePointAt(at)!;
  return (WIDE[point] ||= classify(String.fromCodePoint(point)));
}

/** The position after the character at `at`. */
function after(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff && text.codePointAt(at)! > 0xffff ? at + 2 : at + 1;
}

function behindRun(text: string, from: number, kind: number): number {
  let at = from;
  while (classAt(text, at) === kind) at = after(text, at);
  return at;
}

/** Where the word that starts at `start` ends. */
export function wordEnd(text: string, start: number): number {
  const kind = classAt(text, start);
  if (kind === LETTER) return behindRun(text, start, LETTER);
  if (kind === NUMBER) return numberEnd(text, start);
  const code = text.charCodeAt(start);
  if (code === APOSTROPHE) {
    const end = contractionEnd(text, start);
    if (end > 0) return end;
  }
  const next = after(text, start);
  const nextKind = classAt(text, next);
  if (kind !== NEWLINE && nextKind === LETTER) return behindRun(text, next, LETTER);
  if (kind === OTHER || (code === BLANK && nextKind === OTHER)) {
    return behindRun(text, behindRun(text, next, OTHER), NEWLINE);
  }
  return spaceEnd(text, start);
}

function numberEnd(text: string, start: number): number {
  let at = start;
  for (let count = 0; count < MAX_NUMBER_CHARS && classAt(text, at) === NUMBER; count++) at = after(text, at);
  return at;
}

/** `'s`, `'LL`: the end of a contraction, or 0. */
function contractionEnd(text: string, start: number): number {
  const first = text.charCodeAt(start + 1) | 0x20;
  if (first === 0x73 || first === 0x64 || first === 0x6d || first === 0x74) return start + 2;
  const second = text.charCodeAt(start + 2) | 0x20;
  const isContraction =
    (first === 0x6c && second === 0x6c) ||
    (first === 0x76 && second === 0x65) ||
    (first === 0x72 && second === 0x65);
  return isContraction ? start + 3 : 0;
}

/** White space to the end of the text; else up to the last line break in it; else all but its last character. */
function spaceEnd(text: string, start: number): number {
  let at = start;
  let behindNewline = 0;
  for (;;) {
    const kind = classAt(text, at);
    if (kind !== SPACE && kind !== NEWLINE) break;
    at++;
    if (kind === NEWLINE) behindNewline = at;
  }
  if (at === text.length) return at;
  return behindNewline || Math.max(start + 1, at - 1);
}
