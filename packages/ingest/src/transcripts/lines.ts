import { readSync } from 'node:fs';

/** One line of a file, without its line break (LF or CRLF) and, on line 1, without a byte order mark. */
export interface FileLine {
  bytes: Buffer;
  /** Counted from 1. */
  number: number;
  /** Byte offset of the line's first byte in the file. */
  offset: number;
  /** False for a last line without a line break, which may still be being written. */
  terminated: boolean;
}

const READ_BYTES = 1 << 20;
/** No client writes longer lines, but a file that a crash left full of zeros is one. */
const MAX_LINE_BYTES = 128 << 20;
const LF = 10;
const CR = 13;

/** The bytes of an open file between two offsets, piece by piece: each is valid until the next one is asked for. */
export function* readPieces(
  descriptor: number,
  from: number,
  to: number,
): Generator<{ bytes: Buffer; offset: number }> {
  // A megabyte for each of 100,000 files that hold a line takes longer than reading them.
  const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(READ_BYTES, to - from)));
  for (let offset = from; offset < to;) {
    const count = readSync(descriptor, buffer, 0, Math.min(buffer.length, to - offset), offset);
    if (count === 0) return;
    yield { bytes: buffer.subarray(0, count), offset };
    offset += count;
  }
}

/**
 * Lines of an open file from a place on up to `end` (a byte offset), one by one, with never more than one line and one read
 * buffer in memory, and only the beginning of an overlong line. A line's `bytes` are valid until the next line is
 * requested.
 */
export function* readLines(
  descriptor: number,
  from: { offset: number; line: number },
  end: number,
): Generator<FileLine> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let line = { offset: from.offset, number: from.line };
  for (const { bytes: piece, offset } of readPieces(descriptor, from.offset, end)) {
    let start = 0;
    for (let at = piece.indexOf(LF); at !== -1; at = piece.indexOf(LF, start)) {
      const tail = piece.subarray(start, at);
      const bytes = pending.length > 0 ? Buffer.concat([...pending, tail]) : tail;
      pending = [];
      pendingBytes = 0;
      yield { bytes: withoutFrame(bytes, line.number), ...line, terminated: true };
      start = at + 1;
      line = { offset: offset + start, number: line.number + 1 };
    }
    if (start < piece.length && pendingBytes < MAX_LINE_BYTES) {
      pending.push(Buffer.from(piece.subarray(start)));
      pendingBytes += piece.length - start;
    }
  }
  if (pending.length > 0) {
    yield { bytes: withoutFrame(Buffer.concat(pending), line.number), ...line, terminated: false };
  }
}

function withoutFrame(bytes: Buffer, lineNumber: number): Buffer {
  const start = lineNumber === 1 && startsWithByteOrderMark(bytes) ? 3 : 0;
  const end = bytes.at(-1) === CR ? bytes.length - 1 : bytes.length;
  return bytes.subarray(start, end);
}

function startsWithByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
