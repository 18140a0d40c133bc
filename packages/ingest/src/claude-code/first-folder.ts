import { closeSync, fstatSync } from 'node:fs';
import { readLines } from '../lines.js';
import { openFile } from '../open-transcript.js';
import { parseLine, stringOf } from '../records.js';

const MAX_LINES = 200;

/** The first working folder that a transcript of Claude Code names; null where its first records name none. */
export function firstFolder(path: string): string | null {
  const descriptor = openFile(path);
  try {
    for (const line of readLines(descriptor, { offset: 0, line: 1 }, fstatSync(descriptor).size)) {
      const cwd = stringOf(parseLine(line).record?.['cwd']);
      if (cwd !== null || line.number >= MAX_LINES) return cwd;
    }
    return null;
  } finally {
    closeSync(descriptor);
  }
}
