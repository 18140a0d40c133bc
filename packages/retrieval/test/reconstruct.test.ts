import { countTokens } from '@causantic/domain/tokens';
import { describe, expect, it } from 'vitest';
import type { ChunkFilter, Store, StoredChunk } from '@causantic/storage';
import { reconstruct } from '../src/index.js';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';
import { Memory } from './memory.js';

it('a message that was cut goes on in the next line, what else was said stands apart', () => {
  const memory = new Memory();
  memory.session('shop', [
    'Prices:\n- tea',
    { text: '- coffee', continues: true },
    { text: '[Bash] sum prices', speaker: 'tool_use', sameTurn: true },
    { text: '→ 12 in all', speaker: 'tool_result', continues: true },
    'And the cups?',
  ]);
  const { text } = reconstruct(memory.store, { filter: {}, budgetTokens: 2_000, keep: 'newest' });
  expect(text.slice(text.indexOf('\n\n') + 2)).toBe(
    'Prices:\n- tea\n- coffee\n\n[Bash] sum prices\n→ 12 in all\n\nAnd the cups?',
  );
});

it('says whose message it is in the middle of which it begins, and not where it is whole', () => {
  const memory = new Memory();
  const speaker = 'user' as const;
  memory.session('shop', [
    { text: 'User: The list of prices:', speaker },
    ...['tea', 'rum', 'jam'].map((text) => ({ text, speaker, continues: true })),
  ]);
  const bodyWithin = (budgetTokens: number): string => {
    const { text, tokens } = reconstruct(memory.store, { filter: {}, budgetTokens, keep: 'newest' });
    expect(tokens).toBeLessThanOrEqual(budgetTokens);
    return text.split(' ===\n\n')[1] ?? '';
  };
  const bodies = new Set(Array.from({ length: 400 }, (_, n) => bodyWithin(60 + n)));
  expect([...bodies].filter((body) => body !== '')).toEqual([
    '[… User]\njam',
    '[… User]\nrum\njam',
    '[… User]\ntea\nrum\njam',
    'User: The list of prices:\ntea\nrum\njam',
  ]);
});

it('tells agents of one name apart that work side by side', () => {
  const memory = new Memory();
  const explorer = (agent: string, text: string) => ({ agent, agentName: 'Explore', text });
  memory.session('shop', [
    'Look at the shop',
    explorer('a1', 'The till is old'),
    explorer('a2', 'The roof leaks'),
    explorer('a1', 'And it jams'),
    { agent: 'a3', agentName: 'Plan', text: 'First the roof' },
    'Well done',
  ]);
  const { text } = reconstruct(memory.store, { filter: {}, budgetTokens: 2_000, keep: 'newest' });
  expect(text.split('\n\n').slice(1)).toEqual([
    'Look at the shop',
    ...['--- Agent: Explore (1) ---', 'The till is old'],
    ...['--- Agent: Explore (2) ---', 'The roof leaks'],
    ...['--- Agent: Explore (1) ---', 'And it jams'],
    ...['--- Agent: Plan ---', 'First the roof'],
    ...['--- Main agent ---', 'Well done'],
  ]);
});

