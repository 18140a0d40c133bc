import { createHash } from 'node:crypto';

/** Stands for a text in a checkpoint, which then holds none of it. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
