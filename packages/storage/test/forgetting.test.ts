import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import type { ChunkDraft } from '@causantic/domain';
import { chunkDraft as chunk, sessionDraft, turnDraft as turn } from '../../../test/drafts.js';
import { openSqlite, pieceHash, Store, type TranscriptWriter } from '../src/index.js';
import { CHECKPOINT, holding, memoryPath, storeTurns } from './sessions.js';

let path: string;

beforeEach(() => {
  path = memoryPath();
});

test('forgetting removes text, index, facts, title and identifiers, and the place stays forgotten', () => {
  const store = Store.open(path);
  storeTurns(store, 's1', [
    turn(0, [chunk(0, 'remove secretPlanAlpha now')]),
    turn(1, [chunk(1, 'keep this one')]),
  ]);
  const project = store.projects.findBySlug('app')!;
  expect(store.forgetting.ids({ projectId: project.id, beforeMs: 1000 })).toHaveLength(1);
  expect(store.forgetting.delete(store.forgetting.ids({ projectId: project.id, beforeMs: 1000 }))).toBe(1);
  const session = store.sessions.withPrefix('s1', 1)[0]!;
  expect(holding(store, 'secretplanalpha')).toEqual([]);
  expect(store.keywords.identifiersContaining('PlanAlpha', 5)).toEqual([]);
  expect(store.sessions.turns([session.id]).map(({ facts }) => facts)).toEqual([
    { request: 'keep this one' },
  ]);
  expect(store.sessions.get(session.id)!.title).toBeNull();
  store.transcripts.write('/s1.jsonl', (writer) => {
    const piece = pieceHash('remove secretPlanAlpha now');
    expect(writer.forgotten()).toMatchObject([{ lineStart: 1, lineEnd: 1, piece }]);
  });
  expect(store.integrityIssues()).toEqual([]);
  store.close();
});

test('cancelled before it can write, a deletion deletes nothing; one that has begun is finished', () => {
  const store = Store.open(':memory:');
  const chunks = Array.from({ length: 2_001 }, (_, seq) => chunk(seq, `chunk ${seq}`));
  storeTurns(store, 's1', [turn(0, chunks)]);
  const ids = store.forgetting.ids({});
  expect(() => store.forgetting.delete(ids, { isCancelled: () => true })).toThrow(
    expect.objectContaining({ code: 'ABORTED' }),
  );
  expect(store.forgetting.ids({})).toEqual(ids);
  let asked = 0;
  const told: number[][] = [];
  const deleted = store.forgetting.delete(ids, {
    isCancelled: () => asked++ > 0,
    onProgress: (...progress) => told.push(progress),
  });
  expect({ deleted, told }).toEqual({
    deleted: 2_001,
    told: [
      [2_000, 2_001],
      [2_001, 2_001],
    ],
  });
  store.close();
});

test('the word index is written anew behind a deletion, and not within it, where others wait to write', () => {
  const store = Store.open(path);
  const chunks = Array.from({ length: 5_000 }, (_, seq) => chunk(seq, `chunk ${seq}`));
  storeTurns(store, 's1', [turn(0, chunks)]);
  const other = openSqlite(path);
  other.exec("INSERT INTO chunk_fts(chunk_fts) VALUES ('optimize')");
  const pieces = () => other.prepare('SELECT DISTINCT segid FROM chunk_fts_idx').pluck().all();
  const before = pieces();
  const meanwhile: unknown[] = [];
  store.forgetting.delete(store.forgetting.ids({}).slice(0, 4_000), {
    onProgress: () => meanwhile.push(...pieces()),
  });
  expect(meanwhile).toEqual([...before, ...before]);
  expect(pieces()).not.toEqual(before);
  expect(other.prepare("SELECT v FROM chunk_fts_config WHERE k = 'deletemerge'").pluck().get()).toBe(10);
  other.close();
  store.close();
});

