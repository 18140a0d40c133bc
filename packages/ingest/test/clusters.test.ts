import { join } from 'node:path';
import { nearestNeighbours, StoppedError } from '@causantic/algorithms';
import { defaultModelDir, defineTask, Embedder, WorkerPool } from '@causantic/compute';
import { describe, onTestFinished, expect, it } from 'vitest';
// As built: the workers are found beside the module that starts them.
import { clusterChunks, embedChunks, needsClustering } from '@causantic/ingest';
import { openSqlite, Store } from '@causantic/storage';
import { joinShare, loadVectors, storeNoTopics, storePass } from '../src/clusters/cluster-task.js';
import { clusterLabels } from '../src/clusters/labels.js';
import { ingested, TestStore } from './ingested.js';
import { Recording, sessionId, temporaryFolder } from './recording.js';

const TOPICS = {
  till: [
    'The till rounds each price to cents',
    'Prices in the till are rounded once',
    'Rounding prices of the till',
  ],
  fonts: [
    'The font of the page loads late',
    'Load the fonts before the page',
    'A late font makes the page jump',
  ],
};

const words = [
  'again',
  'today',
  'for Ada',
  'in review',
  'as asked',
  'before lunch',
  'once more',
  'at last',
  'now',
  'on main',
  'by hand',
  'at night',
];

/** Each topic's sentences with twelve endings, the topics in turn. */
function recording(n: number): Recording {
  const made = new Recording(sessionId(n));
  for (const ending of words) {
    made.user(`${TOPICS.till[made.lines.length % 3]!} ${ending}`).answer('a b c '.repeat(80));
    made.user(`${TOPICS.fonts[made.lines.length % 3]!} ${ending}`).answer('d e f '.repeat(80));
  }
  return made;
}

async function embedded(store: TestStore) {
  const pool = new WorkerPool({ threads: 1 });
  onTestFinished(() => pool.close());
  const embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
  await embedChunks(store.store, embedder);
  return { pool, modelId: embedder.model.id };
}

function clusters({ store }: TestStore) {
  const stored = store.clusters.ofProject(1);
  const members = store.clusters.members(stored.map(({ id }) => id));
  return stored.map(({ id, label, medoidId }) => ({ id, label, medoidId, members: members.get(id) ?? [] }));
}

it('topics are found, named by what sets them apart, and stand around a middle', async () => {
  const { store } = ingested(recording(1));
  expect(await clusterChunks(store.store, await embedded(store))).toBe(1);
  const found = clusters(store);
  const textsOf = (ids: number[]) => store.store.chunks.get(ids).map(({ text }) => text.toLowerCase());
  const till = found.find(({ members }) => textsOf(members).every((text) => text.includes('till')));
  const fonts = found.find(({ members }) => textsOf(members).every((text) => text.includes('font')));
  expect(till?.label).toMatch(/till|price|round/);
  expect(fonts?.label).toMatch(/font|page|load|late/);
  expect(till!.members).toContain(till!.medoidId);
  const sizes = found.map(({ members }) => members.length);
  expect(store.store.clusters.largest(1)).toMatchObject([{ project: 'shop', chunks: Math.max(...sizes) }]);
});

it.each([
  [
    'German',
    'Die Größenänderung der Öltanks hat die Änderung überschrieben',
    ['größenänderung', 'änderung', 'öltanks', 'überschrieben'],
  ],
  ['Polish', 'Błąd zapisu zamówienia', ['błąd', 'zamówienia', 'zapisu']],
  ['Hindi', 'त्रुटि संदेश', ['त्रुटि', 'संदेश']],
  ['Chinese', '数据库连接池不够用了', ['连接']],
  ['Japanese', 'ログインできない問題をfetchUserで修正', ['fetch', 'user', 'ログイン']],
])('a label holds whole words: %s', async (_, sentence, expected) => {
  const { store } = ingested(new Recording(sessionId(1)).user(sentence));
  const [label = ''] = clusterLabels(store.store, [[1]]);
  // What else there is depends on the dictionaries of Node.
  expect(label.split(', ')).toEqual(expect.arrayContaining(expected));
});

it('a topic of nothing but output is named by the words of it', () => {
  const made = new Recording(sessionId(1)).user('Test the till').call('t1', 'Bash', { command: 'npm test' });
  const { store } = ingested(
    made.result('t1', Array.from({ length: 90 }, (_, n) => `drawer ${n} jammed`).join('\n')),
  );
  const chunks = store.chunks();
  expect(chunks.length).toBeGreaterThan(1);
  const [asked, output] = clusterLabels(store.store, [[1], [chunks.length]]);
  expect(asked).toContain('test');
  expect(output).toBe('drawer, jammed');
});

