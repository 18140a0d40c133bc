import { type Commit, groupBy } from '@causantic/domain';
import { describe, expect, it } from 'vitest';
import { withCommits } from '../src/answer/committed.js';
import { headerTokens, type Hit, SEPARATOR_TOKENS } from '../src/answer/presentation.js';
import { asking } from './asking.js';
import { Memory, type Told } from './memory.js';

const spring = { subject: 'till: a stronger spring', hash: '4c1e9d2' };

function memoryOf(...sessions: Told[][]): Memory {
  const memory = new Memory();
  memory.session('shop', ['about doors', 'about roofs', 'about paint', 'about floors', 'about lamps']);
  for (const told of sessions) {
    const [first, second] = memory.session('shop', told);
    memory.link('adjacent', first!, second!);
  }
  return memory;
}

/** The till explodes, and it takes this many more turns until somebody commits. */
function explosion(turnsBetween: number, commits: Commit[] = [spring]): Told[] {
  return [
    { text: 'The till drawer jams' },
    { text: 'So the till did explode', speaker: 'assistant' },
    ...Array.from({ length: turnsBetween }, () => ({ text: 'Wait a moment' })),
    { text: 'Thanks', commits },
  ];
}

const ask = asking('why did the till drawer explode');
const line = '\n\n[committed: 4c1e9d2 till: a stronger spring]';

describe.each(['recall', 'predict', 'explain'] as const)('%s', (tool) => {
  it('ends with what was committed soon after', async () => {
    const { text, tokens } = await ask[tool](memoryOf(explosion(1)));
    expect(text.endsWith(line)).toBe(true);
    expect(Math.ceil(text.length / 3)).toBeLessThanOrEqual(tokens);
  });
});

describe('commits', () => {
  it('are left out of an answer that has no room for them', async () => {
    const memory = memoryOf(explosion(0));
    for (let budgetTokens = 40; budgetTokens < 120; budgetTokens++)
      expect((await ask.explain(memory, budgetTokens)).tokens).toBeLessThanOrEqual(budgetTokens);
  });

  it('belong to something else when they were made much later', async () => {
    expect((await ask.explain(memoryOf(explosion(2)))).text).toContain(line);
    const { text } = await ask.explain(memoryOf(explosion(3)));
    expect(text).toContain('So the till did explode');
    expect(text).not.toContain('committed');
  });

  it('are those of the first turn that made any', async () => {
    const told = explosion(0, [{ subject: 'till: drawer', hash: '77f0a3b' }]);
    const { text } = await ask.explain(memoryOf([...told, { text: 'And now?', commits: [spring] }]));
    expect(text).toContain('[committed: 77f0a3b till: drawer]');
  });

  it('are told once', async () => {
    const again = memoryOf(explosion(0), explosion(1));
    expect((await ask.explain(again)).text.match(/\[committed/g)).toHaveLength(1);
    const [asked, , last] = explosion(0);
    const said = { text: 'So the till did explode, and gets "till: a stronger spring"' };
    const shown = await ask.explain(memoryOf([asked!, said, last!], explosion(0, [])));
    expect(shown.text).not.toContain('[committed');
  });

  it('are told once where they were amended, as they are in the end', async () => {
    const first = { subject: spring.subject, hash: '0a0b0c0' };
    const { text } = await ask.explain(memoryOf(explosion(0, [first, spring])));
    expect(text.endsWith(line)).toBe(true);
  });

  it('are told by three, each in short, with a mark where there are more', async () => {
    const long = { subject: `till: ${'spring '.repeat(20)}`, hash: '4c1e9d2' };
    const others = ['fan', 'bell', 'drawer'].map((part) => ({ subject: `till: ${part}` }));
    const { text } = await ask.explain(memoryOf(explosion(0, [long, ...others])));
    expect(text).toMatch(/\n\[committed: 4c1e9d2 till: [spring ]{60,75}…; till: fan; till: bell; …\]$/);
  });

  it('are told only if they say what was changed', async () => {
    const some = ['init', 'wip: a', '$1'].map((subject) => ({ subject }));
    const { text } = await ask.explain(memoryOf(explosion(0, [...some, spring])));
    expect(text.endsWith(line)).toBe(true);
    expect((await ask.explain(memoryOf(explosion(0, some)))).text).not.toContain('[committed');
  });

  it('are also those of an agent that worked on it', async () => {
    const [asked, answered] = explosion(0);
    const agent = { text: 'Mend it', agent: 'smith', commits: [spring] };
    const { text } = await ask.explain(memoryOf([asked!, answered!, agent]));
    expect(text.endsWith(line)).toBe(true);
  });

  it('of agents do not end the search for others before the turns of the main agent do', async () => {
    const [asked, answered, last] = explosion(0);
    const agents = Array.from({ length: 6 }, (_, n) => ({ text: 'Mend it', agent: `smith ${n}` }));
    const { text } = await ask.explain(memoryOf([asked!, answered!, ...agents, last!]));
    expect(text.endsWith(line)).toBe(true);
  });

  it('are forgotten with their turn', async () => {
    const memory = memoryOf(explosion(0));
    const ids = [...memory.store.chunks.walk({}, 'oldest')].filter(({ text }) => text === 'Thanks');
    memory.store.forgetting.delete(ids.map(({ id }) => id));
    expect((await ask.explain(memory)).text).not.toContain('committed');
  });

  describe('behind stories', () => {
    const fan = { subject: 'till: a fan', hash: '77f0a3b' };
    const cost = headerTokens(line) + SEPARATOR_TOKENS;

    /** Each session as a story. */
    const storiesOf = ({ store }: Memory) => {
      const all = [...store.chunks.walk({}, 'oldest')].map((chunk): Hit => ({
        chunk,
        score: 1,
        relevance: 1,
        sources: ['keyword'],
      }));
      const sessions = groupBy(all, ({ chunk }) => chunk.sessionUuid);
      return [...sessions.values()].map((hits, n) => ({ text: `Story ${n}`, hits }));
    };

    it('take what there is room for', () => {
      const memory = memoryOf(explosion(0), explosion(0, [fan]));
      const told = (roomTokens: number) => withCommits(memory.store, storiesOf(memory), roomTokens);
      const second = '\n\n[committed: 77f0a3b till: a fan]';
      expect(told(1_000)).toEqual({
        texts: ['Story 0', `Story 1${line}`, `Story 2${second}`],
        tokens: cost + headerTokens(second) + SEPARATOR_TOKENS,
      });
      const { tokens } = told(1_000);
      expect(told(tokens)).toEqual(told(1_000));
      expect(told(tokens - 1)).toEqual({ texts: ['Story 0', `Story 1${line}`, 'Story 2'], tokens: cost });
      expect(told(0)).toEqual({ texts: ['Story 0', 'Story 1', 'Story 2'], tokens: 0 });
    });

    it('are sought from the last turn of the main agent on, else from that of an agent', () => {
      const smith: Told = { text: 'Mended', agent: 'smith' };
      const own = memoryOf([{ text: 'Mend it', commits: [spring] }, smith]);
      expect(withCommits(own.store, storiesOf(own), 1_000).texts[1]).toBe(`Story 1${line}`);
      const agents = memoryOf([{ ...smith, commits: [spring] }, { text: 'Thanks' }]);
      const [, { hits, text }] = storiesOf(agents) as [unknown, { hits: Hit[]; text: string }];
      const { texts } = withCommits(agents.store, [{ text, hits: hits.slice(0, 1) }], 1_000);
      expect(texts).toEqual([`Story 1${line}`]);
    });
  });
});
