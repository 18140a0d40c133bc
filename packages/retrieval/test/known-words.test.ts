import { defaultModelDir } from '@causantic/compute/default-model';
import { expect, it } from 'vitest';
import { knownIn } from '../src/matching/known-words.js';

it.each([
  ['the built-in model', defaultModelDir(), false],
  ['a folder that is gone', '/no/such/folder', true],
])('words are known by the vocabulary of %s', (_, folder, isKnown) => {
  expect(knownIn(folder)('harbour')).toBe(true);
  expect(knownIn(folder)('harbuor')).toBe(isKnown);
});
