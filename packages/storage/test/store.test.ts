import { beforeEach, expect, test } from 'vitest';
import type { SessionDraft } from '@causantic/domain';
import { chunkDraft as chunk, sessionDraft, turnDraft as turn } from '../../../test/drafts.js';
import { Store } from '../src/index.js';
import { CHECKPOINT, holding, memoryPath, storeTurns } from './sessions.js';

let path: string;

beforeEach(() => {
  path = memoryPath();
});

test('a session of which nothing is kept is not counted, as it is not listed', () => {
  const store = Store.open(path);
  storeTurns(store, 's1', []);
  storeTurns(store, 's2', [turn(0, [chunk(0, 'hello')])]);
  expect(store.statistics().sessions).toBe(1);
  expect(store.sessions.list({ projectId: 1 })).toHaveLength(1);
  store.close();
});

test('a session is called by as much of its id as no other begins with, and found by it', () => {
  const store = Store.open(path);
  const ids = ['ses_30c8d1feaffe0ne', 'ses_30c89d8e6ffe0ne', 'ses_30c89d8e6ffe2wo', 'ses_31143d16bffe0ne'];
  for (const id of ids) storeTurns(store, id, [turn(0, [chunk(0, 'hello')])]);
  const called = ids.map((id) => store.sessions.withPrefix(id, 1)[0]!.shortId);
  expect(called).toEqual(['ses_30c8d1fea', ids[1], ids[2], 'ses_3114']);
  for (const [at, name] of called.entries())
    expect(store.sessions.withPrefix(name, 2).map(({ uuid }) => uuid)).toEqual([ids[at]]);
  expect(
    store.sessions
      .list({ projectId: 1 })
      .map(({ shortId }) => shortId)
      .sort(),
  ).toEqual([...called].sort());
  store.close();
});

test('chunks that contain a text contain it with letters that English does not have, too', () => {
  const store = Store.open(path);
  storeTurns(store, 's1', [turn(0, [chunk(0, 'the Öffner of the door')])]);
  expect(['Öffner', 'ÖFFNER', 'öffner'].map((text) => store.chunks.containing([1], text).size)).toEqual([
    1, 1, 0,
  ]);
  store.close();
});

test('turns that edited files come in their order, whatever their files are called', () => {
  const store = Store.open(path);
  const editing = (ordinal: number, ...filesTouched: string[]) =>
    turn(ordinal, [chunk(ordinal, 'edited')], { facts: { filesTouched } });
  storeTurns(store, 's1', [editing(0, 'z.ts'), turn(1, [chunk(1, 'said')]), editing(2, 'a.ts', 'b.ts')]);
  storeTurns(store, 's2', [editing(0, 'm.ts')]);
  expect(store.sessions.editsIn([2, 1])).toEqual([
    { turnId: 1, sessionId: 1, files: ['z.ts'] },
    { turnId: 3, sessionId: 1, files: ['a.ts', 'b.ts'] },
    { turnId: 4, sessionId: 2, files: ['m.ts'] },
  ]);
  store.close();
});

test('a failed transaction leaves nothing behind', () => {
  const store = Store.open(path);
  const failing = (): void =>
    store.transcripts.write('/t.jsonl', (writer) => {
      writer.putSession(sessionDraft('s1'), { path: '/p', name: 'p' });
      writer.putTurn(turn(0, [chunk(0, 'half of it')]));
      throw new Error('killed');
    });
  expect(failing).toThrow('killed');
  expect(store.statistics()).toMatchObject({ chunks: 0, sessions: 0, turns: 0 });
  expect(store.transcripts.checkpoint('/t.jsonl')).toBeNull();
  expect(holding(store, 'half')).toEqual([]);
  store.close();
});

