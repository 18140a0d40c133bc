import { type FileLine, readPieces } from './lines.js';

const [BLANK, QUOTE, BACKSLASH, COLON] = [0x20, 0x22, 0x5c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

const LIST = 'messages';
/** Longer strings are no key that matters here. */
const MAX_KEY_BYTES = 32;

/**
 * The parts of a JSON document `{…, "messages": [{…}, …], …}`, each as the text of a JSON object, read piece by piece:
 * first what stands before the list, then its elements, then what stands behind. Elements are numbered from 2. Of a
 * document that ends early, the last part is left out.
 * @param from the place of an element, or the document's start
 * @param end byte offset
 */
export function* readDocument(
  descriptor: number,
  from: { offset: number; line: number },
  end: number,
): Generator<FileLine> {
  const splitter = new DocumentSplitter(from);
  for (const { bytes, offset } of readPieces(descriptor, from.offset, end))
    yield* splitter.add(bytes, offset);
  yield* splitter.end();
}

/** Byte offset at which the list's elements begin; null where the document has none. */
export function listStart(descriptor: number, size: number): number | null {
  for (const part of readDocument(descriptor, { offset: 0, line: 1 }, size)) {
    if (part.number > 1) return part.offset;
  }
  return null;
}

/** Follows a document byte by byte, and gives out its parts. */
class DocumentSplitter {
  private mode: 'head' | 'list' | 'tail';
  private depth: number;
  private inString = false;
  private escaped = false;
  private key = '';
  private number: number;
  /** The part that is being gathered: its bytes so far. */
  private parts: Buffer[] = [];
  private startedAt: number | null;

  constructor(from: { offset: number; line: number }) {
    const isStart = from.offset === 0;
    this.mode = isStart ? 'head' : 'list';
    this.depth = isStart ? 0 : 2;
    this.number = from.line;
    this.startedAt = isStart ? 0 : null;
  }

  *add(bytes: Buffer, offset: number): Generator<FileLine> {
    let from = this.startedAt === null ? -1 : 0;
    for (let at = 0; at < bytes.length; at++) {
      if (this.inString) {
        at = this.skipString(bytes, at);
        continue;
      }
      const mark = this.mark(bytes[at]!);
      if (mark === null) continue;
      if (mark === 'list-begins' || mark === 'element-ends') {
        const isHead = mark === 'list-begins';
        yield this.part(bytes.subarray(from, isHead ? at : at + 1), isHead ? 'before' : 'whole');
        from = -1;
      } else {
        from = mark === 'element-begins' ? at : at + 1;
        this.startedAt = offset + from;
      }
    }
    if (from !== -1) this.parts.push(Buffer.from(bytes.subarray(from)));
  }

  /** What begins or ends at a byte outside of strings. */
  private mark(byte: number): 'list-begins' | 'list-ends' | 'element-begins' | 'element-ends' | null {
    if (byte === QUOTE) {
      this.inString = true;
      this.key = '';
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return this.opened(byte);
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) return this.closed();
    else if (byte > BLANK && byte !== COLON) this.key = '';
    return null;
  }

  private opened(byte: number): 'list-begins' | 'element-begins' | null {
    this.depth++;
    if (this.mode === 'list') return this.depth === 3 && byte === OPEN_BRACE ? 'element-begins' : null;
    if (this.mode !== 'head' || this.depth !== 2 || byte !== OPEN_BRACKET || this.key !== LIST) return null;
    this.mode = 'list';
    return 'list-begins';
  }

  private closed(): 'list-ends' | 'element-ends' | null {
    this.depth--;
    if (this.mode !== 'list') return null;
    if (this.depth === 2) return this.startedAt === null ? null : 'element-ends';
    if (this.depth === 1) this.mode = 'tail';
    return this.depth === 1 ? 'list-ends' : null;
  }

  /** Goes on in a string, to its end or the buffer's; gives the last byte looked at. */
  private skipString(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (this.escaped) this.escaped = false;
      else if (byte === BACKSLASH) this.escaped = true;
      else if (byte === QUOTE) {
        this.inString = false;
        return at;
      }
      if (this.mode === 'head' && this.depth === 1 && this.key.length < MAX_KEY_BYTES)
        this.key += String.fromCharCode(byte);
    }
    return bytes.length;
  }

  *end(): Generator<FileLine> {
    if (this.mode === 'tail' && this.startedAt !== null) yield this.part(Buffer.alloc(0), 'behind');
  }

  /** The gathered part as a JSON object. */
  private part(rest: Buffer, place: 'before' | 'whole' | 'behind'): FileLine {
    const bytes = Buffer.concat([...this.parts, rest]);
    const part = { offset: this.startedAt!, number: this.number++, terminated: true };
    this.parts = [];
    this.startedAt = null;
    if (place === 'whole') return { ...part, bytes };
    const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
    const fields =
      place === 'before' ? text.slice(text.indexOf('{') + 1, text.lastIndexOf(`"${LIST}"`)) : text;
    const closed =
      place === 'before' ? `${fields.trim().replace(/,$/, '')}}` : fields.trim().replace(/^,/, '');
    return { ...part, terminated: closed.endsWith('}'), bytes: Buffer.from(`{${closed}`) };
  }
}
