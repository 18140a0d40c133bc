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

it('several words are looked up though each stands in more chunks than are read of one', () => {
  const memory = new Memory();
  memory.session('loom', Array<string>(5_000).fill('the default report of the terminal is json'));
  const { found, byTerm } = searchKeywords(memory.store, 'default terminal report json', {});
  expect(byTerm.filter((postings) => postings !== undefined).length).toBeGreaterThanOrEqual(3);
  expect(found.coverageOf(found.ids[0]!)).toBeGreaterThan(0.7);
});