test('what a turn did is forgotten with any part of it', () => {
  const store = Store.open(':memory:');
  storeTurns(store, 's1', [turn(0, [chunk(0, 'Pay Ada Byron'), chunk(1, 'Paid.')])]);
  const [session] = store.sessions.withPrefix('s1', 1);
  expect(store.sessions.turns([session!.id])).toMatchObject([{ facts: { request: 'Pay Ada Byron' } }]);
  store.forgetting.delete(store.forgetting.ids({}).slice(0, 1));
  expect(store.sessions.turns([session!.id]).map(({ facts }) => facts)).toEqual([{}]);
  store.close();
});

test('a project of which all is forgotten is not offered by its name', () => {
  const store = Store.open(':memory:');
  storeTurns(store, 's1', [turn(0, [chunk(0, 'one')])], '/secret-client');
  storeTurns(store, 's2', [turn(0, [chunk(0, 'two')])], '/shop');
  expect(store.projects.slugsInUse()).toEqual(['secret-client', 'shop']);
  store.forgetting.delete(store.forgetting.ids({}).slice(0, 1));
  expect(store.projects.slugsInUse()).toEqual(['shop']);
  store.close();
});

test.each([
  ['a part of a session', 1],
  ['a whole session', 2],
])('where %s was forgotten, its project is linked anew', (_, count) => {
  const store = Store.open(':memory:');
  storeTurns(store, 's1', [turn(0, [chunk(0, 'one'), chunk(1, 'two')])]);
  storeTurns(store, 's2', [turn(0, [chunk(0, 'three')])]);
  const project = store.projects.findBySlug('app')!;
  store.edges.write(project.id, () => undefined);
  expect(store.edges.unlinkedProjects()).toEqual([]);
  store.forgetting.delete(store.forgetting.ids({}).slice(0, count));
  expect(store.edges.unlinkedProjects()).toEqual([project.id]);
  store.close();
});

test.each(['TaskCreate', 'TaskUpdate'])(
  'the text of a task goes with a call of %s from all turns of its session, which name it by its number',
  async (tool) => {
    const store = Store.open(':memory:');
    const tasks = [{ text: 'Pay Ada Byron', status: 'completed' as const }];
    storeTurns(store, 's1', [
      turn(0, [chunk(0, `[${tool}] Pay Ada Byron`, { tools: [tool] })], { facts: { tasks } }),
      turn(1, [chunk(1, '#1 completed')], { facts: { request: 'and now?', tasks } }),
    ]);
    storeTurns(store, 's2', [turn(0, [chunk(0, 'other')], { facts: { tasks } })]);
    const facts = (uuid: string) =>
      store.sessions.turns([store.sessions.withPrefix(uuid, 1)[0]!.id]).map((each) => each.facts);
    store.forgetting.delete(await store.forgetting.holding('ada byron', store.forgetting.ids({})));
    expect(facts('s1')).toEqual([{ request: 'and now?' }]);
    expect(facts('s2')).toEqual([{ tasks }]);
    store.close();
  },
);

test('who looks for words in many chunks gives other work a turn', async () => {
  const store = Store.open(':memory:');
  const texts = Array.from({ length: 2_500 }, (_, seq) => (seq % 1_000 === 7 ? 'of Ada Byron' : 'of others'));
  storeTurns(store, 's1', [
    turn(
      0,
      texts.map((text, seq) => chunk(seq, text)),
    ),
  ]);
  let hadTurn = false;
  setImmediate(() => (hadTurn = true));
  expect(await store.forgetting.holding('ada byron', store.forgetting.ids({}))).toEqual([8, 1008, 2008]);
  expect(hadTurn).toBe(true);
  store.close();
});

