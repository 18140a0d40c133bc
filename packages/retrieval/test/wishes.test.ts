import { expect, it } from 'vitest';
import { recall, search } from '../src/index.js';
import { circumstancesOf } from '../src/question/circumstances.js';
import { asksForWishes, asksForWishesAbout } from '../src/question/asked-wishes.js';
import { wishClarity } from '../src/ranking/wish-clarity.js';
import { hitsOfWishes } from '../src/ranking/wishes.js';
import { Memory, type Told } from './memory.js';

const asked = (text: string): Told => ({ text, request: text });

it.each([
  ['what did I tell you not to do?', true],
  ['What have I asked you never to do', true],
  ['did I ever tell you to stop doing something?', true],
  ['what did I not want you to do?', true],
  ['user preferences', false],
  ["what are the user's rules and conventions?", false],
  ['my coding preferences', false],
  ['How do I like things done?', false],
  ['which instructions did I give you last week?', false],
  ['what do I dislike', true],
  ['user prefrences', false],
  ['which standards should I follow?', false],
  ['things you should never do', true],
  ['what must I avoid?', true],
  ['what do I keep telling you?', false],
  ['what have I told you again and again', false],
])('"%s" asks for wishes', (query, against) => {
  const { store } = new Memory();
  expect(asksForWishes(store, query, circumstancesOf(store, query))).toMatchObject({ against });
});

it.each([
  'what are my preferences for the mill wheel',
  'what did I ask you to do yesterday',
  'what did the user want',
  'what did I not finish?',
  'what did I decide',
  'never grind at night',
  'which rules does the linter have?',
  'user object',
  'is there something like this in my project?',
  'what have I not asked about?',
  'what do users usually do?',
  'what should I do to avoid this?',
  'my rules on branch fix/rye',
])('"%s" does not', (query) => {
  const memory = new Memory();
  memory.session('mill', [{ text: 'rye', branch: 'fix/rye' }]);
  const { store } = memory;
  expect(asksForWishes(store, query, circumstancesOf(store, query))).toBeUndefined();
});

const WISHES = [
  "Grind the rye, but don't touch the wheat.",
  'Never grind at night.',
  'I want the sacks tied with red string.',
];
const TALK = [
  'The stones do not turn, and the wheel does not either.',
  'Is there a way to grind faster?',
  'does the mill grind oats rather than rye',
  'Grind the barley.',
  'The user said what not to do, and what the preferences are.',
];

/** Each in a session of its own: what stands side by side is shown together. */
function mill(): Memory {
  const memory = new Memory();
  for (const request of [...WISHES, ...TALK]) memory.session('mill', [asked(request)]);
  return memory;
}

async function texts({ context }: Memory, query: string, more: object = {}): Promise<string[]> {
  const { hits } = await search({ ...context, ...more }, { query, scope: {}, budgetTokens: 5_000 });
  return hits.map(({ chunk }) => chunk.text);
}

it('a question for wishes is answered with what the person said for good, the clearest first', async () => {
  const [rye, night, string] = WISHES;
  expect((await texts(mill(), 'user preferences')).slice(0, 3)).toEqual([night, rye, string]);
});

it('a question for what is not to be done begins with that', async () => {
  const [rye, night, string] = WISHES;
  const found = await texts(mill(), 'what did I tell you not to do?');
  expect(found.slice(0, 2)).toEqual([night, rye]);
  expect(found[2]).not.toBe(string);
});

it('what ranking finds comes behind it, and what was said several times is told once', async () => {
  const memory = mill();
  memory.session('mill', [asked(WISHES[1]!)]);
  const found = await texts(memory, 'user preferences');
  expect(found.filter((text) => text === WISHES[1])).toHaveLength(1);
  expect(found[WISHES.length]).toBe(TALK.at(-1));
});

it('what a program asks for is no wish of the person', async () => {
  const memory = new Memory();
  memory.session('mill', [{ ...asked('Never say more than the title.'), byProgram: true }]);
  memory.session('mill', [asked('Never grind at night.')]);
  const [first] = await texts(memory, 'my rules');
  expect(first).toBe('Never grind at night.');
  const all = { times: [], projectIds: [], against: false, ownProjectId: undefined };
  expect(hitsOfWishes(memory.store, {}, all)).toHaveLength(1);
  // A sub-agent is told none.
  expect(hitsOfWishes(memory.store, { agentIds: [1] }, all)).toEqual([]);
});

it('wishes of the time, the project that is named, or first of the own one are told', async () => {
  const memory = mill();
  memory.session('harbour', [asked('Never moor at the pier.')]);
  memory.session('harbour', [{ ...asked('Never moor twice.'), atMs: Date.parse('2026-02-09T12:00') }]);
  const [first] = await texts(memory, 'my rules');
  expect(first).toBe('Never moor twice.');
  const { id } = memory.store.projects.list().find(({ slug }) => slug === 'mill')!;
  expect((await texts(memory, 'my rules', { ownProjectId: id })).slice(0, 2)).toEqual([WISHES[1], WISHES[0]]);
  expect((await texts(memory, 'my rules in harbour'))[1]).toBe('Never moor at the pier.');
  expect(await texts(memory, 'my rules of 2026-02-09')).toEqual(['Never moor twice.']);
  expect(await texts(memory, 'my rules of 2026-02-01 and of 2026-02-09')).toEqual(['Never moor twice.']);
});

