import { countTokens } from '@causantic/domain/tokens';
import { describe, expect, it, vi } from 'vitest';
import { predict, recall } from '../src/index.js';
import { Memory, type Told } from './memory.js';

const request = { query: 'why did the till explode', scope: {}, budgetTokens: 2_000 };

const story = [
  'The till drawer jams',
  'A spring of the till broke',
  'So the till did explode',
  'The till has a new spring',
];

/** Chunks of other subjects, so that words have weights as in a real memory. */
function withNoise(memory = new Memory()): Memory {
  memory.session('shop', [
    'about doors and windows',
    'about roofs',
    'about paint',
    'about floors',
    'about lamps',
  ]);
  return memory;
}

const textsOf = (hits: readonly { chunk: { text: string } }[]) => hits.map(({ chunk }) => chunk.text);

describe('recall', () => {
  it('tells what led to it, in order', async () => {
    const memory = withNoise();
    memory.link('adjacent', ...memory.session('shop', story));
    const result = await recall(memory.context, request);
    expect(textsOf(result.hits)).toEqual(story);
    expect(result.note).toBe('');
    expect(result.text).toMatch(/^\[Session: 00000002 \| shop \| Feb \d, 2026 \| keyword \| 100%\]\n/);
    expect(result.text).toContain(`\n${story.join('\n\n')}`);
    expect(result.hits.at(-1)!.sources).toEqual(['keyword']);
  });

  it('tells the best result though nothing that led to it has any of the words', async () => {
    const memory = withNoise();
    const [, best] = memory.session('shop', [
      'Somebody leaned on it',
      'Why the till did explode: too much gas',
    ]);
    memory.link(
      'adjacent',
      ...memory.session('shop', ['The till drawer jams', 'A spring of the till broke']),
    );
    const { hits, note, text } = await recall(memory.context, request);
    expect(note).toBe('');
    expect(text).toContain('--- Episode 1 of 2 ---');
    expect(hits[0]!.chunk.id).toBe(best);
    expect(textsOf(hits).slice(1)).toEqual(['The till drawer jams', 'A spring of the till broke']);
  });

  it('tells every good result, as far as they fit, though no walk meets them', async () => {
    const memory = withNoise();
    memory.link('adjacent', ...memory.session('shop', story.slice(0, 3)));
    const said = Array.from({ length: 9 }, (_, n) => `The till did explode on day ${n}`);
    for (const text of said) memory.session('shop', [{ text, tokens: 100 }]);
    const { hits } = await recall(memory.context, request);
    expect(textsOf(hits)).toEqual(expect.arrayContaining([...story.slice(0, 3), ...said]));
    const { hits: few, tokens } = await recall(memory.context, { ...request, budgetTokens: 600 });
    expect(tokens).toBeLessThanOrEqual(600);
    expect(textsOf(few)).toEqual(expect.arrayContaining([expect.stringMatching(/day \d/)]));
    expect(few.length).toBeLessThan(hits.length);
  });

  it('tells more than twelve good results only while the answer is short', async () => {
    const told = async (tokens: number) => {
      const memory = withNoise();
      memory.link('adjacent', ...memory.session('shop', story.slice(0, 3)));
      for (let n = 0; n < 30; n++)
        memory.session('shop', [{ text: `The till did explode on day ${n}`, tokens }]);
      const { hits } = await recall(memory.context, { ...request, budgetTokens: 20_000 });
      return hits.filter(({ chunk }) => /day \d/.test(chunk.text)).length;
    };
    expect(await told(50)).toBe(30);
    const some = await told(300);
    expect(some).toBeGreaterThan(12);
    expect(some).toBeLessThan(5_000 / 300);
    // The best result is where the walk begins.
    expect(await told(600)).toBeLessThanOrEqual(13);
  });

  it('keeps within any budget, with what begins and ends the turn of each of many results', async () => {
    const memory = withNoise();
    memory.link('adjacent', ...memory.session('shop', story.slice(0, 3)));
    // Under a header of their own.
    const between: Told = { text: '[Bash] look', tokens: 10, sameTurn: true, speaker: 'tool_use' };
    for (let n = 0; n < 30; n++) {
      memory.session('shop', [
        { text: `Is it hot on day ${n}`, tokens: 10 },
        between,
        { text: `The till did explode on day ${n}`, tokens: 10, sameTurn: true },
        between,
        { text: `Nobody was hurt on day ${n}`, tokens: 10, sameTurn: true, speaker: 'assistant' },
      ]);
    }
    for (let budgetTokens = 300; budgetTokens <= 2_000; budgetTokens += 17) {
      const { tokens } = await recall(memory.context, { ...request, budgetTokens });
      expect(tokens, `of ${budgetTokens}`).toBeLessThanOrEqual(budgetTokens);
    }
  });

  it('begins with the episode that answers best, though others say something in fewer words', async () => {
    const memory = withNoise();
    const short = ['The till is hot', 'Till and gas can explode'].map((text) => ({ text, tokens: 20 }));
    memory.link('adjacent', ...memory.session('shop', short));
    const long = ['The till smells of gas', 'Too much gas made the till explode, in short: it did'];
    const ids = memory.session(
      'shop',
      long.map((text) => ({ text, tokens: 800 })),
    );
    memory.link('adjacent', ...ids);
    const query = 'why did the till explode, was it too much gas';
    const { hits, text } = await recall(memory.context, { ...request, query, budgetTokens: 8_000 });
    expect(text).toContain('--- Episode 2 of 2 ---');
    expect(textsOf(hits)).toEqual([...long, ...short.map((each) => each.text)]);
  });

  it('begins with what the search puts first, if it is nearly as relevant', async () => {
    const memory = new Memory();
    const tills = ['The till is new', 'A till on the counter', 'This till is red', 'The till is open'];
    memory.session('shop', [...tills, 'about lamps']);
    const about = ['The drawer jams', 'The drawer did explode'];
    memory.link('adjacent', ...memory.session('shop', about));
    const asked = ['The till made a noise', 'Did the till drawer explode, or did somebody fall?'];
    const ids = memory.session('shop', asked);
    memory.link('adjacent', ...ids);
    const query = 'why did the till drawer explode';
    const { hits } = await recall(memory.context, { ...request, query });
    expect(textsOf(hits)).toEqual([...about, ...asked]);
    expect(hits.find(({ chunk }) => chunk.id === ids[1])!.relevance).toBeGreaterThan(hits[1]!.relevance);
  });

  it('ends with what the turn came to, in whatever words', async () => {
    const memory = withNoise();
    const told: Told[] = [
      { text: 'The till is hot' },
      { text: 'So the till did explode', speaker: 'assistant', sameTurn: true },
      { text: 'Looking around', speaker: 'assistant', sameTurn: true },
      { text: 'A fan was missing', speaker: 'assistant', sameTurn: true },
      { text: 'rm -r /var/log/fans', speaker: 'tool_use', sameTurn: true },
    ];
    memory.link('adjacent', ...memory.session('shop', told).slice(0, 2));
    const { hits } = await recall(memory.context, request);
    expect(textsOf(hits)).toEqual(['The till is hot', 'So the till did explode', 'A fan was missing']);
  });

  it('ends with what it was found by where nothing was said behind that', async () => {
    const memory = withNoise();
    const ids = memory.session('shop', [
      'Somebody leaned on it',
      { text: 'I look at the drawer.', speaker: 'assistant', sameTurn: true },
      { text: '[Bash] ask why the till did explode', speaker: 'tool_use', sameTurn: true },
    ]);
    memory.link('file-path', memory.session('shop', ['A spring of the till broke'])[0]!, ids.at(-1)!);
    const { hits, note } = await recall(memory.context, request);
    expect(note).toBe('');
    expect(textsOf(hits)).not.toContain('I look at the drawer.');
  });

  it('ends with what the turn came to, though it is part of a lesser episode, too', async () => {
    const memory = withNoise();
    const [cause] = memory.session('shop', ['A fan of the till broke']);
    const told: Told[] = [
      { text: 'Why did the till explode?' },
      { text: 'Looking around', speaker: 'assistant', sameTurn: true },
      { text: 'The till had no fan', speaker: 'assistant', sameTurn: true },
    ];
    memory.link('file-path', cause!, memory.session('shop', told)[2]!);
    const { hits, text } = await recall(memory.context, request);
    expect(textsOf(hits)).toEqual([
      'Why did the till explode?',
      'The till had no fan',
      'A fan of the till broke',
    ]);
    expect(text).toContain('--- Episode 2 of 2 ---');
  });

  it('leaves out the part of a message that was deleted a moment ago', async () => {
    const memory = withNoise();
    const told: Told[] = [
      { text: 'The till is hot' },
      { text: 'So the till did explode', speaker: 'assistant', sameTurn: true },
      { text: 'A fan was missing', speaker: 'assistant', sameTurn: true },
      { text: 'for three days', speaker: 'assistant', continues: true },
    ];
    const ids = memory.session('shop', told);
    memory.link('adjacent', ...ids.slice(0, 2));
    const { chunks, forgetting } = memory.store;
    const looking = vi.spyOn(chunks, 'find').mockImplementation((id) => {
      const [chunk] = chunks.get([id]);
      if (id === ids[2]) forgetting.delete([id]);
      return chunk;
    });
    const { hits } = await recall(memory.context, request);
    expect(looking).toHaveBeenCalledWith(ids[2]);
    expect(textsOf(hits)).toEqual(['The till is hot', 'So the till did explode', 'for three days']);
  });

  it('ends with what the main agent made of what an agent said', async () => {
    const memory = withNoise();
    const told: Told[] = [
      { text: 'The till is hot' },
      { text: 'A fan was missing', speaker: 'assistant', sameTurn: true, atMs: Date.UTC(2026, 1, 9) },
      { text: 'So the till did explode', speaker: 'assistant', agent: 'buyer' },
    ];
    const [asked, , found] = memory.session('shop', told);
    memory.link('brief', asked!, found!);
    const { hits } = await recall(memory.context, request);
    expect(textsOf(hits)).toEqual(['The till is hot', 'So the till did explode', 'A fan was missing']);
  });

  it('ends with an agent where the main one has said nothing since', async () => {
    const memory = withNoise();
    const [asked, , found] = memory.session('shop', [
      { text: 'The till is hot' },
      { text: 'Somebody shall look', speaker: 'assistant', sameTurn: true },
      { text: 'So the till did explode', speaker: 'assistant', agent: 'buyer' },
    ]);
    memory.link('brief', asked!, found!);
    const { hits } = await recall(memory.context, request);
    expect(textsOf(hits)).toEqual(['The till is hot', 'Somebody shall look', 'So the till did explode']);
  });

  it('begins with what was asked, in whatever words', async () => {
    const memory = withNoise();
    const parts = ['Machines fail', 'Looking around', 'The till is hot', 'So the till did explode'];
    const told = parts.map((text, at) => ({ text, sameTurn: at > 0 }));
    memory.link('adjacent', ...memory.session('shop', told));
    const { hits, tokens } = await recall(memory.context, request);
    expect(textsOf(hits)).toEqual(['Machines fail', 'The till is hot', 'So the till did explode']);
    for (let budgetTokens = 150; budgetTokens < tokens + 100; budgetTokens += 10) {
      const less = await recall(memory.context, { ...request, budgetTokens });
      expect(less.tokens).toBeLessThanOrEqual(budgetTokens);
    }
  });

  it('begins with a line of what was asked where its chunk holds mostly output, after what that agrees to', async () => {
    const memory = withNoise();
    memory.link(
      'adjacent',
      ...memory.session('shop', [
        { text: 'We could look into the cellar', speaker: 'assistant' },
        { text: 'yes', output: '[Bash] ls' },
        { text: 'The till is hot', speaker: 'assistant', sameTurn: true },
        { text: 'So the till did explode', speaker: 'assistant', sameTurn: true },
      ]),
    );
    const { hits, text } = await recall(memory.context, request);
    expect(textsOf(hits)).toEqual([
      'We could look into the cellar',
      'The till is hot',
      'So the till did explode',
    ]);
    expect(text).toMatch(/\]\n\[asked: yes\]\nThe till is hot\n/);
  });

  it('begins with what was asked where more is said than tools say, else with a line of all that was asked', async () => {
    const told = async (text: string, output: string) => {
      const memory = withNoise();
      const found = ['The till is hot', 'So the till did explode'];
      const said = found.map((each) => ({ text: each, speaker: 'assistant' as const, sameTurn: true }));
      const [, ...ids] = memory.session('shop', [{ text, output }, ...said]);
      memory.link('adjacent', ...ids);
      const answer = await recall(memory.context, request);
      return { text: answer.text, opening: textsOf(answer.hits)[0] };
    };
    expect((await told('Machines fail', '[Bash] ls')).opening).toBe('Machines fail\n\n[Bash] ls');
    const long = 'Look at each door, '.repeat(10).trim();
    const { text, opening } = await told(long, '[Bash] ls '.repeat(30));
    expect(opening).toBe('The till is hot');
    expect(text).toContain(`]\n[asked: ${long}]\nThe till is hot`);
  });

  it('tells above each turn how its request begins, if nothing else does', async () => {
    const memory = withNoise();
    const long = 'Please look into all of the doors. '.repeat(40);
    memory.link(
      'adjacent',
      ...memory.session('shop', [
        { text: long, tokens: 1_500 },
        { text: 'The till is hot', speaker: 'assistant', sameTurn: true },
        { text: 'So the till did explode', speaker: 'assistant', sameTurn: true },
      ]),
    );
    const { text } = await recall(memory.context, { ...request, budgetTokens: 1_000 });
    expect(text.match(/^\[asked: .*$/gm)).toEqual([
      expect.stringContaining('Please look into all of the doors.'),
    ]);
  });

  it('ends with all of the last message, also behind a compaction, and begins with what was asked before it', async () => {
    const memory = withNoise();
    const parts: Told[] = [
      { text: 'Machines fail' },
      { text: 'The till is hot', sameTurn: true },
      { text: 'So the till did explode', sameTurn: true },
      { text: 'It had no fan', speaker: 'assistant', sameTurn: true },
      { text: 'Ask in the market', agent: 'buyer' },
      { text: 'The summary: machines fail', kind: 'compaction' },
      { text: 'A fan of the till was bought', sameTurn: true },
      { text: 'Root cause: no fan', speaker: 'assistant', sameTurn: true },
      { text: 'What else may I do?', speaker: 'assistant', continues: true },
    ];
    const ids = memory.session('shop', parts);
    await memory.store.directory.refresh();
    memory.link('adjacent', ids[1]!, ids[2]!);
    const before = await recall(memory.context, request);
    const ends = ['Root cause: no fan', 'What else may I do?'];
    expect(textsOf(before.hits)).toEqual([
      'Machines fail',
      'The till is hot',
      'So the till did explode',
      ...ends,
    ]);
    memory.link('adjacent', ids[6]!, ids[7]!);
    const behind = await recall(memory.context, { ...request, query: 'who bought a fan, root cause' });
    expect(textsOf(behind.hits)).toEqual(['Machines fail', 'A fan of the till was bought', ...ends]);
  });

  it('begins with what was asked before a compaction, of which no line tells', async () => {
    const memory = withNoise();
    const asked = { text: 'Machines fail', output: '[Bash] ls machines' };
    const ids = memory.session('shop', [
      asked,
      { text: 'The summary: machines fail', kind: 'compaction' },
      { text: 'The till is hot', speaker: 'assistant', sameTurn: true },
      { text: 'So the till did explode', speaker: 'assistant', sameTurn: true },
    ]);
    memory.link('adjacent', ids[2]!, ids[3]!);
    const { hits } = await recall(memory.context, request);
    expect(textsOf(hits)[0]).toBe(`${asked.text}\n\n${asked.output}`);
  });

  it('tells the last message from its beginning where its end alone answers the question', async () => {
    const memory = withNoise();
    const ids = memory.session('shop', [
      { text: 'Machines fail' },
      { text: 'The till is hot', sameTurn: true },
      { text: 'Root cause: no fan', speaker: 'assistant', sameTurn: true },
      { text: 'So the till did explode', speaker: 'assistant', continues: true },
    ]);
    await memory.store.directory.refresh();
    memory.link('adjacent', ids[1]!, ids[3]!);
    const { hits } = await recall(memory.context, request);
    expect(textsOf(hits)).toEqual([
      'Machines fail',
      'The till is hot',
      'Root cause: no fan',
      'So the till did explode',
    ]);
  });

  it.each([
    ['Go ahead', ['I would buy a fan', 'Go ahead']],
    [
      'Go ahead and write down how each of the machines in the cellar works',
      ['Go ahead and write down how each of the machines in the cellar works'],
    ],
  ])('begins with what was consented to where the request says no more: %s', async (asked, opening) => {
    const memory = withNoise();
    const told: Told[] = [
      { text: 'What now?' },
      { text: 'I would buy a fan', speaker: 'assistant', sameTurn: true },
      { text: asked },
      { text: 'The till is hot', speaker: 'assistant', sameTurn: true },
      { text: 'So the till did explode', speaker: 'assistant', sameTurn: true },
    ];
    memory.link('adjacent', ...memory.session('shop', told).slice(3));
    const { hits } = await recall(memory.context, request);
    expect(textsOf(hits)).toEqual([...opening, 'The till is hot', 'So the till did explode']);
  });

  it('tells once what a log says many times, where it answers best', async () => {
    const memory = withNoise();
    const entry = (text: string): Told => ({
      text: `${text}: the till did fail at door, window, roof, paint, floor, lamp, drawer, spring, fan, gas, heat, rail, wheel, screw`,
      sameTurn: true,
    });
    const log: Told[] = [
      { text: 'Look at this' },
      entry('Warning'),
      entry('Explode'),
      entry('Notice'),
      { text: 'The till exploded', sameTurn: true },
    ];
    memory.link('adjacent', ...memory.session('shop', log));
    const { hits } = await recall(memory.context, request);
    expect(textsOf(hits)).toEqual(['Look at this', log[2]!.text, 'The till exploded']);
  });

  it('goes back across sessions and agents, and marks what the graph found', async () => {
    const memory = withNoise();
    const [cause] = memory.session('shop', [{ text: 'We chose a cheap spring', agent: 'buyer' }]);
    const [middle] = memory.session('shop', ['The spring is in the till']);
    const [end] = memory.session('shop', ['Now the till did explode']);
    memory.link('file-path', cause!, middle!, end!);
    const { hits, text } = await recall(memory.context, {
      ...request,
      query: 'why did the till with the cheap spring explode',
    });
    expect(textsOf(hits)).toEqual([
      'We chose a cheap spring',
      'The spring is in the till',
      'Now the till did explode',
    ]);
    expect(text.match(/(?<=^\[Session: )\d+/gm)).toEqual(['00000002', '00000003', '00000004']);
  });

  it('tells what led to the latest work if no subject is named', async () => {
    const memory = withNoise();
    memory.link(
      'adjacent',
      ...memory.session('shop', ['The till jams', 'Its spring is bent', 'It is mended']),
    );
    const { hits, note } = await recall(memory.context, { ...request, query: 'what did we do last?' });
    expect(note).toBe('');
    expect(textsOf(hits).slice(0, 3)).toEqual(['The till jams', 'Its spring is bent', 'It is mended']);
  });

  it('takes the agent for its seeds only', async () => {
    const memory = withNoise();
    const ids = memory.session('shop', [
      'The till drawer jams',
      { text: 'The till did explode', agent: 'buyer' },
    ]);
    memory.session('shop', ['Did another till explode?']);
    memory.link('brief', ...ids);
    const agentIds = memory.store.sessions.agentIds('buyer');
    const { hits, note } = await recall(memory.context, { ...request, scope: { agentIds } });
    expect(note).toBe('');
    expect(textsOf(hits)).toEqual(['The till drawer jams', 'The till did explode']);
  });

  it('goes on among other agents where a word of the question was mistyped', async () => {
    const memory = withNoise();
    const ids = memory.session('shop', [
      'The drawer of the till jams',
      { text: 'The drawer is rusty', agent: 'buyer' },
    ]);
    memory.link('brief', ...ids);
    const scope = { agentIds: memory.store.sessions.agentIds('buyer') };
    for (const query of ['drawer', 'drwaer']) {
      const { hits, note } = await recall(memory.context, { ...request, query, scope });
      expect(note).toBe('');
      expect(textsOf(hits)).toEqual(['The drawer of the till jams', 'The drawer is rusty']);
    }
  });

  it('tells of a note no beginning, no end and no next section', async () => {
    const memory = withNoise();
    const ids = memory.note('shop', ['Doors are blue', 'The till jams', 'It did explode', 'Lamps are green']);
    memory.link('adjacent', ...ids);
    for (const tool of [recall, predict]) {
      const { hits, note } = await tool(memory.context, request);
      expect(note).toBe('');
      expect(textsOf(hits)).toEqual(['The till jams', 'It did explode']);
    }
  });

  it('stays in the project it was asked about', async () => {
    const memory = withNoise();
    const [other] = memory.session('bank', ['The till of the bank will explode']);
    const ids = memory.session('shop', ['The till jams', 'The till did explode']);
    const [before] = memory.session('shop', ['The till is new']);
    memory.link('cross-session', before!, other!, ...ids);
    const all = await recall(memory.context, request);
    expect(textsOf(all.hits)).toContain('The till of the bank will explode');
    const { hits } = await recall(memory.context, { ...request, scope: { projectId: 1 } });
    expect(textsOf(hits)).not.toContain('The till of the bank will explode');
  });

  it('shows nothing of another project though it lies between what it tells', async () => {
    const memory = withNoise();
    const [between] = memory.session('bank', ['A vault']);
    const [before] = memory.session('shop', ['The till will explode, they said, and did not say why']);
    const [after] = memory.session('shop', ['So the till did explode']);
    memory.link('cross-session', before!, between!, after!);
    const told = async (scope: object): Promise<string[]> =>
      textsOf((await recall(memory.context, { ...request, scope, range: 'long' })).hits);
    expect(await told({})).toContain('A vault');
    expect(await told({ projectId: 1 })).not.toContain('A vault');
  });

  it('follows causes as far as the budget reaches where the long range is asked for', async () => {
    const memory = withNoise();
    const before = memory.session('shop', [
      { text: 'The till drawer jams', tokens: 400 },
      { text: 'It was lent to Ida', tokens: 400 },
    ]);
    const after = memory.session('shop', [
      { text: 'The till came back with a dent', tokens: 400 },
      { text: 'So the till did explode', tokens: 400 },
    ]);
    memory.link('adjacent', ...before);
    memory.link('adjacent', ...after);
    memory.link('cross-session', before[1]!, after[0]!);
    const told = async (range?: 'long'): Promise<string[]> =>
      textsOf(
        (await recall(memory.context, { ...request, budgetTokens: 4_000, ...(range && { range }) })).hits,
      );
    expect(await told()).not.toContain('It was lent to Ida');
    expect(await told('long')).toEqual([
      'The till drawer jams',
      'It was lent to Ida',
      'The till came back with a dent',
      'So the till did explode',
    ]);
  });

  it('keeps within its budget, header and note included, whole chunks only', async () => {
    const memory = withNoise();
    const steps = Array.from({ length: 9 }, (_, n) => `The till did explode ${n}`);
    memory.link('adjacent', ...memory.session('shop', steps));
    for (let budgetTokens = 150; budgetTokens < 900; budgetTokens += 25) {
      for (const ask of [recall, predict]) {
        const { text, tokens, note, hits } = await ask(memory.context, { ...request, budgetTokens });
        expect(tokens).toBeLessThanOrEqual(budgetTokens);
        expect(Math.ceil((text.length + note.length) / 3)).toBeLessThanOrEqual(budgetTokens);
        for (const hit of hits) expect(text).toContain(hit.chunk.text);
      }
    }
  });
});

describe('predict', () => {
  it('shows where the latest work ended if no subject is named, and not what followed on earlier work', async () => {
    const memory = withNoise();
    memory.link(
      'adjacent',
      ...memory.session('shop', ['The till jams', 'Next is the drawer', 'Next the bell']),
    );
    memory.session('shop', ['The lamp is mended']);
    const { hits, note } = await predict(memory.context, { ...request, query: 'what is next?' });
    expect(textsOf(hits)[0]).toBe('The lamp is mended');
    expect(note).toContain('fell back to search — No chain met the qualifying threshold');
  });

  it('tells what came next, in order', async () => {
    const memory = withNoise();
    memory.link('adjacent', ...memory.session('shop', story));
    const result = await predict(memory.context, { ...request, query: 'the till drawer jams' });
    expect(textsOf(result.hits)).toEqual(story);
    expect(result.note).toBe('');
  });

  it.each<[string, Told[], string[]]>([
    ['what was asked next', [{ text: 'Order a new drawer for the counter, too, before they close' }], []],
    ['what was done where that is a mere consent', [{ text: 'Go ahead' }], ['Ordered']],
    [
      'what was asked next behind a compaction',
      [
        { text: 'The summary: all is well', kind: 'compaction' },
        { text: 'Order a new drawer for the counter, too, before they close' },
      ],
      [],
    ],
  ])('ends with what the turn came to, and %s', async (_, next, done) => {
    const memory = withNoise();
    const told: Told[] = [
      { text: 'The till jams' },
      { text: 'A spring of the till broke', speaker: 'assistant', sameTurn: true },
      { text: 'Looking around', speaker: 'assistant', sameTurn: true },
      { text: 'All is well', speaker: 'assistant', sameTurn: true },
      ...next,
      { text: 'Ordered', speaker: 'assistant', sameTurn: true },
    ];
    const ids = memory.session('shop', told);
    memory.link('adjacent', ids[0]!, ids[1]!);
    const ask = { ...request, query: 'the till jams, its spring broke' };
    const { hits, tokens } = await predict(memory.context, ask);
    const asked = next.at(-1)!.text;
    const shown = ['The till jams', 'A spring of the till broke', 'All is well', asked, ...done];
    expect(textsOf(hits)).toEqual(shown);
    for (let budgetTokens = 150; budgetTokens < tokens + 100; budgetTokens += 10) {
      const less = await predict(memory.context, { ...ask, budgetTokens });
      expect(less.tokens).toBeLessThanOrEqual(budgetTokens);
    }
  });

  it('ends with what the person asked next, and not with what an agent was meanwhile told to do', async () => {
    const memory = withNoise();
    const asked = 'Order a new drawer for the counter, too, before they close';
    const ids = memory.session('shop', [
      { text: 'The till jams' },
      { text: 'A spring of the till broke', speaker: 'assistant', sameTurn: true },
      { text: 'Look into the shelves', agent: 'buyer' },
      { text: asked },
    ]);
    memory.link('adjacent', ids[0]!, ids[1]!);
    const { hits } = await predict(memory.context, { ...request, query: 'the till jams, its spring broke' });
    expect(textsOf(hits)).toEqual(['The till jams', 'A spring of the till broke', asked]);
  });

  it('ends with what came of what was asked next, below a line of that, where its chunk holds mostly output', async () => {
    const memory = withNoise();
    const ids = memory.session('shop', [
      { text: 'The till jams' },
      { text: 'A spring of the till broke', speaker: 'assistant', sameTurn: true },
      { text: 'Now the drawer', output: '[Bash] ls drawers and counters' },
      { text: 'The drawer is mended', speaker: 'assistant', sameTurn: true },
    ]);
    memory.link('adjacent', ids[0]!, ids[1]!);
    const asked = { ...request, query: 'the till jams, its spring broke' };
    const { hits, text } = await predict(memory.context, asked);
    expect(textsOf(hits)).toEqual(['The till jams', 'A spring of the till broke', 'The drawer is mended']);
    expect(text).toContain(']\n[asked: Now the drawer]\nThe drawer is mended');
  });

  it('tells what came after other good results, though no walk meets them', async () => {
    const memory = withNoise();
    memory.link(
      'adjacent',
      ...memory.session('shop', ['The till drawer jams', 'A spring of the till broke']),
    );
    memory.session('shop', ['Again the till drawer jams', 'Call the smith']);
    const { hits } = await predict(memory.context, { ...request, query: 'the till drawer jams' });
    expect(textsOf(hits).slice(-2)).toEqual(['Again the till drawer jams', 'Call the smith']);
  });

  it('tells steps that are longer than a chain should be, where there are no others', async () => {
    const memory = withNoise();
    const steps = story.map((text) => ({ text, tokens: 400 }));
    memory.link('adjacent', ...memory.session('shop', steps));
    const ask = { ...request, query: 'the till drawer jams', budgetTokens: 5_000 };
    const { hits, note } = await predict(memory.context, ask);
    expect(note).toBe('');
    expect(textsOf(hits)).toEqual(story);
  });
});

describe('a walk that finds no chain falls back to search and says why', () => {
  const noteOf = (reason: string, counts: string) =>
    `[Chain walk: fell back to search — ${reason}. Search found ${counts}]`;

  it('nothing is found', async () => {
    const { note, hits, tokens } = await recall(withNoise().context, request);
    expect(hits).toEqual([]);
    expect(countTokens(note)).toBeLessThanOrEqual(tokens);
    expect(note).toBe(
      noteOf('No matching chunks in memory', '0 chunks, 0 seeds, 0 chain(s) attempted, lengths: none'),
    );
  });

  it('what is found does not fit', async () => {
    const memory = withNoise();
    memory.session('shop', [{ text: 'The till did explode', tokens: 300 }]);
    const { note, hits } = await recall(memory.context, { ...request, budgetTokens: 300 });
    expect(hits).toEqual([]);
    expect(note).toBe(
      noteOf(
        'Search found chunks but none suitable as chain seeds',
        '1 chunks, 0 seeds, 0 chain(s) attempted, lengths: none',
      ),
    );
  });

  it('what is found leaves no room for a second chunk', async () => {
    const memory = withNoise();
    memory.link('adjacent', ...memory.session('shop', [story[1]!, { text: story[2]!, tokens: 300 }]));
    const { note, hits } = await recall(memory.context, { ...request, query: 'explode', budgetTokens: 500 });
    expect(textsOf(hits)).toContain(story[2]);
    expect(note).toBe(
      noteOf(
        'Search found chunks but none suitable as chain seeds',
        '1 chunks, 0 seeds, 0 chain(s) attempted, lengths: none',
      ),
    );
  });

  it('there are no edges', async () => {
    const memory = withNoise();
    memory.session('shop', ['The till did explode']);
    const { note, hits, text } = await recall(memory.context, request);
    expect(textsOf(hits)).toEqual(['The till did explode']);
    expect(text).toContain('The till did explode');
    expect(note).toBe(
      noteOf('No edges found from seed chunks', '1 chunks, 1 seeds, 0 chain(s) attempted, lengths: none'),
    );
  });

  it('the edges lead out of what may be told', async () => {
    const memory = withNoise();
    const [before] = memory.session('shop', ['The drawer jams']);
    const [seed] = memory.session('shop', ['The till did explode']);
    memory.link('cross-session', before!, seed!);
    const { note } = await recall(memory.context, { ...request, range: 'short' });
    expect(note).toBe(
      noteOf(
        'All chains had only 1 chunk (minimum 2 required)',
        '1 chunks, 1 seeds, 1 chain(s) attempted, lengths: 1',
      ),
    );
  });

  it('what is linked has nothing to do with the query', async () => {
    const memory = withNoise();
    memory.link('adjacent', ...memory.session('shop', ['Lunch was soup', 'The till did explode']));
    const { note } = await recall(memory.context, request);
    expect(note).toBe(
      noteOf('No chain met the qualifying threshold', '1 chunks, 1 seeds, 1 chain(s) attempted, lengths: 2'),
    );
  });
});
