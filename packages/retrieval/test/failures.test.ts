import { expect, it } from 'vitest';
import { search } from '../src/index.js';
import { asksForFailure } from '../src/question/failures.js';
import { Memory } from './memory.js';

it.each([
  'Which error did the build give?',
  'why did the gate tests fail on Windows',
  'What went wrong when we moved the mill?',
  'The sluice didn’t open any more: why?',
  'what stopped us from lifting the gate',
  'Why could the gate not be lifted?',
])('"%s" asks for a failure', (query) => {
  expect(asksForFailure(query)).toBe(true);
});

it.each([
  'Where does the mill gate get its chain from?',
  'how did we lift the gate',
  'What did we decide about the sluice?',
  'do not lift the gate',
])('"%s" does not', (query) => {
  expect(asksForFailure(query)).toBe(false);
});

const PARTS = ['wheel', 'stone', 'sluice', 'hopper', 'shaft', 'bolter', 'cog', 'brake', 'sack'];
const FAILURE = '[Bash] lift gate\n→ Error: The chain of the gate is torn, and here is a page about chains.';

/** The place of the chunk with the failed call among the hits. */
async function placeOfFailure(query: string): Promise<number> {
  const memory = new Memory();
  for (const part of PARTS)
    memory.session('mill', [{ text: `The mill gate lifts the ${part}.`, speaker: 'assistant' }]);
  memory.session('harbour', Array<string>(50).fill('The boats are in.'));
  const [id] = memory.session('mill', [{ text: FAILURE, speaker: 'tool_result' }]);
  await memory.store.directory.refresh();
  const { hits } = await search(memory.context, { query, scope: {}, budgetTokens: 5_000 });
  return hits.findIndex(({ chunk }) => chunk.id === id);
}

it('a question for a failure has failed calls in turn with what says more of the same', async () => {
  expect(await placeOfFailure('what about the mill gate')).toBe(PARTS.length);
  expect(await placeOfFailure('what went wrong with the mill gate')).toBe(2);
});

it('a pasted error is found by its words alone', async () => {
  expect(await placeOfFailure('"the mill gate lifts the wheel" failed, what about the mill gate')).toBe(
    PARTS.length,
  );
});
