import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import type { ChunkDraft, TurnDraft } from '@causantic/domain';
import { chunkDraft as chunk, sessionDraft, turnDraft as turn } from '../../../test/drafts.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { openSqlite, Store, pieceHash, withThreadStore } from '../src/index.js';
import { CHECKPOINT } from './sessions.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'home', 'memory.db');
});

const WEIGHTS = { prompt: 1, said: 1, tools: 1, results: 1, words: 1 };

function ingest(
  store: Store,
  file: string,
  uuid: string,
  turns: TurnDraft[],
  projectPath = '/home/me/app',
): void {
  store.transcripts.write(file, (writer) => {
    const session = sessionDraft(uuid, { title: `Title of ${uuid}` });
    writer.putSession(session, { path: projectPath, name: projectPath.split('/').at(-1)! });
    for (const each of turns) writer.putTurn(each);
    writer.save(CHECKPOINT);
  });
}

const found = (store: Store, phrase: string, projectId?: number): number[] =>
  store.keywords.postings(phrase, projectId === undefined ? {} : { projectId }, WEIGHTS, 100).ids;

test('a session of which nothing is kept is not counted, as it is not listed', () => {
  const store = Store.open(path);
  ingest(store, '/empty.jsonl', 's1', []);
  ingest(store, '/t.jsonl', 's2', [turn(0, [chunk(0, 'hello')])]);
  expect(store.statistics().sessions).toBe(1);
  expect(store.sessions.list({ projectId: 1 })).toHaveLength(1);
  store.close();
});

test.skipIf(process.platform === 'win32')('the folder is 0700 and every file 0600', () => {
  const store = Store.open(path);
  ingest(store, '/t.jsonl', 's1', [turn(0, [chunk(0, 'hello')])]);
  expect(statSync(join(folder, 'home')).mode & 0o777).toBe(0o700);
  for (const suffix of ['', '-wal', '-shm']) expect(statSync(path + suffix).mode & 0o777).toBe(0o600);
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
  expect(found(store, 'half')).toEqual([]);
  store.close();
});

test('words are found by stem, inside identifiers, by phrase, and only in their project', () => {
  const store = Store.open(':memory:');
  ingest(store, '/a', 's1', [turn(0, [chunk(0, 'The parser retries getUserName in src/auth/token.ts')])]);
  ingest(store, '/b', 's2', [turn(0, [chunk(0, 'getUserName elsewhere')])], '/home/me/other');
  const app = store.projects.findBySlug('app')!;
  expect(found(store, 'retry', app.id)).toHaveLength(1);
  expect(found(store, 'user', app.id)).toHaveLength(1);
  expect(found(store, 'getusername')).toHaveLength(2);
  expect(found(store, 'src/auth/token.ts')).toHaveLength(1);
  expect(found(store, 'auth src')).toHaveLength(0);
  expect(store.keywords.identifiersContaining('tUserN', 5)).toEqual(['getUserName']);
  store.close();
});

test.each(['"', "it's", 'NEAR(a b)', 'prompt: x', 'a AND', '*', '(((', '', '\0', '{said}'])(
  '%j is text, not query syntax',
  (phrase) => {
    const store = Store.open(':memory:');
    ingest(store, '/a', 's1', [turn(0, [chunk(0, 'plain words')])]);
    expect(() => found(store, phrase)).not.toThrow();
    store.close();
  },
);

test('the name of a project holds nothing that a terminal would obey, nor what turns the order of letters', () => {
  const store = Store.open(':memory:');
  ingest(store, '/a', 's1', [turn(0, [chunk(0, 'one')])], '/home/me/a\u001b[2J\u009b\u202e\nb');
  expect(store.projects.slugsInUse()).toEqual(['a-[2J-b']);
  store.close();
});

test('equal folder names stay apart', () => {
  const store = Store.open(':memory:');
  ingest(store, '/a', 's1', [turn(0, [chunk(0, 'one')])], '/home/me/work/api');
  ingest(store, '/b', 's2', [turn(0, [chunk(0, 'two')])], '/home/me/play/api');
  ingest(store, '/c', 's3', [turn(0, [chunk(0, 'three')])], '/srv/play/api');
  expect(store.projects.slugsInUse()).toEqual(['api', 'play-api', 'play-api-2']);
  store.close();
});

