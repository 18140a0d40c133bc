import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { chunkDraft, sessionDraft, turnDraft } from '../../../test/drafts.js';
import type { ChunkDraft, TranscriptSource } from '@causantic/domain';
import { type ChunkFilter, Store } from '../src/index.js';
import { storeTurns } from './sessions.js';

let store: Store;

beforeEach(() => {
  store = Store.open(':memory:');
  onTestFinished(() => store.close());
});

const at = (startTimeMs: number | null, endTimeMs = startTimeMs): Partial<ChunkDraft> => ({
  startTimeMs,
  endTimeMs,
});
const texts = (filter: ChunkFilter, order: 'newest' | 'oldest' = 'oldest'): string[] =>
  [...store.chunks.walk(filter, order)].map(({ text }) => text);

test('chunks of one moment are in one order, in which each has its place', () => {
  for (const session of ['a', 'b']) {
    const chunks = [0, 1].map((seq) => chunkDraft(seq, `${session}${seq}`, at(5_000)));
    storeTurns(store, session, [turnDraft(0, chunks)]);
  }
  const inOrder = ['a0', 'a1', 'b0', 'b1'];
  expect(texts({})).toEqual(inOrder);
  expect(texts({}, 'newest')).toEqual(inOrder.toReversed());
  const places = [...store.chunks.walk({}, 'oldest')].map((chunk) => store.chunks.placeInMoment(chunk, {}));
  expect(places).toEqual([0, 1, 2, 3]);
  expect(texts({ fromMs: 5_000.002 })).toEqual(['b0', 'b1']);
  expect(texts({ beforeMs: 5_000.002 })).toEqual(['a0', 'a1']);
});

test('what a person would read again is walked: no thoughts, and nothing that a client injected', () => {
  const kinds = ['dialogue', 'thinking', 'meta', 'error', 'compaction'] as const;
  storeTurns(store, 's', [
    turnDraft(
      0,
      kinds.map((kind, seq) => chunkDraft(seq, kind, { kind })),
    ),
  ]);
  expect(texts({})).toEqual(['dialogue', 'error', 'compaction']);
});

test('a chunk without a time is before no time, nor after any', () => {
  storeTurns(store, 's', [
    turnDraft(0, [chunkDraft(0, 'undated', at(null)), chunkDraft(1, 'dated', at(10))]),
  ]);
  expect(texts({})).toEqual(['undated', 'dated']);
  for (const beforeMs of [11, 11.5]) expect(texts({ beforeMs })).toEqual(['dated']);
  for (const fromMs of [-1, 0]) expect(texts({ fromMs })).toEqual(['dated']);
});

test('what is deleted by time is what shows that time, also where clocks ran backwards', () => {
  const times = [5_000, 1_000, null];
  storeTurns(store, 's', [
    turnDraft(
      0,
      times.map((ms, seq) => chunkDraft(seq, `${ms}`, at(ms))),
    ),
  ]);
  storeTurns(store, 'undated', [turnDraft(0, [chunkDraft(0, 'undated', at(null))])]);
  const deleted = (filter: ChunkFilter) =>
    store.chunks.get(store.forgetting.ids(filter)).map(({ text }) => text);
  expect(deleted({ beforeMs: 2_000 })).toEqual(['1000']);
  expect(deleted({ fromMs: 2_000 })).toEqual(['5000', 'null']);
  expect(deleted({ fromMs: 1_000, beforeMs: 5_000 })).toEqual(['1000']);
  expect(deleted({})).toEqual(['5000', '1000', 'null', 'undated']);
});

test('the oldest chunks are those of the earliest time, whenever they were read', () => {
  storeTurns(store, 'later', [turnDraft(0, [chunkDraft(0, 'later', at(9_000))])]);
  storeTurns(store, 'earlier', [turnDraft(0, [chunkDraft(0, 'earlier', at(1_000))])]);
  expect(store.chunks.get(store.retention.oldest(1)).map(({ text }) => text)).toEqual(['earlier']);
});

test('a session is in a window if one of its chunks begins there, which can then be walked', () => {
  storeTurns(store, 's', [
    turnDraft(
      0,
      [1_000, 5_000].map((ms, seq) => chunkDraft(seq, 'x', at(ms, ms + 100))),
    ),
  ]);
  const isListed = (fromMs: number, beforeMs: number): boolean => {
    const isThere = store.sessions.list({ projectId: 1, fromMs, beforeMs }).length === 1;
    expect(texts({ projectId: 1, fromMs, beforeMs }).length > 0).toBe(isThere);
    return isThere;
  };
  expect([isListed(0, 2_000), isListed(4_000, 9_000), isListed(0, 9_000)]).toEqual([true, true, true]);
  expect([isListed(2_000, 4_000), isListed(0, 1_000), isListed(5_001, 9_000)]).toEqual([false, false, false]);
  expect([isListed(0, 1_001), isListed(5_000, 9_000)]).toEqual([true, true]);
});

