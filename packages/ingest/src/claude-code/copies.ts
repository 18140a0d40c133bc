import { closeSync, fstatSync } from 'node:fs';
import { readLines } from '../lines.js';
import { openFile } from '../open-transcript.js';
import { type JsonObject, objectOf, parseLine, stringOf } from '../records.js';

const MAX_LINES = 200;

/** The session from which a record was copied, as clients note with some, or forget to change; null for its own. */
export function originalSession(record: JsonObject, ownSession: string): string | null {
  const from =
    stringOf(objectOf(record['forkedFrom'])['sessionId']) ??
    stringOf(record['requestSessionId']) ??
    stringOf(record['sessionId']);
  return from === ownSession ? null : from;
}

/** Is what stands in a transcript up to the model's first answer noted to be a copy? */
export function beginsWithCopy(path: string, session: string): boolean {
  const descriptor = openFile(path);
  try {
    for (const line of readLines(descriptor, { offset: 0, line: 1 }, fstatSync(descriptor).size)) {
      const { record } = parseLine(line);
      if (record && originalSession(record, session) !== null) return true;
      if (record?.['type'] === 'assistant' || line.number >= MAX_LINES) return false;
    }
    return false;
  } finally {
    closeSync(descriptor);
  }
}