test('a grown transcript replaces its last turns and keeps order although clocks run backwards', () => {
  const store = Store.open(':memory:');
  ingest(store, '/a', 's1', [
    turn(0, [chunk(0, 'first', { startTimeMs: 9000 })]),
    turn(1, [chunk(1, 'second', { startTimeMs: 5000 })]),
  ]);
  store.transcripts.write('/a', (writer) => {
    expect(writer.checkpoint).toEqual(CHECKPOINT);
    writer.putSession(sessionDraft('s1'), { path: '/elsewhere', name: 'elsewhere' });
    writer.dropTurnsFromLine(2);
    writer.putTurn(
      turn(1, [chunk(1, 'second and more', { startTimeMs: 5000 }), chunk(2, 'third', { startTimeMs: 6000 })]),
    );
  });
  const session = store.sessions.withPrefix('s1', 2)[0]!;
  const texts = [...store.chunks.walk({ sessionId: session.id }, 'oldest')].map((each) => each.text);
  expect(texts).toEqual(['first', 'second and more', 'third']);
  expect(found(store, 'second')).toHaveLength(1);
  expect(store.projects.findByPath('/elsewhere')).toBeUndefined();
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

test('forgetting removes text, index, facts, title and identifiers, and the place stays forgotten', () => {
  const store = Store.open(path);
  ingest(store, '/a', 's1', [
    turn(0, [chunk(0, 'remove secretPlanAlpha now')]),
    turn(1, [chunk(1, 'keep this one')]),
  ]);
  const project = store.projects.findBySlug('app')!;
  expect(store.forgetting.ids({ projectId: project.id, beforeMs: 1000 })).toHaveLength(1);
  expect(store.forgetting.delete(store.forgetting.ids({ projectId: project.id, beforeMs: 1000 }))).toBe(1);
  const session = store.sessions.withPrefix('s1', 1)[0]!;
  expect(found(store, 'secretplanalpha')).toEqual([]);
  expect(store.keywords.identifiersContaining('PlanAlpha', 5)).toEqual([]);
  expect(store.sessions.turns([session.id]).map(({ facts }) => facts)).toEqual([
    { request: 'keep this one' },
  ]);
  expect(store.sessions.get(session.id)!.title).toBeNull();
  store.transcripts.write('/a', (writer) => {
    const piece = pieceHash('remove secretPlanAlpha now');
    expect(writer.forgotten()).toMatchObject([{ lineStart: 1, lineEnd: 1, piece }]);
  });
  expect(store.integrityIssues()).toEqual([]);
  store.close();
});

test.each([
  ['José Müller', ['JOSÉ MÜLLER', 'josé müller'.normalize('NFD')]],
  ['ПАРОЛЬ', ['пароль']],
  ['jose', []],
])('who forgets %j finds it in any letter case, however its accents are stored', (words, holding) => {
  const texts = ['Call JOSÉ MÜLLER.', 'Ask josé müller.'.normalize('NFD'), 'Где пароль?', 'José'];
  const store = Store.open(':memory:');
  ingest(store, '/a', 's1', [
    turn(
      0,
      texts.map((text, seq) => chunk(seq, text)),
    ),
  ]);
  const held = store.chunks.get(store.forgetting.holding(words, store.forgetting.ids({})));
  expect(held.map(({ text }) => text)).toEqual(
    texts.filter((text) => holding.some((each) => text.includes(each))),
  );
  store.close();
});

test('nothing of forgotten texts stays in the file, however long they were or often they were written', () => {
  const store = Store.open(path);
  const long = (seq: number): ChunkDraft =>
    chunk(seq, `secretword${seq} ${'and so on '.repeat(400 * seq)} lastsecret${seq}`);
  const turns = Array.from({ length: 30 }, (_, seq) => turn(seq, [long(seq)]));
  ingest(store, '/a', 's1', turns);
  store.transcripts.write('/a', (writer) => writer.reset());
  ingest(store, '/a', 's1', turns);
  ingest(store, '/b', 's2', [turn(0, [chunk(0, 'keep this one')])]);
  const session = store.sessions.withPrefix('s1', 1)[0]!;
  store.forgetting.delete(store.forgetting.ids({ sessionId: session.id }));
  expect(found(store, 'keep')).toHaveLength(1);
  expect(store.integrityIssues()).toEqual([]);
  store.close();
  const bytes = readFileSync(path, 'latin1');
  expect(bytes).toContain('keep this one');
  expect(bytes.match(/(?:secretword|lastsecret)\d*/g)).toBeNull();
});

test('nor where SQLite moved rows from one page to another before they were forgotten', () => {
  const store = Store.open(path);
  const text = (seq: number): string => `(secret${seq}) ${'and so on '.repeat((seq * 7919) % 60)}`;
  const turns = Array.from({ length: 200 }, (_, seq) => turn(seq, [chunk(seq, text(seq))]));
  ingest(store, '/a', 's1', turns);
  const ids = store.forgetting.ids({});
  const rounds = 3;
  const roundOf = (seq: number): number => (seq * 31) % (rounds + 1);
  for (let round = 0; round < rounds; round++) {
    store.forgetting.delete(ids.filter((_id, seq) => roundOf(seq) === round));
  }
  store.close();
  const kept = ids.flatMap((_id, seq) => (roundOf(seq) === rounds ? [`(secret${seq})`] : []));
  expect(new Set(readFileSync(path, 'latin1').match(/\(secret\d+\)/g))).toEqual(new Set(kept));
});

test('what an agent was asked to do goes with the call that says it, and does not come back', () => {
  const store = Store.open(path);
  const agent = {
    key: 'a1',
    kind: 'subagent' as const,
    name: 'helper',
    description: 'Look for the secretplan',
    toolUseId: null,
    teamName: null,
  };
  ingest(store, '/a', 's1', [turn(0, [chunk(0, '[Task] helper Look for the secretplan')])]);
  const readAgent = (): void =>
    store.transcripts.write('/a/agent-a1', (writer) => {
      writer.putSession(sessionDraft('s1'), { path: '/home/me/app', name: 'app' });
      writer.reset();
      writer.putAgent(agent);
      writer.putTurn(turn(0, [chunk(0, 'There is none.')], { agentKey: 'a1' }));
    });
  readAgent();
  store.forgetting.delete([store.forgetting.ids({})[0]!]);
  expect(readFileSync(path, 'latin1')).not.toContain('secretplan');
  readAgent();
  expect(store.chunks.get(store.forgetting.ids({}))[0]!.agentName).toBe('helper');
  store.close();
  expect(readFileSync(path, 'latin1')).not.toContain('secretplan');
});

test('what a transcript says no more when it is read anew is in no file after compacting', () => {
  const store = Store.open(path);
  const read = (text: string): void => {
    store.transcripts.write('/a', (writer) => writer.reset());
    ingest(store, '/a', 's1', [turn(0, [chunk(0, text)])]);
  };
  read('The key is secretKeyOfAda and opens myFrontDoor.');
  read('The key is [REDACTED] and opens myFrontDoor.');
  store.compact();
  expect(store.keywords.identifiersContaining('FrontDoor', 5)).toEqual(['myFrontDoor']);
  store.close();
  expect(readFileSync(path, 'latin1').toLowerCase()).not.toContain('keyofada');
});

test('a file that is no database is named in the error', () => {
  const file = join(folder, 'broken.db');
  writeFileSync(file, 'this is not a database, but long enough to be looked at as one'.repeat(40));
  expect(() => Store.open(file)).toThrow(
    expect.objectContaining({ code: 'CORRUPT', message: expect.stringContaining(file) }),
  );
});

test.each([
  ['lies below a file', 'broken/home/memory.db', () => writeFileSync(join(folder, 'broken'), '')],
  ['is a folder', 'home/memory.db', () => mkdirSync(join(folder, 'home/memory.db'), { recursive: true })],
])('a database that %s is said to be out of reach', (_what, place, harm) => {
  harm();
  const file = join(folder, place);
  expect(() => Store.open(file)).toThrow(
    expect.objectContaining({ code: 'NO_ACCESS', message: expect.stringContaining(file) }),
  );
});

function reading(database: string, shell = ''): Record<string, unknown> {
  const program = fileURLToPath(new URL('reading-process.mjs', import.meta.url));
  const command = `${shell} exec '${process.execPath}' '${program}' '${database}'`;
  return JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' })) as Record<string, unknown>;
}

test.skipIf(process.platform === 'win32')('a memory that cannot be written can be read as it stands', () => {
  const writer = Store.open(path);
  ingest(writer, '/a', 's1', [turn(0, [chunk(0, 'fresh news')])]);
  writer.close();
  chmodSync(folder, 0o755);
  chmodSync(path, 0o444);
  chmodSync(join(folder, 'home'), 0o555);
  const seen = reading(path);
  chmodSync(join(folder, 'home'), 0o755);
  expect(seen).toEqual({
    opened: 'NO_ACCESS',
    read: { found: 1, isWritable: false, isInPlace: true, written: 'NO_ACCESS' },
    copied: { found: 1 },
  });
});

test.skipIf(process.platform === 'win32')('a limit on the size of files is no fault of the schema', () => {
  chmodSync(folder, 0o777);
  expect(reading(join(folder, 'memory.db'), 'ulimit -f 100;')).toMatchObject({ opened: 'DISK_FAILED' });
});

test('what another connection wrote is seen at once', () => {
  const reader = Store.open(path);
  const writer = Store.open(path);
  ingest(writer, '/a', 's1', [turn(0, [chunk(0, 'fresh news')])]);
  expect(found(reader, 'fresh')).toHaveLength(1);
  expect(reader.projects.list().map((each) => each.slug)).toEqual(['app']);
  reader.close();
  writer.close();
});

test('vectors follow their chunks: pending, stored, versioned, gone with the chunk', () => {
  const store = Store.open(':memory:');
  ingest(store, '/a', 's1', [
    turn(0, [chunk(0, 'one'), chunk(1, 'two'), chunk(2, 'a thought', { kind: 'thinking' })]),
  ]);
  const projectId = store.projects.findBySlug('app')!.id;
  const pending = store.vectors.pending('m', 0, 10);
  expect(pending.map((each) => each.text)).toEqual(['one', 'two']);
  const ids = pending.map((each) => each.id);
  expect(store.vectors.put('m', [...ids, 999], new Float32Array([1, 0, 0, 1, 9, 9]))).toBe(2);
  expect(store.vectors.countPending('m')).toBe(0);
  expect([...store.vectors.get('m', ids, 2)]).toEqual([1, 0, 0, 1]);
  const version = store.vectors.version('m', projectId)!;
  store.forgetting.delete([ids[0]!]);
  expect([...store.vectors.ids('m', projectId)]).toEqual([ids[1]]);
  expect(store.vectors.version('m', projectId)).not.toBe(version);
  store.close();
});

test('a topic that lost a chunk while it was found has no label, which may hold words of that chunk', () => {
  const store = Store.open(':memory:');
  ingest(store, '/a', 's1', [turn(0, [chunk(0, 'one'), chunk(1, 'two'), chunk(2, 'a plan')])]);
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

test('chunks stand beside each other in the order of their transcript, whenever they were stored', async () => {
  const store = Store.open(':memory:');
  const standing = async (): Promise<unknown> => {
    await store.directory.refresh();
    const texts = new Map([...store.chunks.walk({}, 'oldest')].map(({ id, text }) => [id, text] as const));
    const beside = (id: number, offset: -1 | 1): string | undefined =>
      texts.get(store.directory.neighbour(id, offset) ?? 0);
    return Object.fromEntries([...texts].map(([id, text]) => [text, [beside(id, -1), beside(id, 1)]]));
  };
  ingest(store, '/a', 's1', [turn(0, [chunk(0, 'a0')]), turn(2, [chunk(2, 'a2')])]);
  ingest(store, '/b', 's2', [turn(0, [chunk(0, 'b0'), chunk(1, 'b1')])]);
  expect(await standing()).toEqual({
    a0: [undefined, undefined],
    a2: [undefined, undefined],
    b0: [undefined, 'b1'],
    b1: ['b0', undefined],
  });
  ingest(store, '/a', 's1', [turn(1, [chunk(1, 'a1')]), turn(3, [chunk(3, 'a3')])]);
  expect(await standing()).toMatchObject({
    a0: [undefined, 'a1'],
    a1: ['a0', 'a2'],
    a2: ['a1', 'a3'],
    a3: ['a2', undefined],
    b0: [undefined, 'b1'],
  });
  store.close();
});

test('who comes to read does not wait for a writer', () => {
  Store.open(path).close();
  const writer = openSqlite(path);
  writer.exec('BEGIN IMMEDIATE');
  const reader = Store.open(path, { busyTimeoutMs: 0 });
  expect(reader.projects.list()).toEqual([]);
  reader.close();
  writer.close();
});

test.each<[what: string, write: (store: Store) => unknown]>([
  ['a model', ({ embedding }) => embedding.choose('m')],
  ['the model that is searched', ({ embedding }) => embedding.serve('m')],
  ['a rebuild of vectors', ({ embedding }) => embedding.noteRemaking('m')],
  ['a lease', ({ embedding }) => embedding.acquire({ owner: 'me', untilMs: 1 }, 0)],
  ['a lease of others', ({ embedding }) => embedding.seize({ owner: 'me', untilMs: 1 })],
  ['the end of a lease', ({ embedding }) => embedding.release('me')],
  ['vectors to drop', ({ vectors }) => vectors.dropAll('m')],
  ['topics to find anew', ({ clusters }) => clusters.expire()],
  ['transcripts to read anew', ({ transcripts }) => transcripts.forgetReading('codex')],
  ['a project', ({ projects }) => projects.ensure({ path: '/home/me/app', name: 'app' })],
])('%s that cannot be written in time is told with the database and the reason', (_what, write) => {
  const store = Store.open(path, { busyTimeoutMs: 0 });
  const other = openSqlite(path);
  other.exec('BEGIN IMMEDIATE');
  const who = process.platform === 'linux' ? `process ${process.pid} (` : 'another process';
  const busy = { code: 'BUSY', message: expect.stringContaining(`${path} is locked by ${who}`) };
  expect(() => write(store)).toThrow(expect.objectContaining(busy));
  other.close();
  store.close();
});

test('tables that a newer program changed are left alone, also by who has them open', () => {
  const store = Store.open(path);
  const newer = openSqlite(path);
  newer.exec("INSERT INTO schema_version VALUES (999, '2099-01-01 00:00:00.000')");
  newer.close();
  expect(store.isInPlace()).toBe(false);
  store.close();
  expect(() => Store.open(path)).toThrow(/schema version 999, .*Update Causantic, and restart/);
});

test('what has become wrong with a memory is said each time that a thread wants to open it', () => {
  expect(withThreadStore(path, (store) => store.statistics().chunks)).toBe(0);
  const newer = openSqlite(path);
  newer.exec("INSERT INTO schema_version VALUES (999, '2099-01-01 00:00:00.000')");
  newer.close();
  for (let time = 0; time < 2; time++)
    expect(() => withThreadStore(path, () => undefined)).toThrow(/schema version 999/);
});

// On Windows a file that somebody has open cannot be moved.
test.skipIf(process.platform === 'win32')(
  'a store knows whether its file is still where it was, and is told from the next one there',
  () => {
    const store = Store.open(path);
    const again = Store.open(path);
    const { madeAt } = store;
    expect([store.isInPlace(), madeAt]).toEqual([true, again.madeAt]);
    again.close();
    renameSync(path, `${path}.old`);
    expect(store.isInPlace()).toBe(false);
    store.close();
    const next = Store.open(path);
    expect([next.isInPlace(), next.madeAt === madeAt]).toEqual([true, false]);
    next.close();
  },
);
