import { expect, it } from 'vitest';
import { exactWords, namesIn } from '../src/causantic/names-in-query.js';

it.each([
  ['"jane doe"', 'jane doe'],
  [' „Jane Doe“ ', 'Jane Doe'],
  ['OMP_crane-7', 'OMP_crane-7'],
  ['a.ts', ''],
  ['leave the harbour', ''],
  ['""', ''],
  ['"one" or "two"', ''],
])('of %s each occurrence is looked for: "%s"', (query, words) => {
  expect(exactWords(query)).toBe(words);
});

it.each([
  ['all of Jane and Crane', ['Jane', 'Crane']],
  ['pilot', ['pilot']],
  ['“grain of Acme” or "nobody is in", said Ada', ['grain of Acme', 'nobody is in']],
  ['"--" and "x-1"', [' and ']],
  ['an open " Jane', ['Jane']],
  ['leave the harbour', []],
])('%s names %j', (query, names) => {
  expect(namesIn(query)).toEqual(names);
});

/** So long that what takes the square of a text's length runs into the test's time-out. */
const LONG = 1_000_000;

it.each(['a', '-', 'a-', '"'])('a query of nothing but %s is read', (sign) => {
  for (const query of [`"${sign.repeat(LONG)}`, sign.repeat(LONG)])
    expect(() => [exactWords(query), namesIn(query)]).not.toThrow();
});
