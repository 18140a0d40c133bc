import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { type JsonObject, jsonIn } from './records.js';

const NOT_READABLE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM']);

/**
 * A text that stands beside a transcript and tells of it. Null where there is none that may be read: the transcript itself
 * can be.
 */
export function textBeside(path: string): string | null {
  return ifReadable(() => readFileSync(path, 'utf8'));
}

/** The first bytes of such a file, as text. */
export function beginningBeside(path: string, bytes: number): string | null {
  return ifReadable(() => {
    const descriptor = openSync(path, 'r');
    try {
      const buffer = Buffer.alloc(bytes);
      return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, bytes, 0));
    } finally {
      closeSync(descriptor);
    }
  });
}

function ifReadable(read: () => string): string | null {
  try {
    return read();
  } catch (error) {
    if (NOT_READABLE.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** The JSON object in such a file; null where there is none. */
export function jsonBeside(path: string): JsonObject | null {
  return jsonIn(textBeside(path) ?? '');
}