it('of a time that is named, what is not to be done is told, or else the latest work', async () => {
  const memory = new Memory();
  const at = (hour: number): number => Date.parse(`2026-02-09T${hour}:00`);
  memory.session('mill', [{ ...asked('Never grind at night.'), atMs: at(10) }]);
  memory.session('mill', [{ ...asked('Grind the barley.'), atMs: at(12) }]);
  memory.session('mill', [asked('Grind the oats.')]);
  const [first] = await texts(memory, 'what did I tell you not to do on 2026-02-09?');
  expect(first).toBe('Never grind at night.');
  expect(await texts(memory, 'what did I tell you not to do on 2026-02-08?')).toEqual(['Grind the oats.']);
});

it('where projects are named, only their wishes are told', async () => {
  const memory = mill();
  memory.session('old-harbour', [asked('Never moor at the pier.')]);
  memory.session('bakery', [asked('Never bake by day.')]);
  const ofHarbour = await texts(memory, 'my rules in old-harbour');
  expect(ofHarbour[0]).toBe('Never moor at the pier.');
  expect(ofHarbour).not.toContain('Never bake by day.');
  const ofBoth = await texts(memory, 'my rules in old-harbour and project bakery');
  expect(ofBoth.slice(0, 2)).toEqual(['Never bake by day.', 'Never moor at the pier.']);
  expect(ofBoth).not.toContain('Never grind at night.');
});

it.each([
  'what are my preferences for the mill wheel?',
  "the user's coding conventions for the sieve",
  'does the user like long names for sacks?',
  'how does the user want the sacks tied?',
  'user prefers which string',
  'what have I said not to put into sacks',
  'what should you never do with the wheel',
  'what rules about sacks has the user given?',
  'the naming conventions for sacks that I want',
  'conventions for sacks that the user has given',
])('"%s" asks for wishes about something', (query) => {
  expect(asksForWishesAbout(query)).toEqual({ against: /not|never/.test(query) });
});

it.each([
  'when a user likes a sack, the counter fails',
  'which rules does the linter have for sacks?',
  'users do not want the string',
  'what did I decide about the sacks?',
  'why does pip refuse my requirements.txt',
  'which rules of the linter did the user delete?',
  'the instructions that users want',
  'the rule that the user set in the form is ignored',
  'how do the rules of the till work for the user given a role?',
  `my rules for ${'sacks and '.repeat(40)}`,
])('"%s" does not', (query) => {
  expect(asksForWishesAbout(query)).toBeUndefined();
});

it('asked for wishes about something, those come first that say clearly what is wanted', async () => {
  const memory = new Memory();
  for (const n of ['one', 'two', 'three'])
    memory.session('mill', [
      { text: `The sacks with string: how sacks were tied, part ${n}`, speaker: 'assistant' },
    ]);
  memory.session('mill', [asked('Are the sacks with string tied in the sacks report?')]);
  memory.session('mill', [asked('No more rope, just red string for it; I want the sacks tied by hand.')]);
  const [first] = await texts(memory, 'my preferences for sacks with string');
  expect(first).toBe('No more rope, just red string for it; I want the sacks tied by hand.');
  const [unasked] = await texts(memory, 'the sacks with string');
  expect(unasked).toContain('how sacks were tied');
});

it('recall, too, begins with such a wish', async () => {
  const memory = new Memory();
  const wish = 'No more rope, just red string for it; I want the sacks tied by hand.';
  const told = (text: string): Told => ({ text, speaker: 'assistant', sameTurn: true });
  const ids = ['one', 'two', 'three'].map((n) =>
    memory.session('mill', [`Sacks, part ${n}`, told(`Sacks with string: how sacks were tied, part ${n}`)]),
  );
  ids.push(memory.session('mill', [asked(wish), told('Now the sacks are tied so.')]));
  for (const [from, to] of ids) memory.link('adjacent', from!, to!);
  await memory.store.directory.refresh();
  const query = 'my preferences for sacks with string';
  const { hits } = await recall(memory.context, { query, scope: {}, budgetTokens: 5_000 });
  expect(hits[0]!.chunk.text).toBe(wish);
});

it('wishes that do not fit are counted by the note of recall', async () => {
  const memory = new Memory();
  memory.session('mill', [asked('Never grind at night.')]);
  const request = { query: 'my rules', scope: {}, budgetTokens: 100 };
  const { hits, note } = await recall(memory.context, request);
  expect(hits).toEqual([]);
  expect(note).toContain('Search found 1 chunks, 0 seeds');
});

it('what is said in passing in a long task is less of a wish', () => {
  const clarityOf = (request: string): number => wishClarity(request, { against: false });
  const task = ` ${'The mill stands by the harbour. '.repeat(20)}`;
  expect(clarityOf(`Never grind at night.${task}`)).toBeLessThan(clarityOf('Never grind at night.') / 2);
});
