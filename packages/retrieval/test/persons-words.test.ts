import { expect, it } from 'vitest';
import { search } from '../src/index.js';
import { asksForPersonsWords } from '../src/question/persons-words.js';
import { Memory } from './memory.js';

it.each([
  'Where did I want the link to go?',
  'what had I asked for about the header',
  'What did the user decide about retries?',
  'user prefers tabs or spaces',
  'The name that I originally suggested for the flag',
  'my preferences for commit messages',
  'user’s feedback on the first draft',
])('"%s" asks for what the person said', (query) => {
  expect(asksForPersonsWords(query)).toBe(true);
});

it.each([
  'why do I get ECONNREFUSED on port 5432?',
  'How should I run the migrations?',
  'user authentication with sessions',
  'my.cnf says max_connections',
  'why is the user object undefined after login?',
  'how are user names checked?',
  'which query makes the user report slow',
  'What did you find out about the cache?',
])('"%s" does not', (query) => {
  expect(asksForPersonsWords(query)).toBe(false);
});

const PARTS = ['wheel', 'stone', 'sluice', 'hopper', 'shaft', 'bolter', 'cog', 'brake', 'sack'];

it('a question for the person’s words has prompts in turn with what says more of the same', async () => {
  const memory = new Memory();
  for (const part of PARTS)
    memory.session('mill', [{ text: `The mill gate lifts the ${part}.`, speaker: 'assistant' }]);
  memory.session('harbour', Array<string>(50).fill('The boats are in.'));
  const prompt = 'Leave the gate, tell nobody in the town hall, and show me the boats that came in today.';
  const [id] = memory.session('mill', [prompt]);
  await memory.store.directory.refresh();
  const placeOfPrompt = async (query: string): Promise<number> => {
    const { hits } = await search(memory.context, { query, scope: {}, budgetTokens: 5_000 });
    return hits.findIndex(({ chunk }) => chunk.id === id);
  };
  expect(await placeOfPrompt('what about the mill gate')).toBe(PARTS.length);
  expect(await placeOfPrompt('what did I say about the mill gate')).toBe(2);
});

it('a plan that an agent wrote is no prompt of the person, though it comes back as one', async () => {
  const memory = new Memory();
  const plan = 'Implement the following plan:';
  for (const part of PARTS)
    memory.session('mill', [
      { text: `${plan} the mill gate lifts the ${part}.`, request: `${plan} the mill gate` },
    ]);
  memory.session('harbour', Array<string>(50).fill('The boats are in.'));
  const prompt = 'Leave the gate, tell nobody in the town hall, and show me the boats that came in today.';
  const [id] = memory.session('mill', [prompt]);
  await memory.store.directory.refresh();
  const query = 'what did I want with the mill gate';
  const { hits } = await search(memory.context, { query, scope: {}, budgetTokens: 5_000 });
  expect(hits.findIndex(({ chunk }) => chunk.id === id)).toBe(2);
});
