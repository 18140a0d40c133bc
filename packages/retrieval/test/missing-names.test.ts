import { expect, it } from 'vitest';
import { search } from '../src/index.js';
import { Memory } from './memory.js';

async function asked(query: string, scope: { projectId?: number } = {}, budgetTokens = 2_000) {
  const memory = new Memory();
  for (const project of ['mill', 'shop'])
    memory.session(project, ['about doors', 'about roofs', 'about paint', 'about floors', 'about lamps']);
  memory.session('mill', ['The test of the wheel, testWheel in mill/wheel.ts, has failed.']);
  memory.session('shop', ['The test of the till, TillDrawer, has failed, as on the 18th.']);
  await memory.store.directory.refresh();
  return search(memory.context, { query, scope, budgetTokens });
}

it.each([
  ['why did the test TestStone fail?', 'TestStone'],
  ['which test of stone_2 failed', 'stone_2'],
  ['why did the test Mühle77 fail?'.normalize('NFD'), 'Mühle77'],
  // In small letters it is longer than it is written.
  ['why did the test İstanbul77 fail?', 'i\u0307stanbul77'],
  ['the failed test in Mill/Stone.ts', 'Mill/Stone.ts'],
  // Another file of that name.
  ['the failed test in /home/ann/clones/shop/wheel.ts', 'home/ann/clones/shop/wheel.ts'],
  ['the failed testWheel in mill/wheel.ts: E4711, ENOSTONE, TestStone, FIVE5', 'E4711, ENOSTONE, TestStone'],
])('an answer says which names of its question are nowhere: %s', async (query, names) => {
  const { text } = await asked(query);
  expect(text.split('\n')[0]).toBe(`[no passage contains ${names}]`);
  expect(text).toContain('has failed');
});

it.each([
  'why did the test testWheel fail?',
  'why did the test tillDraw fail?',
  'the failed test in wheel.ts',
  'the failed test in wheel.ts:12',
  'the failed test in /home/ann/clones/mill/wheel.ts',
  String.raw`the failed test in D:\clones\mill\wheel.ts`,
  'the failed test in https://example.com/ann/mill/blob/main/mill/wheel.ts#L12',
  'the failed test in https://example.com/ann/mill/blob/main/mill/wheel.ts#L12-L20',
  'the failed test in a/mill/wheel.ts and at 0x7c40',
  'why did testWheel fail step-by-step and/or on the 19th, e.g. on 2026-07-09?',
  `why did the test TestStone fail? ${'The wheel is in the mill. '.repeat(20)}`,
])('and nothing of others: %s', async (query) => {
  const { text } = await asked(query);
  expect(text).toContain('has failed');
  expect(text).not.toContain('no passage');
});

it('nowhere is where it was looked for', async () => {
  const { hits } = await asked('the failed test TillDrawer');
  const { projectId } = hits.find(({ chunk }) => chunk.projectSlug === 'mill')!.chunk;
  const { text } = await asked('the failed test TillDrawer', { projectId });
  expect(text).toMatch(/^\[no passage contains TillDrawer\]\n\n\[Session: .* \| mill \| /);
});

it('names that other projects have for a word of the question are not the asker’s', async () => {
  const { hits } = await asked('the failed test TillDrawer');
  const { projectId } = hits.find(({ chunk }) => chunk.projectSlug === 'mill')!.chunk;
  const { text } = await asked('why did the test of the drawer fail?', { projectId });
  expect(text).toMatch(/^\[Session: .* \| mill \| /);
});

it('where nothing is found, nothing is said', async () => {
  expect((await asked('TestStone')).text).toBe('');
});

it('a small answer keeps to its budget', async () => {
  const { text, tokens } = await asked('why did the test TestStone fail?', {}, 100);
  expect(text).toMatch(/^\[Session: /);
  expect(tokens).toBeLessThanOrEqual(100);
});
