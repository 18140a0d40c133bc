import { expect, it, vi } from 'vitest';
import { search } from '../src/index.js';
import { Memory } from './memory.js';

vi.mock('@causantic/compute/default-model', () => ({ defaultModelDir: () => '/no/such/folder' }));

it('without the vocabulary no word is taken for a mistyped one, and the others are found', async () => {
  const memory = new Memory();
  memory.session('quay', ['The harbour crane is broken']);
  const found = async (query: string): Promise<string[]> => {
    const { hits } = await search(memory.context, { query, scope: {}, budgetTokens: 2_000 });
    return hits.map(({ chunk }) => chunk.text);
  };
  expect(await found('Is the harbuor crane broken?')).toEqual(['The harbour crane is broken']);
  expect(await found('harbuor')).toEqual([]);
});
