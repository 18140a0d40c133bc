import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultModelDir } from '@causantic/compute/default-model';

/** Of the built-in model; read when first asked for. */
let vocabulary: Buffer | undefined;

/**
 * Whether many write a word so: the vocabulary has it in one piece. If it cannot be read, every word counts as known, since
 * words are found without the model, too.
 */
export function isKnownWord(word: string): boolean {
  vocabulary ??= readVocabulary();
  return vocabulary.length === 0 || vocabulary.includes(`"${word}":`);
}

function readVocabulary(): Buffer {
  try {
    return readFileSync(join(defaultModelDir(), 'tokenizer.json'));
  } catch {
    return Buffer.alloc(0);
  }
}
