import { expect, it } from 'vitest';
import { search } from '../src/index.js';
import { Memory } from './memory.js';

function harbour(): Memory {
  const memory = new Memory();
  for (const text of ['The harbour crane is broken', 'The harbours are full', 'The harvour of Nobody'])
    memory.session('quay', [text]);
  memory.session('quay', ['We painted the warehouse']);
  return memory;
}

const found = async ({ context }: Memory, query: string, scope = {}): Promise<string[]> => {
  const { hits } = await search(context, { query, scope, budgetTokens: 2_000 });
  return hits.map(({ chunk }) => chunk.text);
};

it.each([
  ['a letter too few', 'harbur'],
  ['a letter too many', 'harrbour'],
  ['two letters that changed places', 'habrour'],
  ['a wrong letter', 'Harbouw'],
])('what nothing is found for is found with %s', async (_, query) => {
  const texts = await found(harbour(), query);
  expect(texts).toEqual(expect.arrayContaining(['The harbour crane is broken', 'The harbours are full']));
  // A rarer word is as near.
  expect(texts).not.toContain('The harvour of Nobody');
});

it.each([
  ['two letters are wrong', 'hirbiur'],
  ['two letters beside each other are wrong', 'habxour'],
  ['it is in a pasted text', `${'! '.repeat(100)}harbuor`],
  ['the beginning is wrong', 'arbour'],
  ['it may be a code', 'harbour7'],
  ['it is short', 'cranf'],
  ['it is part of a name', 'src/harbuor.ts'],
])('nothing is found where %s', async (_, query) => {
  expect(await found(harbour(), query)).toEqual([]);
});

it('a word that memory has is no mistyped one, whatever it is near to', async () => {
  expect(await found(harbour(), 'harvour')).toEqual(['The harvour of Nobody']);
  const memory = harbour();
  memory.session('yard', ['A dull day']);
  const scope = { projectId: memory.store.projects.findBySlug('yard')!.id };
  memory.session('yard', ['The harbour is full']);
  expect(await found(memory, 'harvour', scope)).toEqual([]);
  expect(await found(memory, 'harbuor', scope)).toEqual(['The harbour is full']);
});

it('of many mistyped words the first few are enough', async () => {
  const memory = harbour();
  for (const word of ['station', 'warehouse', 'windmill']) memory.session('quay', [`A ${word} is closed`]);
  const texts = await found(memory, 'harbur statoin warehuose windmlil');
  expect(texts).toEqual(expect.arrayContaining(['A station is closed', 'A warehouse is closed']));
  expect(texts).not.toContain('A windmill is closed');
});

it('of many paths into another clone the first few are looked up by their ends', async () => {
  const memory = new Memory();
  const files = Array.from({ length: 9 }, (_, n) => `src/part${n}.ts`);
  for (const file of files) memory.session('quay', [`We wrote ${file}`]);
  const query = files.map((file) => `/home/ada/${file}`).join(', ');
  const { diagnostics } = await search(memory.context, { query, scope: {}, budgetTokens: 2_000 });
  const lookedUp = diagnostics.terms.map(({ phrase }) => phrase);
  expect(lookedUp).toEqual(expect.arrayContaining(files.slice(0, 8)));
  expect(lookedUp).not.toContain(files[8]);
});

it('a mistyped word tells beside others that memory has', async () => {
  const memory = new Memory();
  for (const text of ['The crane at the harbour is broken', 'The crane at the station is broken'])
    memory.session('quay', [text]);
  const [first] = await found(memory, 'Is the crane at the harbuor broken?');
  expect(first).toBe('The crane at the harbour is broken');
});

it.each([
  ['traits', 'The trains are late', 'it is a word of its own'],
  ['resonate', 'The reason is the crane', 'no word but one with the same stem is near'],
])('"%s" does not find "%s": %s', async (query, text) => {
  const memory = harbour();
  memory.session('quay', [text]);
  expect(await found(memory, query)).toEqual([]);
});

it('what is longer than words are is not taken for a mistyped one', async () => {
  const memory = harbour();
  const text = 'harbour'.repeat(4);
  memory.session('quay', [text]);
  expect(await found(memory, text.replace('our', 'uor'))).toEqual([]);
  expect(await found(memory, text)).toEqual([text]);
});

it('a mistyped word of another language is found', async () => {
  const memory = harbour();
  memory.session('quay', ['Исправил кодировку страницы']);
  expect(await found(memory, 'Где мы исправили кодирвоку?')).toEqual(['Исправил кодировку страницы']);
});

it('all mistyped words are read', async () => {
  const right = await found(harbour(), 'harbour and warehouse.');
  expect(right).toHaveLength(1);
  expect(await found(harbour(), 'harbuor and warehuose.')).toEqual(right);
});

it.each(['respnose', 'databsae', 'relaese', 'analyzis'])(
  '"%s" is found, whose stem has another stem',
  async (query) => {
    const memory = new Memory();
    const text = 'The response of the database told the release its analysis';
    for (const each of [text, 'A dull day']) memory.session('quay', [each]);
    expect(await found(memory, query)).toEqual([text]);
  },
);
