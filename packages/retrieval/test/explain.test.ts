import { describe, expect, it } from 'vitest';
import { explain, type ExplainRequest } from '../src/index.js';
import { Memory, type Told } from './memory.js';

const request = { topic: 'the till', scope: {}, budgetTokens: 2_000 };

function history(): Memory {
  const memory = new Memory();
  memory.session('shop', [
    'about doors',
    'about roofs',
    'about paint',
    'about floors',
    'about lamps',
    'about glass',
  ]);
  memory.session('shop', ['First we want a till', 'and doors']);
  for (let n = 2; n < 6; n++)
    memory.session('shop', [`The till, version ${n}`, 'and windows', 'and more paint']);
  memory.session('shop', ['and roofs again', 'At last the till is sold']);
  return memory;
}

const textsOf = (hits: readonly { chunk: { text: string } }[]) => hits.map(({ chunk }) => chunk.text);

describe('explain', () => {
  it('tells every session that touched the topic, from the first mention to the latest state', async () => {
    const { hits, sessions } = await explain(history().context, request);
    expect(textsOf(hits)).toEqual([
      'First we want a till',
      'The till, version 2',
      'The till, version 3',
      'The till, version 4',
      'The till, version 5',
      'At last the till is sold',
    ]);
    expect(sessions).toBe(6);
  });

  it('keeps the first mention and the latest state when little fits', async () => {
    const { hits, sessions, text, tokens } = await explain(history().context, {
      ...request,
      budgetTokens: 110,
    });
    expect(textsOf(hits)).toEqual(['First we want a till', 'At last the till is sold']);
    expect(sessions).toBe(2);
    expect(tokens).toBeLessThanOrEqual(110);
    expect(Math.ceil(text.length / 3)).toBeLessThanOrEqual(110);
  });

  it('tells besides these the session that is most about it, if one more fits', async () => {
    const memory = new Memory();
    memory.session('shop', ['about doors', 'about roofs', 'about paint', 'about floors']);
    const told = ['First we want a till', 'A roof is over the till', 'The till', 'At last the till is sold'];
    for (const text of told) memory.session('shop', [text, 'and doors']);
    const { hits } = await explain(memory.context, { ...request, budgetTokens: 150 });
    expect(textsOf(hits)).toEqual(told.filter((text) => !text.includes('roof')));
  });

  it('knows when a session that was resumed later touched the topic', async () => {
    const memory = new Memory();
    memory.session('shop', ['about doors', 'about roofs', 'about paint', 'about floors']);
    const onDay = (day: number): number => Date.UTC(2026, 1, day, 12);
    const told = (day: number): Told => ({ text: `On day ${day} the till rang`, atMs: onDay(day) });
    const daysOf = (hits: readonly { chunk: { text: string } }[]) =>
      textsOf(hits).map((text) => Number(/\d+/.exec(text)![0]));
    for (const days of [[10], [11, 20], [12], [13], [14]]) memory.session('shop', days.map(told));
    const long = await explain(memory.context, request);
    expect(daysOf(long.hits)).toEqual([10, 11, 12, 13, 14, 20]);
    expect(long.sessions).toBe(5);
    const short = await explain(memory.context, { ...request, range: 'short' });
    expect(daysOf(short.hits)).toEqual([11, 13, 14, 20]);
    const ends = await explain(memory.context, { ...request, budgetTokens: 110 });
    expect(ends.hits.map(({ chunk }) => chunk.sessionShortId)).toEqual(['00000002', '00000003']);
  });

  it('tells of a note what is about the topic, not how it begins and ends', async () => {
    const memory = new Memory();
    memory.session('shop', ['about doors', 'about roofs', 'about paint', 'about floors']);
    memory.note('shop', ['Doors are blue', 'The till is in the cellar', 'Lamps are green']);
    const { hits } = await explain(memory.context, request);
    expect(textsOf(hits)).toEqual(['The till is in the cellar']);
  });

  it('keeps to its budget where thoughts lie between what is told', async () => {
    const memory = new Memory();
    memory.session('shop', ['about doors', 'about roofs', 'about paint', 'about floors']);
    const part = (text: string, more: Partial<Told>): Told => ({ text, sameTurn: true, ...more });
    memory.session('shop', [
      'Why?',
      part('[Bash] open the till\n→ Error: The till is stuck.', { fails: true }),
      part('Hm.', { kind: 'thinking' }),
      part('[Bash] oil it', { speaker: 'tool_use' }),
      part('Hm.', { kind: 'thinking' }),
      part('[Bash] clean it', { speaker: 'tool_use' }),
      part('Hm.', { kind: 'thinking' }),
      part('Now it opens.', { speaker: 'assistant' }),
    ]);
    for (let budgetTokens = 40; budgetTokens < 250; budgetTokens++) {
      const { tokens } = await explain(memory.context, { ...request, budgetTokens });
      expect(tokens).toBeLessThanOrEqual(budgetTokens);
    }
  });

  it('keeps to its budget, and a failure with its reply, where agents speak in between', async () => {
    const memory = new Memory();
    memory.session('shop', ['about doors', 'about roofs', 'about paint', 'about floors']);
    const atMinute = (minute: number): number => Date.UTC(2026, 1, 8, 10, minute);
    const part = (text: string, more: Partial<Told>): Told => ({ text, sameTurn: true, ...more });
    const agent = (name: string, text: string, minute: number): Told => ({
      text,
      agent: name,
      atMs: atMinute(minute),
    });
    memory.session('shop', [
      { text: 'Why?', atMs: atMinute(0) },
      part('[Bash] open the till\n→ Error: The till is stuck.', { fails: true, atMs: atMinute(1) }),
      part('[Bash] oil it', { speaker: 'tool_use', atMs: atMinute(3) }),
      part('Now it opens.', { speaker: 'assistant', atMs: atMinute(5) }),
      agent('ada', 'the till has a lock', 2),
      agent('bob', 'the till has a bell', 4),
    ]);
    for (let budgetTokens = 40; budgetTokens < 300; budgetTokens++) {
      const { tokens } = await explain(memory.context, { ...request, budgetTokens });
      expect(tokens).toBeLessThanOrEqual(budgetTokens);
    }
    const { text } = await explain(memory.context, request);
    expect(text).toContain('stuck.\n\n[Bash] oil it\n\nNow it opens.');
  });

  it('tells of a message that does not fit what is about the topic', async () => {
    const memory = new Memory();
    memory.session('shop', ['about doors', 'about roofs', 'about paint', 'about floors']);
    const parts = ['Long ago', 'somebody sold the till', 'and was glad'];
    memory.session(
      'shop',
      parts.map((text, i) => ({ text, tokens: 200, continues: i > 0 })),
    );
    const { hits } = await explain(memory.context, { ...request, budgetTokens: 400 });
    expect(textsOf(hits)).toContain(parts[1]);
  });

  it.each([
    ['long', 400, [6, 5, 2, 3, 4, 7]],
    ['short', 100, [2, 3, 4, 5, 6, 7]],
  ])('a %s history begins with the turns that answer best, or is in order', async (_, tokens, order) => {
    const memory = new Memory();
    memory.session('shop', ['about doors', 'about roofs', 'about paint', 'about floors']);
    const told = [
      'We sold the till',
      'We bought it, the till',
      'Who sold the till',
      'The till rang',
      'The till',
    ];
    for (const text of [...told, 'They sold the till']) {
      const cause: Told = { text: `Because of rain. ${text}`, tokens, sameTurn: true, speaker: 'assistant' };
      memory.session('shop', [{ text, tokens }, cause, 'and more paint']);
    }
    const { hits } = await explain(memory.context, { ...request, budgetTokens: 9_000 });
    const sessions = hits.map(({ chunk }) => Number(chunk.sessionShortId));
    expect([...new Set(sessions)]).toEqual(order);
    expect(hits).toHaveLength(12);
  });

  it('tells the latest sessions only when asked for a short range', async () => {
    const { hits } = await explain(history().context, { ...request, range: 'short' });
    expect(textsOf(hits)).toEqual(['The till, version 4', 'The till, version 5', 'At last the till is sold']);
  });

  it('tells in its order what is recorded as of one moment', async () => {
    const memory = history();
    const said = ['Somebody opened the till', 'The till', 'Somebody closed the till again'];
    memory.session(
      'shop',
      said.map((text) => ({ text, atMs: Date.UTC(2027, 0, 1) })),
    );
    const { hits } = await explain(memory.context, request);
    expect(textsOf(hits).slice(-3)).toEqual(said);
  });

  it('tells of sessions of one moment first the one that was read first', async () => {
    const memory = history();
    const atMs = Date.UTC(2027, 0, 1);
    const texts = ['The till beside much else', 'The till, the till'];
    memory.session('shop', [
      { text: 'about tea', atMs },
      { text: texts[0]!, atMs },
    ]);
    memory.session('shop', [{ text: texts[1]!, atMs }]);
    const { hits } = await explain(memory.context, request);
    expect(textsOf(hits).slice(-2)).toEqual(texts);
  });

  it('tells once what a session says twice, and again what another session says', async () => {
    const memory = history();
    for (let n = 0; n < 2; n++)
      memory.session('shop', ['The till needs oil', 'and glass', 'The till needs oil']);
    const { hits } = await explain(memory.context, request);
    expect(textsOf(hits).filter((text) => text === 'The till needs oil')).toHaveLength(2);
  });

  it('tells a plan once that a session writes, shows and carries out', async () => {
    const memory = history();
    const plan =
      'plan: the till needs oil, glass, wood, paint, glue, rope, nails, bolts, screws, tape and wax';
    memory.session('shop', [`Written ${plan}`, 'and glass', `Approved ${plan}`, `Given ${plan}`]);
    const { hits } = await explain(memory.context, request);
    expect(textsOf(hits).filter((text) => text.includes(plan))).toHaveLength(1);
  });

  it('tells with what was done what was asked and what came of it, each message as a whole', async () => {
    const memory = history();
    memory.session('shop', [
      'Customers wait too long',
      { text: 'and now', sameTurn: true, speaker: 'assistant' },
      { text: '+ till.open()', sameTurn: true, speaker: 'tool_use' },
      { text: 'and glass', sameTurn: true, speaker: 'tool_result' },
      { text: 'They pay at once,', sameTurn: true, speaker: 'assistant' },
      { text: 'and all are happy.', continues: true, speaker: 'assistant' },
    ]);
    const { hits } = await explain(memory.context, request);
    const told = textsOf(hits.filter(({ chunk }) => chunk.sessionId === hits.at(-1)!.chunk.sessionId));
    expect(told).toEqual([
      'Customers wait too long',
      '+ till.open()',
      'They pay at once,',
      'and all are happy.',
    ]);
  });

  it('tells what was asked in a line where its chunk holds mostly output, and the chunk where nothing else is told', async () => {
    const memory = new Memory();
    memory.session('shop', ['about doors', 'about roofs', 'about paint', 'about floors']);
    const look =
      'Look, in every room of the house that has a door or a window, for whatever they left behind';
    const began = { text: look, output: '[Read] the book of counters '.repeat(5) };
    const found = { text: 'The till is in the cellar', speaker: 'assistant' as const, sameTurn: true };
    memory.session('shop', [
      began,
      found,
      began,
      { ...found, text: 'The till is in the attic' },
      { text: 'Sell it', output: '[Bash] sell the till' },
    ]);
    const { hits, text } = await explain(memory.context, request);
    expect(textsOf(hits)).toEqual([
      found.text,
      'The till is in the attic',
      'Sell it\n\n[Bash] sell the till',
    ]);
    expect(text).toContain(`]\n[asked: ${look}]\nThe till is in the cellar`);
    expect(text).toContain(`]\n[asked: ${look}]\nThe till is in the attic`);
    for (let budgetTokens = 80; budgetTokens < 300; budgetTokens += 5) {
      const less = await explain(memory.context, { ...request, budgetTokens });
      expect(less.tokens).toBeLessThanOrEqual(budgetTokens);
    }
  });

  it('tells sessions, too, that are less surely about it, while the answer is short', async () => {
    const told = async (tokens: number, asked: Partial<ExplainRequest> = {}): Promise<string[]> => {
      const memory = history();
      memory.session('shop', ['Its drawer was oiled', 'and roofs again']);
      memory.session('shop', [
        { text: 'The drawer of the till is stuck.', speaker: 'assistant' },
        { text: 'It creaks.', tokens, continues: true, sameTurn: true, speaker: 'assistant' },
      ]);
      const all = { topic: 'the stuck drawer', scope: {}, budgetTokens: 20_000, ...asked };
      return textsOf((await explain(memory.context, all)).hits);
    };
    const stuck = 'The drawer of the till is stuck.';
    expect(await told(4)).toEqual(['Its drawer was oiled', stuck, 'It creaks.']);
    expect(await told(4, { range: 'short' })).toEqual([stuck, 'It creaks.']);
    expect(await told(4, { budgetTokens: 100 })).toEqual([stuck, 'It creaks.']);
    expect(await told(2_500)).toEqual([stuck, 'It creaks.']);
  });

  it('tells of less sure sessions the likeliest, where not all fit', async () => {
    const memory = history();
    const told = ['The drawer was stuck until we pushed', 'The stuck drawer', 'The wooden drawer is stuck'];
    for (const text of told) memory.session('shop', [{ text, tokens: 900 }]);
    const asked = { topic: 'the stuck wooden drawer', scope: {}, budgetTokens: 20_000 };
    expect(textsOf((await explain(memory.context, asked)).hits)).toEqual(told.slice(1));
  });

  it('tells nothing about what nobody mentioned', async () => {
    const { hits, text } = await explain(history().context, { ...request, topic: 'submarines' });
    expect([hits, text]).toEqual([[], '']);
  });
});
