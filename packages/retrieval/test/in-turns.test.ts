import { expect, it } from 'vitest';
import { inTurns } from '../src/ranking/in-turns.js';

it.each([
  ['one order as it is', ['cab'], 'cab'],
  ['two by turns', ['abcd', 'dcba'], 'adbc'],
  ['what another gave is passed over, and the turn is not lost', ['abcde', 'abedc'], 'abced'],
  ['three by turns', ['abcdef', 'fedcba', 'cdabef'], 'afcbed'],
  ['what only one of them has', ['ab', 'bcde', ''], 'abcde'],
  ['nothing', ['', ''], ''],
  ['of no orders', [], ''],
])('%s', (_, orders, expected) => {
  expect(inTurns(orders.map((order) => [...order])).join('')).toBe(expected);
});