describe('a session that goes on with another one', () => {
  const NOTE = /^\[session_id "(.{8})" shows what came before\]$/m;
  const said = 'The till is in the cellar beside the tea. '.repeat(10);

  /** @param original what it goes on with */
  function forkOf(memory: Memory, original: string): number {
    const uuid = 'f0f0f0f0-1111-4222-8333-444444444444';
    memory.store.transcripts.write('/fork.jsonl', (writer) => {
      writer.putSession(sessionDraft(uuid), { path: '/shop', name: 'shop' });
      writer.linkOriginal(original);
      for (const n of [0, 1, 2])
        writer.putTurn(turnDraft(n, [chunkDraft(n, `User: ${n}\n${said}`, { tokens: 150 })]));
    });
    return memory.store.sessions.withPrefix(uuid, 1)[0]!.id;
  }

  const ofFork = (memory: Memory, sessionId: number, more = {}) =>
    reconstruct(memory.store, { filter: { sessionId }, budgetTokens: 2_000, keep: 'newest', ...more });

  it('says where it began', () => {
    const memory = new Memory();
    const [first] = memory.session('shop', ['Where is the till?']);
    const original = memory.store.chunks.get([first!])[0]!;
    const fork = forkOf(memory, original.sessionUuid);
    const { text, hits } = ofFork(memory, fork);
    const note = `[session_id "${original.sessionShortId}" shows what came before]`;
    expect(text.split('\n\n').slice(0, 2)).toEqual([note, expect.stringMatching(/^=== Session f0f0f0f0 /)]);
    expect(hits).toHaveLength(3);

    const oldest = ofFork(memory, fork, { keep: 'oldest', budgetTokens: 300 });
    expect(oldest.text).toMatch(NOTE);
    expect(oldest.truncated).toBe(true);
    expect(countTokens(oldest.text)).toBeLessThanOrEqual(300);
    // What is left out comes before that.
    expect(ofFork(memory, fork, { budgetTokens: 300 }).text).not.toMatch(NOTE);
    const fromMs = hits[1]!.chunk.startTimeMs!;
    expect(ofFork(memory, fork, { filter: { sessionId: fork, fromMs } }).text).not.toMatch(NOTE);
    expect(ofFork(memory, fork, { filter: {} }).text).not.toMatch(NOTE);
    const agentIds = memory.store.sessions.mainAgentIds('claude-code');
    expect(ofFork(memory, fork, { filter: { sessionId: fork, agentIds } }).text).not.toMatch(NOTE);
    for (let budgetTokens = 40; budgetTokens < 800; budgetTokens += 7) {
      const { text: within, tokens } = ofFork(memory, fork, { keep: 'oldest', budgetTokens });
      expect(countTokens(within)).toBeLessThanOrEqual(tokens);
    }
  });

  it.each([
    ['nobody knows', () => undefined],
    [
      'there is nothing to read',
      (store: Store, uuid: string) =>
        store.transcripts.write('/silent.jsonl', (writer) =>
          writer.putSession(sessionDraft(uuid), { path: '/shop', name: 'shop' }),
        ),
    ],
  ])('but not if %s', (_, prepare) => {
    const memory = new Memory();
    const uuid = 'e0e0e0e0-1111-4222-8333-444444444444';
    prepare(memory.store, uuid);
    expect(ofFork(memory, forkOf(memory, uuid)).text).toMatch(/^=== Session f0f0f0f0/);
  });
});

it('counts what stands above chunks once for all that stand below it', () => {
  const memory = new Memory();
  const told = Array.from({ length: 60 }, (_, n) => `Look at shelf ${n}`);
  memory.session(
    'shop',
    told.map((text) => ({ text, tokens: countTokens(text) })),
  );
  const { hits } = reconstruct(memory.store, { filter: {}, budgetTokens: 1_000, keep: 'newest' });
  expect(hits).toHaveLength(60);
});

it.each(['newest', 'oldest'] as const)(
  'passes over what is larger than a whole answer, and leads on behind it (%s kept)',
  (keep) => {
    const memory = new Memory();
    const texts = ['The till is old.', 'The log of the till.', 'The till is new.', 'The till is sold.'];
    memory.session(
      'shop',
      texts.map((text, n) => ({ text, tokens: n === 1 ? 1_000 : 60 })),
    );
    const within = (place: ChunkFilter) =>
      reconstruct(memory.store, { filter: { projectId: 1, ...place }, budgetTokens: 270, keep });
    const first = within({});
    const second = within({ [keep === 'newest' ? 'beforeMs' : 'fromMs']: first.goesOnAtMs });
    const shown = [...first.hits, ...second.hits].map(({ chunk }) => chunk.text);
    expect(shown.toSorted()).toEqual([texts[2], texts[0], texts[3]]);
    expect(second.goesOnAtMs).toBeUndefined();
  },
);

