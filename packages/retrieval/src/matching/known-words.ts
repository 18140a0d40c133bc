import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultModelDir } from '@causantic/compute/default-model';

let isKnown: ((word: string) => boolean) | undefined;

/** Whether many write a word so: the vocabulary of the built-in model, read when first asked for, has it in one piece. */
export function isKnownWord(word: string): boolean {
  return (isKnown ??= knownIn(defaultModelDir()))(word);
}

/** If the vocabulary cannot be read, every word counts as known: words are found without the model, too. */
export function knownIn(modelFolder: string): (word: string) => boolean {
  try {
    const vocabulary = readFileSync(join(modelFolder, 'tokenizer.json'));
    return (word) => vocabulary.includes(`"${word}",`);
  } catch {
    return () => true;
  }
}
