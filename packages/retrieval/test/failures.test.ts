import { describe, expect, it } from 'vitest';
import { explain, predict, recall, search } from '../src/index.js';
import { Messages } from '../src/answer/messages.js';
import { asksForFailure } from '../src/question/failures.js';
import { Memory, type Told } from './memory.js';

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

it('the call that failed with a pasted error comes before what was said of others like it', async () => {
  const error = 'relation "grist" of the mill does not exist';
  const placeOf = async (text: string) => {
    const memory = new Memory();
    for (const part of PARTS) {
      const alike = `The grist of the ${part}: the relation of the mill, which does exist or does not. `;
      memory.session('mill', [{ text: alike.repeat(3), speaker: 'assistant' }]);
    }
    memory.session('harbour', Array<string>(50).fill('The boats are in.'));
    const [id] = memory.session('mill', [{ text, speaker: 'tool_result' }]);
    await memory.store.directory.refresh();
    const { hits } = await search(memory.context, { query: error, scope: {}, budgetTokens: 5_000 });
    return hits.findIndex(({ chunk }) => chunk.id === id);
  };
  const page = 'and here is a page about something else. '.repeat(20);
  expect(await placeOf(`[Bash] grind\n→ Error: ${error}; ${page}`)).toBe(0);
  expect(await placeOf(`[Bash] cat log\n→ ${error}; ${page}`)).toBeGreaterThan(0);
});

const TORN = '[Bash] lift gate\n→ Error: The chain of the gate is torn.';
const failed: Told = { text: TORN, fails: true, sameTurn: true };
const said = (text: string): Told => ({ text, speaker: 'assistant', sameTurn: true });
const MENDED = said('A new one from the harbour holds.');
const called = (text: string, tokens?: number): Told => ({
  text,
  speaker: 'tool_use',
  sameTurn: true,
  ...(tokens !== undefined && { tokens }),
});

describe('a call that failed is shown with what the agent said of it', () => {
  const CURE = called('[Edit] gate.ts');

  function mill(...told: Told[]): { memory: Memory; ids: number[] } {
    const memory = new Memory();
    for (const part of PARTS) memory.session('mill', [{ text: `About the ${part}.`, speaker: 'assistant' }]);
    const ids = memory.session('mill', [{ text: 'Lift it.' }, ...told]);
    memory.link('adjacent', ...ids);
    return { memory, ids };
  }

  /** The texts shown with the failed call. */
  async function replyIn(told: Told[], room = Infinity): Promise<string[]> {
    const { memory, ids } = mill(...told);
    const { store } = memory;
    await store.directory.refresh();
    const passage = [store.chunks.find(ids[told.indexOf(failed) + 1]!)!];
    const longer = new Messages(store).withReply(passage, { shown: new Map(), room });
    return longer.slice(1).map(({ text }) => text);
  }

  const AGAIN: Told = { ...failed, text: '[Bash] pull\n→ Error: Too heavy.' };
  const THOUGHT: Told = { ...said('Hm.'), kind: 'thinking' };

  it.each<[string, Told[], string[]]>([
    ['next', [failed, MENDED, said('Good night.')], [MENDED.text]],
    ['behind other calls', [failed, CURE, MENDED], [CURE.text, MENDED.text]],
    ['behind a thought', [failed, THOUGHT, MENDED], [MENDED.text]],
    ['behind another failure', [failed, AGAIN, MENDED], [AGAIN.text, MENDED.text]],
  ])('%s', async (_, told, shown) => {
    expect(await replyIn(told)).toEqual(shown);
  });

  it.each<[string, Told[]]>([
    ['far away', [failed, called('[Edit] all of it', 600), MENDED]],
    ['in the next turn', [failed, { ...MENDED, sameTurn: false }]],
    ['on the next day', [failed, { ...MENDED, atMs: Date.UTC(2026, 3, 9) }]],
  ])('but not %s', async (_, told) => {
    expect(await replyIn(told)).toEqual([]);
  });

  it('only if it fits, and is not shown already', async () => {
    const told = [failed, { ...MENDED, tokens: 100 }];
    expect(await replyIn(told, 100)).toEqual([]);
    expect(await replyIn(told, 150)).toEqual([MENDED.text]);
    const { memory, ids } = mill(...told);
    await memory.store.directory.refresh();
    const [call, reply] = ids.slice(1).map((id) => memory.store.chunks.find(id)!);
    const shown = new Map([[reply!.id, { chunk: reply!, score: 1, relevance: 1, sources: [] }]]);
    expect(new Messages(memory.store).withReply([call!], { shown, room: 1_000 })).toEqual([call]);
    // A call that worked, or one of which the chunk itself says more.
    for (const text of ['[Bash] lift gate\n→ The chain is torn', 'The chain is torn']) {
      const chunk = { ...call!, text, spans: [{ speaker: 'tool_result' as const, start: 19, end: 30 }] };
      expect(new Messages(memory.store).withReply([chunk], { shown: new Map(), room: 1_000 })).toEqual([
        chunk,
      ]);
    }
    const spans = [...call!.spans, { speaker: 'assistant' as const, start: 20, end: 30 }];
    const more = { ...call!, spans };
    expect(new Messages(memory.store).withReply([more], { shown: new Map(), room: 1_000 })).toEqual([more]);
  });

  const query = 'the chain of the gate is torn';
  const request = { scope: {}, budgetTokens: 5_000 };

  it.each<[string, (memory: Memory) => Promise<{ text: string }>]>([
    ['search', ({ context }) => search(context, { query, ...request })],
    ['recall', ({ context }) => recall(context, { query, ...request })],
    ['predict', ({ context }) => predict(context, { query, ...request })],
    ['explain', ({ context }) => explain(context, { topic: query, ...request })],
  ])('by %s, in order', async (_, ask) => {
    const then = [said('I also swept the floor.'), { text: 'Is the chain of the gate torn again?' }];
    const { memory, ids } = mill(failed, CURE, AGAIN, MENDED, ...then);
    memory.link('adjacent', ids[1]!, ids.at(-1)!);
    await memory.store.directory.refresh();
    const { text } = await ask(memory);
    expect(text).toContain([TORN, CURE.text, AGAIN.text, MENDED.text].join('\n\n'));
  });
});
