import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultModelDir } from '@causantic/compute/default-model';

/** Of the built-in model; read when first asked for. */
let vocabulary: Buffer | undefined;

/** Whether many write a word so: the vocabulary has it in one piece. */
export function isKnownWord(word: string): boolean {
  vocabulary ??= readFileSync(join(defaultModelDir(), 'tokenizer.json'));
  return vocabulary.includes(`"${word}":`);
}