test.each([
  ['José Müller', ['JOSÉ MÜLLER', 'josé müller'.normalize('NFD')]],
  ['ПАРОЛЬ', ['пароль']],
  ['jose', []],
  ['Ada Byron', ['ADA\nByron', 'Ada  Byron']],
  [' Ada Byron ', ['ADA\nByron', 'Ada  Byron']],
  ['a.b', []],
  ["Ada O'Brien", ['Ada O’Brien', "Ada O'Br\u00ADien"]],
  ['Ada O’Brien', ['Ada O’Brien', "Ada O'Br\u00ADien"]],
  ['\u200B', []],
])(
  'who forgets %j finds it in any letter case, however its accents, blanks and signs are stored',
  async (words, holding) => {
    const texts = [
      'Call JOSÉ MÜLLER.',
      'Ask josé müller.'.normalize('NFD'),
      'Где пароль?',
      'José',
      'To ADA\nByron',
      'Ada  Byron',
      'AdaByron a b',
      'Ask Ada O’Brien.',
      "Ada O'Br\u00ADien",
    ];
    const store = Store.open(':memory:');
    storeTurns(store, 's1', [
      turn(
        0,
        texts.map((text, seq) => chunk(seq, text)),
      ),
    ]);
    const held = store.chunks.get(await store.forgetting.holding(words, store.forgetting.ids({})));
    expect(held.map(({ text }) => text)).toEqual(
      texts.filter((text) => holding.some((each) => text.includes(each))),
    );
    store.close();
  },
);

test('who forgets the name of a file finds all of the call that wrote it, which may be cut', async () => {
  const store = Store.open(':memory:');
  const files = ['/home/me/app/Secret.ts'];
  const call = [
    chunk(0, '[Write] /home/me/app/Secret.ts', { files }),
    chunk(1, 'const plan = 1;', { files }),
  ];
  storeTurns(store, 's1', [
    turn(0, [...call, chunk(2, 'const other = 1;', { files: ['/home/me/app/other.ts'] })]),
  ]);
  const held = store.chunks.get(await store.forgetting.holding('secret.ts', store.forgetting.ids({})));
  expect(held.map(({ text }) => text)).toEqual(call.map(({ text }) => text));
  store.close();
});

test.each(['planAlphas', 'PLANalpha'])('an identifier goes with its last chunk, though %s stays', (like) => {
  const store = Store.open(':memory:');
  storeTurns(store, 's1', [
    turn(0, [chunk(0, 'remove planAlpha now')]),
    turn(1, [chunk(1, `keep ${like} here`)]),
  ]);
  const [first] = store.forgetting.ids({});
  expect(store.forgetting.delete([first!])).toBe(1);
  expect(store.keywords.identifiersContaining('lanAlph', 5)).toEqual([like]);
  store.close();
});

test('what was deleted of a file stays deleted where the file goes and comes back', () => {
  const store = Store.open(':memory:');
  storeTurns(store, 's1', [turn(0, [chunk(0, 'the secretword'), chunk(1, 'keep this one')])]);
  store.forgetting.delete([1]);
  store.transcripts.remove('/s1.jsonl');
  expect(store.statistics()).toMatchObject({ chunks: 0, sessions: 0 });
  storeTurns(store, 's2', [turn(0, [chunk(0, 'of another file')])]);
  const forgotten = store.transcripts.write('/s1.jsonl', (writer) => writer.forgotten());
  expect(forgotten).toMatchObject([{ piece: pieceHash('the secretword') }]);
  store.close();
});

test('a record is not taken back from a transcript of which something was deleted', () => {
  const store = Store.open(':memory:');
  const [shared, own] = ['11111111-1111-1111-1111-111111111111', '22222222-2222-2222-2222-222222222222'];
  const write = (uuid: string, work: (writer: TranscriptWriter) => void): void =>
    store.transcripts.write(`/${uuid}.jsonl`, (writer) => {
      writer.putSession(sessionDraft(uuid), { path: '/p', name: 'p' });
      work(writer);
    });
  write('original', (writer) => writer.claimRecords([own]));
  write('fork', (writer) => {
    writer.linkFork(own);
    writer.claimRecords([shared]);
    writer.putTurn(turn(0, [chunk(0, 'the secretword'), chunk(1, 'keep this one')]));
  });
  const holder = (): string | null => {
    let path: string | null = null;
    write('original', (writer) => (path = writer.continuationHolding(shared)));
    return path;
  };
  expect(holder()).toBe('/fork.jsonl');
  store.forgetting.delete([1]);
  expect(holder()).toBeNull();
  store.close();
});

