// What stands for a text that is not stored.
import { hash } from 'node:crypto';

/** The id of a record that has none of its own: of a copy with the same text, too. */
export function recordId(text: string): string {
  return hash('sha256', text).slice(0, 32);
}

/** Stands for a text in a checkpoint, which then holds none of it. */
export function textHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