test('a turn is of each window in which it began, ended or went on, and the latest is the one that ended last', () => {
  const turnOf = (seq: number, startMs: number, endMs: number) =>
    turnDraft(seq, [chunkDraft(seq, `turn ${seq}`, at(startMs, endMs))]);
  storeTurns(store, 'a', [turnOf(0, 1_000, 9_000)]);
  storeTurns(store, 'b', [turnOf(0, 3_000, 4_000)]);
  const [long, short] = store.sessions.latestTurns({ fromMs: 0, beforeMs: 10_000, limit: 2 });
  const within = (fromMs: number, beforeMs: number) =>
    store.sessions.latestTurns({ fromMs, beforeMs, limit: 9 });
  expect(within(0, 2_000)).toEqual([long]);
  expect(within(3_500, 3_600)).toEqual([long, short]);
  expect(within(5_000, 6_000)).toEqual([long]);
  expect(within(9_001, 10_000)).toEqual([]);
});

test('requests are those to the main agent that begin in a window', () => {
  store.transcripts.write('/s.jsonl', (writer) => {
    writer.putSession(sessionDraft('s'), { path: '/p', name: 'p' });
    const more = { description: null, toolUseId: null, teamName: null };
    writer.putAgent({ key: 'a', kind: 'subagent', name: 'a', ...more });
    ['first', 'of an agent', 'second', 'third'].forEach((text, n) => {
      const agentKey = text === 'of an agent' ? 'a' : null;
      writer.putTurn(turnDraft(n, [chunkDraft(n, text, at(n * 1_000))], { agentKey }));
    });
  });
  const requests = (fromMs: number, beforeMs: number, latestFirst: boolean, limit = 9): string[] =>
    store.sessions.requests({ fromMs, beforeMs, latestFirst, limit }).map(({ request }) => request);
  expect(requests(0, 3_000, false)).toEqual(['first', 'second']);
  expect(requests(2_000, 3_001, true)).toEqual(['third', 'second']);
  expect(requests(0, Infinity, true, 1)).toEqual(['third']);
  const all = { fromMs: 0, beforeMs: Infinity, latestFirst: true, limit: 9 };
  const within = [{ projectId: 1 }, { sessionId: 1 }, { projectId: 2 }, { sessionId: 2 }];
  expect(within.map((scope) => store.sessions.requests({ ...all, ...scope }).length)).toEqual([3, 3, 0, 0]);
});

test('the notes of a client are no conversation', () => {
  const write = (uuid: string, source: TranscriptSource): void =>
    store.transcripts.write(`/${uuid}`, (writer) => {
      writer.putSession(sessionDraft(uuid, { source }), { path: '/p', name: 'p' });
      writer.putTurn(turnDraft(0, [chunkDraft(0, uuid)]));
    });
  write('notes', 'claude-code-notes');
  write('talk', 'claude-code');
  expect(store.sessions.list({ projectId: 1 }).map(({ uuid }) => uuid)).toEqual(['talk']);
  expect(store.statistics()).toMatchObject({ sessions: 1, chunks: 2 });
});

test('projects, sessions and files that were used last come first', () => {
  const used = (timeMs: number, file: string) => [
    turnDraft(0, [chunkDraft(0, 'text', at(timeMs))], { facts: { filesTouched: [file] } }),
  ];
  storeTurns(store, 'latest', used(9_000, 'z.ts'), '/work/zoo');
  storeTurns(store, 'earlier', used(1_000, 'a.ts'), '/work/zoo');
  storeTurns(store, 'between', used(5_000, 'm.ts'), '/work/app');
  const { id: projectId } = store.projects.findBySlug('zoo')!;
  expect(store.projects.list().map(({ slug }) => slug)).toEqual(['zoo', 'app']);
  expect(store.sessions.list({ projectId }).map(({ uuid }) => uuid)).toEqual(['latest', 'earlier']);
  expect(store.sessions.filesTouched({ projectId, fromMs: 0, limit: 1 })).toMatchObject([{ path: 'z.ts' }]);
});

test('a turn begins and ends with what is searched, not with thoughts', () => {
  const said = [{ speaker: 'assistant' as const, start: 0, end: 4 }];
  const thought = (seq: number) => chunkDraft(seq, 'text', { kind: 'thinking', spans: said });
  const chunks = [thought(0), chunkDraft(1, 'text'), chunkDraft(2, 'text', { spans: said }), thought(3)];
  storeTurns(store, 'a', [turnDraft(0, chunks)]);
  const ids = store.forgetting.ids({});
  const [turn] = store.sessions.latestTurns({ fromMs: 0, beforeMs: 9_000, limit: 1 });
  expect(store.chunks.firstOf(turn!.id)).toBe(ids[1]);
  expect(store.chunks.lastSaidOf(turn!.id)).toBe(ids[2]);
});