test('words are found by stem, inside identifiers, by phrase, and only in their project', () => {
  const store = Store.open(':memory:');
  storeTurns(store, 's1', [turn(0, [chunk(0, 'The parser retries getUserName in src/auth/token.ts')])]);
  storeTurns(store, 's2', [turn(0, [chunk(0, 'getUserName elsewhere')])], '/home/me/other');
  const app = store.projects.findBySlug('app')!;
  expect(holding(store, 'retry', app.id)).toHaveLength(1);
  expect(holding(store, 'user', app.id)).toHaveLength(1);
  expect(holding(store, 'getusername')).toHaveLength(2);
  expect(holding(store, 'src/auth/token.ts')).toHaveLength(1);
  expect(holding(store, 'auth src')).toHaveLength(0);
  expect(store.keywords.identifiersContaining('tUserN', 5)).toEqual(['getUserName']);
  store.close();
});

test.each(['"', "it's", 'NEAR(a b)', 'prompt: x', 'a AND', '*', '(((', '', '\0', '{said}'])(
  '%j is text, not query syntax',
  (phrase) => {
    const store = Store.open(':memory:');
    storeTurns(store, 's1', [turn(0, [chunk(0, 'plain words')])]);
    expect(() => holding(store, phrase)).not.toThrow();
    store.close();
  },
);

test('the name of a project holds nothing that a terminal would obey, nor what turns the order of letters', () => {
  const store = Store.open(':memory:');
  storeTurns(store, 's1', [turn(0, [chunk(0, 'one')])], '/home/me/a\u001b[2J\u009b\u202e\nb');
  expect(store.projects.slugsInUse()).toEqual(['a-[2J-b']);
  store.close();
});

test('equal folder names stay apart', () => {
  const store = Store.open(':memory:');
  storeTurns(store, 's1', [turn(0, [chunk(0, 'one')])], '/home/me/work/api');
  storeTurns(store, 's2', [turn(0, [chunk(0, 'two')])], '/home/me/play/api');
  storeTurns(store, 's3', [turn(0, [chunk(0, 'three')])], '/srv/play/api');
  storeTurns(store, 's4', [turn(0, [chunk(0, 'four')])], '/play/api');
  expect(store.projects.slugsInUse()).toEqual(['api', 'play-api', 'play-api-2', 'srv-play-api']);
  store.close();
});

test('a grown transcript replaces its last turns and keeps order although clocks run backwards', () => {
  const store = Store.open(':memory:');
  storeTurns(store, 's1', [
    turn(0, [chunk(0, 'first', { startTimeMs: 1000 })]),
    turn(1, [chunk(1, 'second', { startTimeMs: 9000 })]),
    turn(2, [chunk(2, 'third', { startTimeMs: 5000 })]),
  ]);
  store.transcripts.write('/s1.jsonl', (writer) => {
    expect(writer.checkpoint).toEqual(CHECKPOINT);
    writer.putSession(sessionDraft('s1'), { path: '/elsewhere', name: 'elsewhere' });
    writer.dropTurnsFromLine(3);
    writer.putTurn(
      turn(2, [chunk(2, 'third and more', { startTimeMs: 5000 }), chunk(3, 'fourth', { startTimeMs: 6000 })]),
    );
  });
  const session = store.sessions.withPrefix('s1', 2)[0]!;
  const texts = [...store.chunks.walk({ sessionId: session.id }, 'oldest')].map((each) => each.text);
  expect(texts).toEqual(['first', 'second', 'third and more', 'fourth']);
  expect(holding(store, 'third')).toHaveLength(1);
  expect(store.projects.findByPath('/elsewhere')).toBeUndefined();
  store.close();
});

test('a session that is read on keeps its first folder, and what the new part does not tell', () => {
  const store = Store.open(':memory:');
  const read = (more: Partial<SessionDraft>): void =>
    store.transcripts.write('/s1.jsonl', (writer) => {
      writer.putSession(sessionDraft('s1', more), { path: '/app', name: 'app' });
      writer.reset();
      writer.putTurn(turn(0, [chunk(0, 'hello')]));
    });
  read({ cwd: '/app/first', title: 'Paint', gitBranch: 'fence' });
  read({ cwd: '/app/second' });
  const [session] = store.sessions.withPrefix('s1', 1);
  expect(store.sessions.get(session!.id)).toMatchObject({ title: 'Paint', gitBranch: 'fence' });
  const folders = store.sessions.folders().map(({ path }) => path);
  expect(folders).toContain('/app/first');
  expect(folders).not.toContain('/app/second');
  store.close();
});