it.each(['newest', 'oldest'] as const)(
  'leads out of a moment that has more chunks than it has places (%s kept)',
  (keep) => {
    const memory = new Memory();
    const atMs = Date.UTC(2026, 1, 8);
    const said = (text: string, ms: number) => ({ text, atMs: ms, tokens: 10 });
    const moment = Array.from({ length: 1_005 }, (_, n) => said(`Line ${n}`, atMs));
    memory.session('shop', [said('Before', atMs - 1), ...moment, said('Behind', atMs + 1)]);
    const within = (budgetTokens: number, place: ChunkFilter = {}) =>
      reconstruct(memory.store, { filter: { projectId: 1, ...place }, budgetTokens, keep });
    // The first answer ends behind the thousandth place.
    const budgetTokens = keep === 'newest' ? 170 : within(100_000).tokens - 45;
    const { goesOnAtMs } = within(budgetTokens);
    const { hits } = within(budgetTokens, { [keep === 'newest' ? 'beforeMs' : 'fromMs']: goesOnAtMs });
    expect(hits.at(-1)!.chunk.text).toBe(keep === 'newest' ? 'Line 998' : 'Behind');
  },
);

it('ends no session before it begins, whatever the clock did', () => {
  const memory = new Memory();
  const startTimeMs = Date.parse('2026-02-08T10:00');
  const times = { startTimeMs, endTimeMs: startTimeMs - 60_000 };
  memory.store.transcripts.write('/shop.jsonl', (writer) => {
    writer.putSession(sessionDraft('f0f0f0f0-1111-4222-8333-444444444444'), { path: '/shop', name: 'shop' });
    writer.putTurn(turnDraft(0, [chunkDraft(0, 'The till is old.', times)]));
  });
  const { text } = reconstruct(memory.store, { filter: {}, budgetTokens: 1_000, keep: 'newest' });
  expect(text).toContain('| Feb 8, 10:00 AM – 10:00 AM ===');
});

it('names no time to go on at where what is left out has none', () => {
  const memory = new Memory();
  const said = 'The till is in the cellar beside the tea. '.repeat(10);
  const undated = { startTimeMs: null, endTimeMs: null, tokens: 150 };
  memory.store.transcripts.write('/undated.jsonl', (writer) => {
    writer.putSession(sessionDraft('f0f0f0f0-1111-4222-8333-444444444444'), { path: '/shop', name: 'shop' });
    for (const n of [0, 1, 2]) writer.putTurn(turnDraft(n, [chunkDraft(n, `User: ${n}\n${said}`, undated)]));
  });
  const within = (keep: 'newest' | 'oldest') =>
    reconstruct(memory.store, { filter: {}, budgetTokens: 300, keep });
  expect(within('newest')).toMatchObject({ truncated: true, hits: [{}] });
  expect(within('newest').text).toMatch(
    /^\[… earlier content left out to fit 300 tokens …\]\n\n=== .* undated ===/,
  );
});

