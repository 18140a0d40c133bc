// The records of a file, whichever way they lie in it.
import { readSync } from 'node:fs';
import { readDocument } from './document.js';
import { readLines } from './lines.js';
import { readSections } from '../clients/notes/sections.js';
import { parseLine, type ParsedRecord } from './records.js';

/** The layout of records in a file: one per line, elements of a JSON document's `messages`, or parts of a text. */
export type TranscriptLayout = 'lines' | 'document' | 'markdown';

/** A record of a transcript. */
export interface FileRecord {
  /** From 1: the line, or the record's place in the document. */
  number: number;
  /** Byte offset in the file of its beginning, or of its line's. */
  offset: number;
  /** Others may stand behind it in the same line. */
  isFirstOfLine: boolean;
  parsed: ParsedRecord;
}

export interface RecordFile {
  descriptor: number;
  /** Bytes to read, from the file's beginning. */
  size: number;
  layout: TranscriptLayout;
}

const START_BYTES = 64;

/** The layout of a file that is no note: a document begins with a brace that its first line does not close. */
export function layoutOf(descriptor: number, path: string): TranscriptLayout {
  const bytes = Buffer.alloc(START_BYTES);
  const count = readSync(descriptor, bytes, 0, START_BYTES, 0);
  const start = bytes.toString('utf8', 0, count).replace(/^\uFEFF/, '');
  return path.endsWith('.json') || /^\s*\{\s*\r?\n/.test(start) ? 'document' : 'lines';
}

/**
 * The records of an open file from a place on, one by one, with never more than one record and one read buffer in memory.
 * @param from where an earlier run stopped, by byte offset and record number
 */
export function* fileRecords(
  { descriptor, size, layout }: RecordFile,
  from: { offset: number; line: number } = { offset: 0, line: 1 },
): Generator<FileRecord> {
  if (layout === 'markdown') {
    for (const { line, record } of readSections(descriptor, size)) {
      yield { number: line, offset: 0, isFirstOfLine: true, parsed: { record } };
    }
    return;
  }
  const lines = layout === 'lines' ? readLines : readDocument;
  for (const line of lines(descriptor, from, size)) {
    const { number, offset } = line;
    for (const [at, parsed] of parseLine(line).entries()) {
      yield { number, offset, isFirstOfLine: at === 0, parsed };
    }
  }
}
