import { readFileSync } from 'node:fs';

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