describe('a window that does not fit', () => {
  const DAY = 40;
  const answer = 'The till is in the cellar beside the tea. '.repeat(20);

  function longDay(request: (n: number) => string): Memory {
    const memory = new Memory();
    const turns = Array.from({ length: DAY }, (_, n) => [
      { text: `User: ${request(n)}`, request: request(n) },
      { text: answer, speaker: 'assistant' as const, sameTurn: true },
    ]);
    memory.session('shop', turns.flat());
    return memory;
  }

  const askedIn = (text: string): string[] =>
    Array.from(text.matchAll(/^- .*: (.*)$/gm), ([, asked]) => asked!);
  const shownIn = (text: string): string[] =>
    Array.from(text.matchAll(/^User: (.*)$/gm), ([, said]) => said!);

  it.each(['newest', 'oldest'] as const)(
    'tells what was asked in the part that is left out (%s kept)',
    (keep) => {
      const memory = longDay((n) => `wish ${n}`);
      const { text } = reconstruct(memory.store, { filter: {}, budgetTokens: 8_000, keep });
      expect(text.startsWith('[… ')).toBe(keep === 'newest');
      const [asked, shown] = [askedIn(text), shownIn(text)];
      expect(shown.length).toBeGreaterThan(10);
      const all = keep === 'newest' ? [...asked, ...shown] : [...shown, ...asked];
      expect(all).toEqual(Array.from({ length: DAY }, (_, n) => `wish ${n}`));
      // The day before, west of London.
      expect(text).toMatch(/\n\[asked in what is left out:\]\n- 00000001, Feb [78], 2026, /);
      expect(countTokens(text)).toBeLessThanOrEqual(8_000);
    },
  );

  it('as far as there is room for it, the nearest first, and each in short', () => {
    const memory = longDay((n) => `${n} ${'wish '.repeat(60)}🚪`.trim());
    const { text } = reconstruct(memory.store, { filter: {}, budgetTokens: 4_000, keep: 'newest' });
    const asked = askedIn(text);
    expect(text).toContain('\n[asked in what is left out:]\n- …\n- 00000001');
    expect(asked.every((each) => each.length <= 81 && each.endsWith('wish…'))).toBe(true);
    expect(parseInt(asked.at(-1)!)).toBe(parseInt(shownIn(text)[0]!) - 1);
    expect(countTokens(text)).toBeLessThanOrEqual(4_000);
  });

  it('a few words that were asked again and again once', () => {
    const wish = (n: number): string => `wish ${n} for a door that can be seen from afar`;
    const memory = longDay((n) => (n % 2 === 0 ? 'commit' : wish(n % 4)));
    const { text } = reconstruct(memory.store, { filter: {}, budgetTokens: 8_000, keep: 'newest' });
    const asked = askedIn(text);
    expect(asked.filter((each) => each === 'commit')).toHaveLength(1);
    expect(asked.filter((each) => each === wish(1)).length).toBeGreaterThan(1);
  });

  it('a plan that was approved by its title', () => {
    const memory = longDay((n) => `Implement the following plan: # Plan: Door ${n} ## Context It is grey.`);
    const { text } = reconstruct(memory.store, { filter: {}, budgetTokens: 4_000, keep: 'newest' });
    const [, left = ''] = text.split('[asked in what is left out:]');
    expect(left.split('\n\n')[0]).toMatch(/^\n- …(?:\n- 00000001, .*: plan: Door \d+)+$/);
  });

  it.each([
    ['project', (hit: StoredChunk) => ({ projectId: hit.projectId })],
    ['session', (hit: StoredChunk) => ({ sessionId: hit.sessionId })],
  ])('of that %s alone', (_, filterOf) => {
    const memory = new Memory();
    const asked = (request: string) => ({ text: `User: ${request}\n${answer}`, request });
    memory.session('attic', [asked('dust the attic')]);
    const [first] = memory.session(
      'shop',
      Array.from({ length: DAY }, (_, n) => asked(`wish ${n}`)),
    );
    const filter = filterOf(memory.store.chunks.get([first!])[0]!);
    const { text } = reconstruct(memory.store, { filter, budgetTokens: 8_000, keep: 'newest' });
    const all = Array.from({ length: DAY }, (_, n) => `wish ${n}`);
    expect([...askedIn(text), ...shownIn(text)]).toEqual(all);
    expect(askedIn(text)).not.toContain('dust the attic');
  });

  it('does not where the answer is small, nor for one agent, nor of an image alone', () => {
    const memory = longDay((n) => `wish ${n}`);
    const told = (budgetTokens: number, filter = {}): string =>
      reconstruct(memory.store, { filter, budgetTokens, keep: 'newest' }).text;
    expect(told(3_900)).not.toContain('[asked');
    const ofMain = told(4_000, { agentIds: memory.store.sessions.mainAgentIds('claude-code') });
    expect(ofMain).toContain('content left out');
    expect(ofMain).not.toContain('[asked');
    const images = longDay((n) => (n % 2 === 0 ? '[image]' : `wish ${n}`));
    const { text } = reconstruct(images.store, { filter: {}, budgetTokens: 8_000, keep: 'newest' });
    expect(askedIn(text).length).toBeGreaterThan(5);
    expect(askedIn(text)).not.toContain('[image]');
  });
});

it('a client’s notes, however many were changed lately, are told only where they are asked for', () => {
  const memory = new Memory();
  const { store } = memory;
  memory.session('shop', ['The till is old.']);
  memory.note('shop', ['The key is under the mat.']);
  const textsIn = (filter: ChunkFilter) =>
    reconstruct(store, { filter, budgetTokens: 2_000, keep: 'newest' }).hits.map(({ chunk }) => chunk.text);
  const [notes] = store.sessions.withPrefix('the-notes', 1);
  expect(textsIn({ projectId: 1 })).toEqual(['The till is old.']);
  expect(textsIn({ sessionId: notes!.id })).toEqual(['The key is under the mat.']);
  const agentIds = store.sessions.mainAgentIds('claude-code-notes');
  expect(textsIn({ agentIds })).toEqual(['The key is under the mat.']);
});
