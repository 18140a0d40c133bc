import { closeSync, fstatSync } from 'node:fs';
import { readLines } from '../../transcripts/lines.js';
import { openFile } from '../../transcripts/open-transcript.js';
import { type JsonObject, parseLine, stringOf } from '../../transcripts/records.js';

const MAX_LINES = 200;

/** The records in the first lines of a transcript. */
export function* firstRecords(path: string): Generator<JsonObject> {
  const descriptor = openFile(path);
  try {
    for (const line of readLines(descriptor, { offset: 0, line: 1 }, fstatSync(descriptor).size)) {
      for (const { record } of parseLine(line)) if (record) yield record;
      if (line.number >= MAX_LINES) return;
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The first working folder that a transcript of Claude Code names; null where its first records name none, and where they
 * cannot be read: that is told of when the transcript is read itself.
 */
export function firstFolder(path: string): string | null {
  try {
    for (const record of firstRecords(path)) {
      const cwd = stringOf(record['cwd']);
      if (cwd !== null) return cwd;
    }
  } catch {
    return null;
  }
  return null;
}
