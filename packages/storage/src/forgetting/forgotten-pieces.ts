import { hash } from 'node:crypto';

/** A piece of a transcript that the user deleted. */
export interface ForgottenPiece {
  id: number;
  /** Lines of the chunk it stood in; it begins in one of them. */
  lineStart: number;
  lineEnd: number;
  /** `pieceHash` of its text; null where all that begins in these lines was deleted. */
  piece: Buffer | null;
}

const HASH_BYTES = 16;

/** Stands for a deleted text, which is not kept. */
export function pieceHash(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, HASH_BYTES);
}
