import { expect, it } from 'vitest';
import { searchKeywords } from '../src/keyword-search.js';
import { Memory } from './memory.js';

it.each([
  ['chainwalk', 'ChainWalker'],
  ['parseHTTPRequests', 'nothing'],
  ['walker', 'ChainWalker'],
])('%s finds %s', (query, name) => {
  const memory = new Memory();
  const [id] = memory.session('loom', ['The ChainWalker stops at ten hops.', 'The kettle boils.']);
  const { found } = searchKeywords(memory.store, query, {});
  expect(found.ids).toEqual(name === 'nothing' ? [] : [id]);
});