it('chunks that are nearest to each other are linked, also across sessions', async () => {
  const folder = temporaryFolder();
  const store = new TestStore();
  for (const n of [1, 2]) store.ingest(recording(n).writeTo(join(folder, `${sessionId(n)}.jsonl`)));
  await clusterChunks(store.store, await embedded(store));
  const ids = [...store.store.chunks.walk({}, 'oldest')].map(({ id }) => id);
  const topics = store.store.edges.startingAt(ids).filter(({ type }) => type === 'topic');
  const linked = topics.map(({ from, to }) => store.store.chunks.get([from, to]));
  expect(linked.some(([from, to]) => from!.sessionId !== to!.sessionId)).toBe(true);
  for (const [from, to] of linked) expect(from!.startTimeMs).toBeLessThanOrEqual(to!.startTimeMs!);
});

it('a second pass has nothing to do; clusters made anew are the same', async () => {
  const { store } = ingested(recording(1));
  const options = await embedded(store);
  await clusterChunks(store.store, options);
  const first = clusters(store);
  expect(await clusterChunks(store.store, options)).toBe(0);
  store.store.clusters.expire();
  expect(await clusterChunks(store.store, options)).toBe(1);
  expect(clusters(store)).toEqual(first);
});

it('a new chunk joins the topic it is nearest to at once; after many a full pass keeps the ids', async () => {
  const made = recording(1);
  const { store, path } = ingested(made);
  const options = await embedded(store);
  await clusterChunks(store.store, options);
  const before = clusters(store);
  const from = made.lines.length;
  made.user('The till rounds each price to cents tomorrow').answer('a b c '.repeat(80));
  made.appendTo(path, from);
  store.ingest(path);
  await embedChunks(store.store, await Embedder.open({ pool: options.pool, modelDir: defaultModelDir() }));
  expect(await clusterChunks(store.store, options)).toBe(0);
  const joined = clusters(store).find(({ members }) =>
    store.store.chunks.get(members).some(({ text }) => text.includes('tomorrow')),
  );
  expect(joined?.label).toMatch(/till|price|round/);
  const later = made.lines.length;
  for (const ending of [
    'soon',
    'later',
    'twice',
    'maybe',
    'often',
    'never',
    'still',
    'here',
    'there',
    'ever',
  ]) {
    made.user(`${TOPICS.fonts[0]!} ${ending}`).answer('g h i '.repeat(80));
  }
  made.appendTo(path, later);
  store.ingest(path);
  await embedChunks(store.store, await Embedder.open({ pool: options.pool, modelDir: defaultModelDir() }));
  expect(await clusterChunks(store.store, options)).toBe(1);
  const ids = before.map(({ id }) => id);
  expect(clusters(store).filter(({ id }) => ids.includes(id)).length).toBeGreaterThan(0);
});

it('what is forgotten is in no label; the next pass names topics by what is left', async () => {
  const { store } = ingested(recording(1));
  const options = await embedded(store);
  await clusterChunks(store.store, options);
  const till = clusters(store).find(({ label }) => /till|price|round/.test(label))!;
  store.store.forgetting.delete(till.members.slice(0, 2));
  expect(clusters(store).find(({ id }) => id === till.id)).toMatchObject({ label: '' });
  expect(await clusterChunks(store.store, options)).toBe(1);
  expect(clusters(store).every(({ label }) => label !== '')).toBe(true);
  store.store.forgetting.delete(store.store.forgetting.ids({}));
  expect(clusters(store)).toEqual([]);
});

it('topics go with the chunks of a transcript that is written anew, also where too few are left for another pass', async () => {
  const { store, path } = ingested(recording(1));
  const options = await embedded(store);
  await clusterChunks(store.store, options);
  expect(clusters(store)).not.toEqual([]);
  new Recording(sessionId(1)).user('One question').answer('One answer').writeTo(path);
  store.ingest(path);
  expect(await clusterChunks(store.store, options)).toBe(0);
  expect(clusters(store)).toEqual([]);
});

it('topics that are gone are dropped in a worker, which waits for whoever writes', async () => {
  const { store, path } = ingested(recording(1));
  const options = await embedded(store);
  await clusterChunks(store.store, options);
  new Recording(sessionId(1)).user('One question').answer('One answer').writeTo(path);
  store.ingest(path);
  const impatient = Store.open(store.store.path, { busyTimeoutMs: 0 });
  const writing = openSqlite(store.store.path);
  onTestFinished(() => impatient.close());
  writing.exec('BEGIN IMMEDIATE');
  setTimeout(() => writing.close(), 100);
  await clusterChunks(impatient, options);
  expect(clusters(store)).toEqual([]);
});

