import { join } from 'node:path';
import { search } from '@causantic/retrieval';
import { openSqlite } from '@causantic/storage';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { type KeywordMatches, searchKeywords } from '../src/matching/keyword-search.js';
import { withSharedWords } from '../src/ranking/shared-words.js';
import { Memory } from './memory.js';

const ABOUT = ['lobster prices rose', 'lobster prices fell', 'lobster prices stayed'];

/** Sessions about lobster prices, `others` that only name lobsters, and more about something else. */
function remembering(told: readonly string[], others = 120, path?: string): Memory {
  const memory = new Memory(path);
  for (let n = 0; n < 12; n++)
    memory.session('shop', [`Day ${n}: ${ABOUT[n % 3]!}, and Quenelle & Sons of Brest bought crates`]);
  for (let n = 0; n < others; n++) memory.session('shop', [`Day ${n}: a lobster in the window`]);
  for (let n = 0; n < 400; n++) memory.session('shop', [`Day ${n}: fog over the empty pier`]);
  for (const text of told) memory.session('shop', [text]);
  return memory;
}

async function ask(memory: Memory, query: string): Promise<string[]> {
  const { hits } = await search(memory.context, { query, scope: {}, budgetTokens: 20_000 });
  return hits.map(({ chunk }) => chunk.text);
}

it('behind the first hits, what shares their words is found though it has no word of the question', async () => {
  const told = ['Quenelle & Sons of Brest close on Monday', 'a letter from Messrs Turbot'];
  const found = await ask(remembering(told), 'lobster prices');
  expect(found.slice(0, 10).every((text) => text.includes('lobster prices'))).toBe(true);
  expect(found).toContain(told[0]);
  expect(found).not.toContain(told[1]);
});

it('among few candidates nothing else is looked for', async () => {
  const told = ['Quenelle & Sons of Brest close on Monday'];
  expect(await ask(remembering(told, 20), 'lobster prices')).not.toContain(told[0]);
});

it('what stands in memory word for word is looked for as it is, and nothing else', async () => {
  const told = ['Quenelle & Sons of Brest close on Monday'];
  expect(await ask(remembering(told), 'lobster prices fell')).not.toContain(told[0]);
});

it('a word that only one of the first hits has brings in nothing', async () => {
  const told = ['lobster prices, said Turbot', 'a letter from Messrs Turbot'];
  expect(await ask(remembering(told), 'lobster prices')).not.toContain(told[1]);
});

it('shared words do not make an answer of what has none', async () => {
  expect(
    await ask(remembering(['Quenelle & Sons of Brest close on Monday']), 'helicopter spare parts'),
  ).toEqual([]);
});

it('what is found by shared words is told to be found by words', async () => {
  const { context } = remembering(['Quenelle & Sons of Brest close on Monday']);
  const { hits } = await search(context, { query: 'lobster prices', scope: {}, budgetTokens: 20_000 });
  expect(hits.find(({ chunk }) => chunk.text.includes('Monday'))?.sources).toEqual(['keyword']);
});

it('that the index could not be read for them is said of the matches, which stay', () => {
  const { store } = remembering([], 120, join(temporaryFolder(), 'memory.db'));
  const matches = searchKeywords(store, 'lobster prices', {});
  const first = matches.found.ids.slice(0, 10).map((id) => ({ id, score: 1, via: [] }));
  const wider = (): KeywordMatches => withSharedWords(store, matches, first, { first: 10, scope: {} });
  expect(wider().problem).toBeUndefined();
  const db = openSqlite(store.path);
  db.unsafeMode().exec("UPDATE chunk_fts_data SET block = x'ffffffffffffffff' WHERE id >= 10");
  db.close();
  expect(wider().problem).toMatch('The word index cannot be read');
  expect(wider().found.ids).toEqual(first.map(({ id }) => id));
});
