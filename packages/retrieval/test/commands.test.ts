import { expect, it } from 'vitest';
import { commandsNaming } from '../src/ranking/commands.js';
import { search } from '../src/index.js';
import { asksForCommand } from '../src/question/commands.js';
import { Memory } from './memory.js';

it.each([
  'How do I run the tests of the mill?',
  'how to open the sluice',
  'how can we see what the wheel prints',
  'Which command opens the gate?',
  'the command for listing the sacks',
  'what script sells the flour',
])('"%s" asks for a command', (query) => {
  expect(asksForCommand(query)).toBe(true);
});

it.each([
  'How did we solve the flood?',
  'how much flour is there',
  'Who is in command of the mill?',
  'why does the script fail',
])('"%s" does not', (query) => {
  expect(asksForCommand(query)).toBe(false);
});

const PARTS = ['wheel', 'stone', 'sluice', 'hopper', 'shaft', 'bolter', 'cog', 'brake', 'sack'];

/** The calls of tools among the hits, with their places. */
async function callsFor(query: string, calls: readonly string[]): Promise<[number, string][]> {
  const memory = new Memory();
  for (const part of PARTS)
    memory.session('mill', [{ text: `Tests of the mill run with the ${part}.`, speaker: 'assistant' }]);
  memory.session('harbour', Array<string>(50).fill('The boats are in.'));
  for (const text of calls) memory.session('mill', [{ text, speaker: 'tool_use' }]);
  await memory.store.directory.refresh();
  const { hits } = await search(memory.context, { query, scope: {}, budgetTokens: 5_000 });
  return [...hits.entries()]
    .map(([place, { chunk }]): [number, string] => [place, chunk.text])
    .filter(([, text]) => calls.includes(text));
}

const RUN = '[exec_command] grind test';

it('a question for a command has those that name what is asked in turn with what says more of the same', async () => {
  expect(await callsFor('what about tests of the mill', [RUN])).toEqual([[PARTS.length, RUN]]);
  expect(await callsFor('how do I run the tests of the mill', [RUN])).toEqual([[2, RUN]]);
  const written = '[Edit] grind test';
  expect(await callsFor('how do I run the tests of the mill', [written])).toEqual([[PARTS.length, written]]);
});

it('a short command comes before a long one, and before both the one that names more', () => {
  const memory = new Memory();
  const calls = [`[Bash] grind test ${'and much else '.repeat(20)}`, RUN, '[Bash] run tests', '[Bash] ls'];
  const [long, run, more, other] = memory.session(
    'mill',
    calls.map((text) => ({ text, speaker: 'tool_use' as const })),
  );
  const terms = ['run', 'tests'].map((phrase) => ({ phrase, weight: 1, isEntity: false }));
  const asked = terms.map((term) => ({ ...term, idf: 1, documentFrequency: 1 }));
  expect(commandsNaming(memory.store, [other!, long!, run!, more!], asked)).toEqual([more, run, long]);
});

it.each(['push', 'pushes', 'pushed', 'pushing', 'pusher', 'pushers'])(
  'a command is named by %s, too',
  (word) => {
    const memory = new Memory();
    const ids = memory.session('mill', [{ text: '[Bash] git push', speaker: 'tool_use' }]);
    const asked = { phrase: word, weight: 1, isEntity: false, idf: 1, documentFrequency: 1 };
    expect(commandsNaming(memory.store, ids, [asked])).toEqual(ids);
  },
);

it('what is quoted is found by its words alone', async () => {
  const query = 'how do I mend "tests of the mill run with the wheel"';
  expect(await callsFor(query, [RUN])).toEqual([[PARTS.length, RUN]]);
});