it.each([3, 0])(
  'what is deleted when a pass has begun does not make it fail: %i chunks are left',
  async (left) => {
    const { store } = ingested(recording(1));
    const options = await embedded(store);
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const tasks = new URL('../../compute/test/fixtures/tasks.mjs', import.meta.url);
    const blocked = options.pool.run(defineTask(tasks, 'waitForGate'), { gate, label: '' });
    const running = clusterChunks(store.store, options);
    store.store.forgetting.delete(store.store.forgetting.ids({}).slice(left));
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
    await Promise.all([blocked, running]);
    expect(clusters(store)).toEqual([]);
  },
);

it('where six chunks lie apart, all others are not one topic', async () => {
  const made = new Recording(sessionId(1));
  for (let n = 0; n < 60; n++) made.user(`Question ${n}`).answer('a b c '.repeat(80));
  const { store } = ingested(made).store;
  const ids = [...store.chunks.walk({}, 'oldest')].map(({ id }) => id);
  const dim = 16;
  // Spread out evenly about one axis; the first six close together at its other end.
  let state = 7;
  const spread = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
  const vectors = ids.flatMap((_, row) => {
    const [end, width] = row < 6 ? [-2, 0.2] : [2, 1];
    const vector = Array.from({ length: dim }, (__, j) => (j === 0 ? end : 0) + width * spread());
    return vector.map((value) => value / Math.hypot(...vector));
  });
  store.vectors.put('made-up', ids, Float32Array.from(vectors));
  const pool = new WorkerPool({ threads: 1 });
  onTestFinished(() => pool.close());
  await clusterChunks(store, { pool, modelId: 'made-up' });
  const topics = store.clusters.ofProject(1).map(({ id }) => id);
  expect([...store.clusters.members(topics).values()]).toEqual([ids.slice(0, 6)]);
});

describe('a pass over two topics far apart', () => {
  /** Vectors at two ends of a circle, more at each than a chunk has neighbours listed. */
  function farApart() {
    const made = new Recording(sessionId(1));
    for (let n = 0; n < 80; n++) made.user(`Question ${n}`).answer('a b c '.repeat(80));
    const { store } = ingested(made);
    const ids = [...store.store.chunks.walk({}, 'oldest')].map(({ id }) => id);
    const angles = ids.map((id) => (id % 2) + id / 10_000);
    const vectors = Float32Array.from(angles.flatMap((angle) => [Math.cos(angle), Math.sin(angle)]));
    store.store.vectors.put('made-up', ids, vectors);
    return { store: store.store, ids: Float64Array.from(ids), vectors, dim: 2, modelId: 'made-up' };
  }

  it('tells how far it is, in both long steps and at the end', async () => {
    const { store, modelId } = farApart();
    const pool = new WorkerPool({ threads: 1 });
    onTestFinished(() => pool.close());
    const shares: number[] = [];
    await clusterChunks(store, { pool, modelId, onProgress: (share) => shares.push(share) });
    expect(shares).toEqual([0.45, 0.9, 1]);
  });

  it('starts no more threads than there is work for', async () => {
    const { store, modelId } = farApart();
    const pool = new WorkerPool({ threads: 3 });
    onTestFinished(() => pool.close());
    expect(await clusterChunks(store, { pool, modelId })).toBe(1);
    expect(pool.diagnostics().started).toBe(1);
  });

  it('stores nothing that was stopped, or is of a memory that was replaced', () => {
    const { store, modelId, ...matrix } = farApart();
    const input = { ...matrix, neighbours: nearestNeighbours(matrix.vectors, 2, 24) };
    const context = { cancelled: () => false, progress: () => undefined };
    const joins = [joinShare({ ...input, share: { index: 0, count: 1 } }, context)];
    const limits = { copy: 0.98, link: 0.8, member: 0.75 };
    const place = { databasePath: store.path, projectId: 1, modelId, unknown: new Float64Array(0) };
    const pass = (cancelled: boolean, memory = store.madeAt): void =>
      storePass({ ...place, ...input, memory, joins, limits }, { ...context, cancelled: () => cancelled });
    expect(() => pass(true)).toThrow(StoppedError);
    expect(() => pass(false, 'another')).toThrow('replaced meanwhile');
    storeNoTopics({ ...place, projectId: 7, dim: 2 });
    expect(store.clusters.state(1, modelId).inLastPass).toBe(0);
    pass(false);
    expect(store.clusters.state(1, modelId).inLastPass).toBe(matrix.ids.length);
    expect(store.clusters.ofProject(1)).toHaveLength(2);
  });
});