test('what was not said beside a chunk is of its turn, on both sides, up to what was said', () => {
  const store = Store.open(':memory:');
  const chunks = (texts: string, first: number): ChunkDraft[] =>
    [...texts].map((text, at) =>
      chunk(first + at, text, { kind: text === text.toLowerCase() ? 'thinking' : 'dialogue' }),
    );
  storeTurns(store, 's1', [
    turn(0, chunks('abAcdBe', 0)),
    turn(1, chunks('fC', 7)),
    turn(2, chunks('gh', 9)),
  ]);
  const all = store.chunks.get(Array.from({ length: 20 }, (_, id) => id));
  const beside = (said: string): string =>
    store.chunks
      .get(store.forgetting.unspokenBeside(all.filter(({ text }) => said.includes(text)).map(({ id }) => id)))
      .map(({ text }) => text)
      .sort()
      .join('');
  expect(['A', 'B', 'AB', 'C', ''].map(beside)).toEqual(['abcd', 'cde', 'abcde', 'f', '']);
  store.close();
});

test('a topic that lost a chunk has neither label nor centre until its project is clustered anew', () => {
  const store = Store.open(':memory:');
  storeTurns(store, 's1', [
    turn(
      0,
      ['one', 'two', 'three'].map((text, seq) => chunk(seq, text)),
    ),
  ]);
  const ids = store.forgetting.ids({});
  store.vectors.put('m', ids, new Float32Array(6));
  const topic = (label: string, medoidId: number) => ({
    id: null,
    label,
    medoidId,
    centroid: Float32Array.of(1, 0),
  });
  const members = ids.map((chunkId, at) => ({ chunkId, cluster: Math.floor(at / 2), probability: 1 }));
  const clusters = [topic('one', ids[0]!), topic('three', ids[2]!)];
  store.clusters.replace({ projectId: 1, modelId: 'm', clusters, members });
  expect(store.clusters.state(1, 'm')).toEqual({ vectors: 3, pending: 0, inLastPass: 3 });
  expect(store.clusters.state(1, 'other')).toEqual({ vectors: 0, pending: 0, inLastPass: 0 });
  const mark = store.embedding.changeMark();
  store.forgetting.delete([ids[1]!]);
  expect(store.embedding.changeMark()).not.toBe(mark);
  const left = store.clusters.ofProject(1).map(({ label, centroid }) => [label, centroid.length]);
  expect(left).toEqual([
    ['', 0],
    ['three', 2],
  ]);
  expect(store.clusters.state(1, 'm')).toEqual({ vectors: 2, pending: 0, inLastPass: 0 });
  store.forgetting.delete([ids[0]!]);
  expect(store.clusters.ofProject(1).map(({ label }) => label)).toEqual(['three']);
  store.close();
});