test('records of a fork belong to whoever read them first, and the fork is linked', () => {
  const store = Store.open(':memory:');
  const [shared, own] = ['11111111-1111-1111-1111-111111111111', 'not-a-uuid'];
  store.transcripts.write('/a', (writer) => {
    writer.putSession(sessionDraft('s1'), { path: '/p', name: 'p' });
    writer.claimRecords([shared]);
    expect(writer.isOwnedByOther(shared)).toBe(false);
    writer.putTurn(turn(0, [chunk(0, 'original')]));
  });
  store.transcripts.write('/b', (writer) => {
    writer.putSession(sessionDraft('s2'), { path: '/p', name: 'p' });
    expect([shared, own].map((uuid) => writer.isOwnedByOther(uuid))).toEqual([true, false]);
    writer.linkFork(shared);
    writer.putTurn(turn(0, [chunk(0, 'continuation')]));
  });
  expect(store.sessions.get(store.sessions.withPrefix('s2', 1)[0]!.id)!.continuesUuid).toBe('s1');
  store.close();
});

test('what another connection wrote is seen at once', () => {
  const reader = Store.open(path);
  const writer = Store.open(path);
  storeTurns(writer, 's1', [turn(0, [chunk(0, 'fresh news')])]);
  expect(holding(reader, 'fresh')).toHaveLength(1);
  expect(reader.projects.list().map((each) => each.slug)).toEqual(['app']);
  reader.close();
  writer.close();
});

test('vectors follow their chunks: pending, stored, versioned, gone with the chunk', () => {
  const store = Store.open(':memory:');
  storeTurns(store, 's1', [
    turn(0, [chunk(0, 'one'), chunk(1, 'two'), chunk(2, 'a thought', { kind: 'thinking' })]),
  ]);
  const projectId = store.projects.findBySlug('app')!.id;
  const pending = store.vectors.pending('m', 0, 10);
  expect(pending.map((each) => each.text)).toEqual(['one', 'two']);
  const ids = pending.map((each) => each.id);
  expect(store.vectors.put('m', [...ids, 999], new Float32Array([1, 0, 0, 1, 9, 9]))).toBe(2);
  expect(store.vectors.countPending('m')).toBe(0);
  expect([...store.vectors.get('m', ids, 2)]).toEqual([1, 0, 0, 1]);
  const used = new Uint8Array(20).fill(7).buffer;
  expect([...store.vectors.get('m', [999, ids[1]!], 2, used)]).toEqual([0, 0, 0, 1]);
  const version = store.vectors.version('m', projectId)!;
  store.forgetting.delete([ids[0]!]);
  expect([...store.vectors.ids('m', projectId)]).toEqual([ids[1]]);
  expect(store.vectors.version('m', projectId)).not.toBe(version);
  store.close();
});

test('a topic that lost a chunk while it was found has no label, which may hold words of that chunk', () => {
  const store = Store.open(':memory:');
  storeTurns(store, 's1', [turn(0, [chunk(0, 'one'), chunk(1, 'two'), chunk(2, 'a plan')])]);
  const projectId = store.projects.findBySlug('app')!.id;
  const [one, two, gone] = store.vectors.pending('m', 0, 10).map(({ id }) => id);
  store.forgetting.delete([gone!]);
  const cluster = (label: string) => ({
    id: null,
    label,
    medoidId: one!,
    centroid: new Float32Array([1, 0]),
  });
  const member = (chunkId: number, at: number) => ({ chunkId, cluster: at, probability: 1 });
  store.clusters.replace({
    projectId,
    modelId: 'm',
    clusters: [cluster('one'), cluster('two, plan')],
    members: [member(one!, 0), member(two!, 1), member(gone!, 1)],
  });
  expect(store.clusters.ofProject(projectId).map(({ label }) => label)).toEqual(['one', '']);
  store.close();
});

