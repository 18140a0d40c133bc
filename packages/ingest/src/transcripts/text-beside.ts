import { readFileSync } from 'node:fs';
import { type JsonObject, jsonIn } from './records.js';

const NOT_READABLE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM']);

/**
 * A text that stands beside a transcript and tells of it. Null where there is none that may be read: the transcript itself
 * can be.
 */
export function textBeside(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (NOT_READABLE.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** The JSON object in such a file; null where there is none. */
export function jsonBeside(path: string): JsonObject | null {
  return jsonIn(textBeside(path) ?? '');
}