it('a pass over many vectors starts with new threads, for what others hold is as large as it is', async () => {
  const { store } = ingested(new Recording(sessionId(1)).user('A question')).store;
  const writing = openSqlite(store.path);
  writing.exec('BEGIN; CREATE TEMP TABLE copy AS SELECT * FROM chunk');
  const ids = Array.from({ length: 10_000 }, (_, n) => 1_000 + n);
  for (const id of ids) {
    writing.prepare('UPDATE copy SET id = @id, seq = @id').run({ id });
    writing.exec('INSERT INTO chunk SELECT * FROM copy');
  }
  writing.exec('COMMIT');
  writing.close();
  const pool = new WorkerPool({ threads: 1 });
  onTestFinished(() => pool.close());
  const tasks = new URL('../../compute/test/fixtures/tasks.mjs', import.meta.url);
  const countCalls = defineTask<null, number>(tasks, 'countCalls');
  const calls = [await pool.run(countCalls, null)];
  const passOver = async (modelId: string, some: number[]) => {
    store.vectors.put(modelId, some, Float32Array.from(some.flatMap((id) => [Math.cos(id), Math.sin(id)])));
    expect(await clusterChunks(store, { pool, modelId })).toBe(1);
    calls.push(await pool.run(countCalls, null));
  };
  await passOver('few', ids.slice(0, 50));
  await passOver('many', ids);
  expect(calls).toEqual([1, 2, 1]);
});

it('vectors are put into given memory that another project has used, or into larger memory', () => {
  const { store } = ingested(
    new Recording(sessionId(1)).user('One').answer('a b c '.repeat(80)).user('Two'),
  ).store;
  const ids = [...store.chunks.walk({}, 'oldest')].map(({ id }) => id);
  expect(ids).toHaveLength(2);
  store.vectors.put('made-up', ids, Float32Array.from([0, 0, 0.6, 0.8]));
  const load = (bytes: number) => {
    const shared = new SharedArrayBuffer(bytes);
    new Uint8Array(shared).fill(7);
    const place = { databasePath: store.path, projectId: 1, modelId: 'made-up', dim: 2 };
    const { vectors, ...others } = loadVectors({ ...place, shared });
    expect([...vectors]).toEqual([...Float32Array.from([0.6, 0.8])]);
    expect(others).toMatchObject({ ids: Float64Array.of(ids[1]!), unknown: Float64Array.of(ids[0]!) });
    return vectors.buffer === shared;
  };
  expect([load(24), load(16), load(15)]).toEqual([true, true, false]);
});

it('a stop leaves what was there; too few chunks have no topics', async () => {
  const { store } = ingested(recording(1));
  const options = await embedded(store);
  const stopped = clusterChunks(store.store, { ...options, signal: AbortSignal.abort() });
  await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
  expect(clusters(store)).toEqual([]);
  const { store: small } = ingested(new Recording(sessionId(2)).user('One question').answer('One answer'));
  expect(await clusterChunks(small.store, await embedded(small))).toBe(0);
});

describe('chunks in a language that the model does not know', () => {
  const greek = new Recording(sessionId(1));
  for (let n = 0; n < 40; n++) {
    greek
      .user(`Γιατί το ταμείο στρογγυλοποιεί τις τιμές στην παραγγελία ${n};`)
      .answer('Διόρθωσε τη στρογγυλοποίηση και έλεγξε. '.repeat(20));
  }

  it('are no topic beside others', async () => {
    const { store } = ingested(greek);
    store.ingest(recording(2).writeTo(join(temporaryFolder(), `${sessionId(2)}.jsonl`)));
    expect(await clusterChunks(store.store, await embedded(store))).toBe(1);
    const found = clusters(store);
    const texts = store.store.chunks.get(found.flatMap(({ members }) => members)).map(({ text }) => text);
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter((text) => /[α-ω]/.test(text))).toHaveLength(0);
  });

  it('are no topic alone, and no reason to look again', async () => {
    const { store } = ingested(greek);
    const options = await embedded(store);
    expect(await clusterChunks(store.store, options)).toBe(1);
    expect(clusters(store)).toEqual([]);
    let hadTurn = false;
    setImmediate(() => (hadTurn = true));
    expect(await needsClustering(store.store, options.modelId)).toBe(false);
    // A server answers others while it finds out.
    expect(hadTurn).toBe(true);
  });
});