test('topics of a project that is gone when they are found are let go', () => {
  const store = Store.open(':memory:');
  const cluster = { id: null, label: 'one', medoidId: null, centroid: new Float32Array([1, 0]) };
  store.clusters.replace({ projectId: 7, modelId: 'm', clusters: [cluster], members: [] });
  expect(store.clusters.ofProject(7)).toEqual([]);
  store.close();
});

test('what a transcript drops to be read again is its own', () => {
  const store = Store.open(':memory:');
  for (const name of ['a', 'b'])
    storeTurns(store, name, [turn(0, [chunk(0, `${name}0`)]), turn(1, [chunk(1, `${name}1`)])]);
  const left = (): string => [...store.chunks.walk({}, 'oldest')].map(({ text }) => text).join(' ');
  store.transcripts.write('/a.jsonl', (writer) => writer.dropTurnsFromLine(2));
  expect(left()).toBe('a0 b0 b1');
  store.transcripts.write('/a.jsonl', (writer) => writer.dropChunksOfLines(new Set([1, 2])));
  expect(left()).toBe('b0 b1');
  store.close();
});

test('a pass over one project replaces its topics, and none of another; the largest are told first', () => {
  const store = Store.open(':memory:');
  const pass = (projectId: number, label: string): void => {
    const ids = store.forgetting.ids({ projectId });
    const cluster = { id: null, label, medoidId: ids[0]!, centroid: new Float32Array([1, 0]) };
    const members = ids.map((chunkId) => ({ chunkId, cluster: 0, probability: 1 }));
    store.clusters.replace({ projectId, modelId: 'm', clusters: [cluster], members });
  };
  storeTurns(store, 'loom', [turn(0, [chunk(0, 'loom')])], '/loom');
  storeTurns(store, 'mill', [turn(0, [chunk(0, 'mill'), chunk(1, 'stone')])], '/mill');
  pass(1, 'of the loom');
  pass(2, 'of the mill');
  pass(2, 'anew');
  expect(store.clusters.largest(9)).toEqual([
    { project: 'mill', label: 'anew', chunks: 2 },
    { project: 'loom', label: 'of the loom', chunks: 1 },
  ]);
  store.close();
});

test('chunks stand beside each other in the order of their transcript, whenever they were stored', async () => {
  const store = Store.open(':memory:');
  const standing = async (): Promise<unknown> => {
    await store.directory.refresh();
    const texts = new Map([...store.chunks.walk({}, 'oldest')].map(({ id, text }) => [id, text] as const));
    const beside = (id: number, offset: -1 | 1): string | undefined =>
      texts.get(store.directory.neighbour(id, offset) ?? 0);
    return Object.fromEntries([...texts].map(([id, text]) => [text, [beside(id, -1), beside(id, 1)]]));
  };
  storeTurns(store, 's1', [turn(0, [chunk(0, 'a0')]), turn(2, [chunk(2, 'a2')])]);
  storeTurns(store, 's2', [turn(0, [chunk(0, 'b0'), chunk(1, 'b1')])]);
  expect(await standing()).toEqual({
    a0: [undefined, undefined],
    a2: [undefined, undefined],
    b0: [undefined, 'b1'],
    b1: ['b0', undefined],
  });
  storeTurns(store, 's1', [turn(1, [chunk(1, 'a1')]), turn(3, [chunk(3, 'a3')])]);
  expect(await standing()).toMatchObject({
    a0: [undefined, 'a1'],
    a1: ['a0', 'a2'],
    a2: ['a1', 'a3'],
    a3: ['a2', undefined],
    b0: [undefined, 'b1'],
  });
  store.close();
});