test('nothing of forgotten texts stays in the file, however long they were or often they were written', () => {
  const store = Store.open(path);
  const long = (seq: number): ChunkDraft =>
    chunk(seq, `secretword${seq} ${'and so on '.repeat(400 * seq)} lastsecret${seq}`);
  const turns = Array.from({ length: 30 }, (_, seq) => turn(seq, [long(seq)]));
  storeTurns(store, 's1', turns);
  store.transcripts.write('/s1.jsonl', (writer) => writer.reset());
  storeTurns(store, 's1', turns);
  storeTurns(store, 's2', [turn(0, [chunk(0, 'keep this one')])]);
  const session = store.sessions.withPrefix('s1', 1)[0]!;
  store.forgetting.delete(store.forgetting.ids({ sessionId: session.id }));
  expect(holding(store, 'keep')).toHaveLength(1);
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
  storeTurns(store, 's1', turns);
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

test('who forgets is told where another process reads the memory as it was, so that the text stays in the log', () => {
  const reader = Store.open(path);
  const store = Store.open(path, { busyTimeoutMs: 100 });
  storeTurns(store, 's1', [turn(0, [chunk(0, 'the secretword')]), turn(1, [chunk(1, 'keep this one')])]);
  const reading = reader.chunks.walk({}, 'oldest');
  reading.next();
  const forget = (): unknown => store.forgetting.delete([1]);
  expect(forget).toThrow(
    /^The deleted chunks no longer appear .* run `causantic compact`: Another process is reading/,
  );
  expect(holding(store, 'secretword')).toEqual([]);
  expect(() => store.compact()).toThrow(expect.objectContaining({ code: 'BUSY' }));
  reading.return(undefined);
  store.compact();
  for (const file of [path, `${path}-wal`]) expect(readFileSync(file, 'latin1')).not.toContain('secretword');
  reader.close();
  store.close();
});

test('who forgets much is told how far it came where another process does not let it go on', () => {
  const store = Store.open(path, { busyTimeoutMs: 100 });
  const chunks = Array.from({ length: 2_001 }, (_, seq) => chunk(seq, `chunk ${seq}`));
  storeTurns(store, 's1', [turn(0, chunks)]);
  const other = openSqlite(path);
  const stopped = { onProgress: () => void other.exec('BEGIN IMMEDIATE') };
  expect(() => store.forgetting.delete(store.forgetting.ids({}), stopped)).toThrow(
    /^2000 of 2001 chunks no longer appear .* run `causantic compact`: .* is locked /,
  );
  other.close();
  expect(store.forgetting.ids({})).toHaveLength(1);
  store.close();
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
  storeTurns(store, 's1', [turn(0, [chunk(0, '[Task] helper Look for the secretplan')])]);
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

test('what is deleted of one session leaves another as it is, though both say the same', () => {
  const store = Store.open(path);
  const agent = { key: 'a1', kind: 'subagent' as const, name: 'helper', description: 'Look it up' };
  const facts = { tasks: [{ text: 'Pay Ada Byron', status: 'completed' as const }] };
  for (const uuid of ['s1', 's2']) {
    storeTurns(store, uuid, [turn(0, [chunk(0, '[Task] Look it up', { tools: ['TaskCreate'] })], { facts })]);
    store.transcripts.write(`/${uuid}/agent-a1.jsonl`, (writer) => {
      writer.putSession(sessionDraft(uuid), { path: '/home/me/app', name: 'app' });
      writer.putAgent({ ...agent, toolUseId: null, teamName: null });
      writer.putTurn(turn(0, [chunk(0, 'There is none.')], { agentKey: 'a1' }));
      writer.save(CHECKPOINT);
    });
  }
  store.edges.write(1, () => undefined);
  const db = openSqlite(path);
  const ofSession = (id: number): unknown[] =>
    ['session WHERE id', ...['transcript', 'turn', 'agent'].map((table) => `${table} WHERE session_id`)].map(
      (rows) => db.prepare(`SELECT * FROM ${rows} = ?`).all(id),
    );
  const [first, second] = [ofSession(1), ofSession(2)];
  store.forgetting.delete([store.forgetting.ids({ sessionId: 1 })[0]!]);
  expect(ofSession(1)).not.toEqual(first);
  expect(ofSession(2)).toEqual(second);
  db.close();
  store.close();
});

test('what a transcript says no more when it is read anew is in no file after compacting', () => {
  const store = Store.open(path);
  const read = (text: string): void => {
    store.transcripts.write('/s1.jsonl', (writer) => writer.reset());
    storeTurns(store, 's1', [turn(0, [chunk(0, text)])]);
  };
  read('The key is secretKeyOfAda and opens myFrontDoor.');
  read('The key is [REDACTED] and opens myFrontDoor.');
  store.compact();
  expect(store.keywords.identifiersContaining('FrontDoor', 5)).toEqual(['myFrontDoor']);
  store.close();
  // The index of identifiers has them by three letters.
  expect(readFileSync(path, 'latin1').toLowerCase()).not.toMatch(/keyofada|yof|ofa|fad/);
});
