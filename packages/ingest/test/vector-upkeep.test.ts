import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { itWithOnnxRuntime } from '../../../test/onnx-runtime.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { builtInModel, modelsFolder, WorkerPool } from '@causantic/compute';
import { pause } from '@causantic/domain';
import { ingestTree, updateVectors } from '@causantic/ingest';
import { openSqlite, SCHEMA_VERSION, Store } from '@causantic/storage';

const BUILT_IN = 'causantic-static-v5';
const TINY = 'tiny-transformer';
const tinyFolder = fileURLToPath(new URL('../../compute/test/fixtures/tiny-transformer', import.meta.url));

let home: string;
let store: Store;
let pool: WorkerPool;

beforeEach(() => {
  home = temporaryFolder();
  store = Store.open(join(home, 'memory.db'));
  pool = new WorkerPool({ threads: 1 });
});

afterEach(async () => {
  await pool.close();
  store.close();
});

/** A session of so many messages, each a chunk or more. */
function ingest(name: string, messages: number): void {
  const text = 'The mill stone grinds corn, and oats on Fridays. '.repeat(30);
  const lines = Array.from({ length: messages }, (_, n) => {
    const message = { role: 'user', content: `${name} ${n}: ${text}` };
    const uuid = `${name}000-0000-4000-8000-${String(n).padStart(12, '0')}`;
    return JSON.stringify({ type: 'user', uuid, sessionId: name, cwd: '/home/ada/mill', message });
  });
  const path = join(home, `${name}.jsonl`);
  writeFileSync(path, `${lines.join('\n')}\n`);
  ingestTree(store, [path]);
}

const chunks = (): number => store.vectors.countPending('no-such-model');
const counts = (): Record<string, number> => store.vectors.countByModel();
const farAway = (): number => Date.now() + 3_600_000;

it('makes all vectors, and from then on searches use the model', async () => {
  ingest('aaaaa', 5);
  expect(store.embedding.state()).toMatchObject({ chosen: null, serving: null });
  expect(await updateVectors(store, { pool, home })).toEqual({ stored: chunks(), complete: true });
  expect(store.embedding.state().serving).toBe(BUILT_IN);
  expect(counts()).toEqual({ [BUILT_IN]: chunks() });
  expect(await updateVectors(store, { pool, home })).toEqual({ stored: 0, complete: true });
});

it('leaves it to another process that does it, unless that has died or its time is over', async () => {
  ingest('aaaaa', 1);
  store.embedding.seize({ owner: `${process.pid}:other`, untilMs: farAway() });
  expect(await updateVectors(store, { pool, home })).toEqual({ stored: 0, complete: false });
  store.embedding.seize({ owner: `${process.pid}:other`, untilMs: Date.now() - 1 });
  expect(await updateVectors(store, { pool, home })).toMatchObject({ complete: true });
  ingest('bbbbb', 1);
  store.embedding.seize({ owner: '999999999:dead', untilMs: farAway() });
  expect(await updateVectors(store, { pool, home })).toMatchObject({ complete: true });
});

it('leaves the work to others when it is done, though somebody is writing then', async () => {
  ingest('aaaaa', 1);
  const other = openSqlite(store.path);
  const beforeRelease = async (): Promise<void> => {
    other.exec('BEGIN IMMEDIATE');
    setTimeout(() => other.close(), 1_000);
  };
  await updateVectors(store, { pool, home, beforeRelease });
  expect(store.embedding.leaseOwner()).toBe(null);
});

it('stops when the work is taken away, and nothing is done twice', async () => {
  ingest('aaaaa', 400);
  const first = await updateVectors(store, {
    pool,
    home,
    onProgress: () => store.embedding.seize({ owner: `${process.pid}:other`, untilMs: farAway() }),
  });
  const other = await updateVectors(store, { pool, home, seize: true });
  expect(first.complete).toBe(false);
  expect(other.complete).toBe(true);
  expect(first.stored).toBeGreaterThan(0);
  expect(other.stored).toBeGreaterThan(0);
  expect(first.stored + other.stored).toBe(chunks());
});

it('stores the first few at once: with a slow model, another process would take the work away meanwhile', async () => {
  ingest('aaaaa', 20);
  const stored: number[] = [];
  await updateVectors(store, { pool, home, onProgress: ({ done }) => stored.push(done) });
  expect(stored[0]).toBeLessThanOrEqual(4);
  expect(stored.at(-1)).toBe(chunks());
});

it('what is made of the vectors is made before another process begins', async () => {
  ingest('aaaaa', 2);
  const made: unknown[] = [];
  const update = await updateVectors(store, {
    pool,
    home,
    beforeRelease: async (update) => void made.push(update, await updateVectors(store, { pool, home })),
  });
  expect(update).toEqual({ stored: chunks(), complete: true });
  expect(made).toEqual([update, { stored: 0, complete: false }]);
  expect(await updateVectors(store, { pool, home })).toMatchObject({ complete: true });
});

it('makes nothing of the vectors once the work is taken away', async () => {
  ingest('aaaaa', 400);
  const update = await updateVectors(store, {
    pool,
    home,
    onProgress: () => store.embedding.seize({ owner: `${process.pid}:other`, untilMs: farAway() }),
    beforeRelease: () => Promise.reject(new Error('made though another does it')),
  });
  expect(update.complete).toBe(false);
});

itWithOnnxRuntime(
  'goes over to another model when all of its vectors are there; until then new chunks get the old one, too',
  async () => {
    ingest('aaaaa', 3);
    await updateVectors(store, { pool, home });
    cpSync(tinyFolder, join(modelsFolder(home), TINY), { recursive: true });
    store.embedding.choose(TINY);
    ingest('bbbbb', 3);
    const seen: unknown[] = [];
    const update = await updateVectors(store, {
      pool,
      home,
      beforeServing: (embedder) => {
        seen.push(embedder.model.id, store.embedding.state().serving, counts());
        return Promise.resolve();
      },
    });
    expect(seen).toEqual([TINY, BUILT_IN, { [BUILT_IN]: chunks(), [TINY]: chunks() }]);
    expect(update).toEqual({ stored: chunks(), complete: true });
    expect(store.embedding.state()).toMatchObject({ chosen: TINY, serving: TINY });
    expect(counts()).toEqual({ [TINY]: chunks() });
  },
);

itWithOnnxRuntime('while a slow model makes many vectors, new chunks soon get the old one', async () => {
  ingest('aaaaa', 200);
  await updateVectors(store, { pool, home });
  cpSync(tinyFolder, join(modelsFolder(home), TINY), { recursive: true });
  store.embedding.choose(TINY);
  const before = chunks();
  const missing: number[] = [];
  await updateVectors(store, {
    pool,
    home,
    onProgress: ({ done }) => {
      if (missing.length === 0) ingest('bbbbb', 1);
      missing.push(store.vectors.countPending(BUILT_IN));
      if (done < before && missing.at(-1)! > 0) pause(3_000); // As if it had worked that long.
    },
  });
  expect(missing[0]).toBeGreaterThan(0);
  expect(missing.at(-1)).toBe(0);
});

it('drops what was made of a model that was chosen for a while only', async () => {
  ingest('aaaaa', 2);
  await updateVectors(store, { pool, home });
  store.vectors.put(TINY, [1], new Float32Array(16));
  expect(await updateVectors(store, { pool, home })).toEqual({ stored: 0, complete: true });
  expect(counts()).toEqual({ [BUILT_IN]: chunks() });
});

it('says that the chosen model is gone, and goes on with what is there once another is chosen', async () => {
  ingest('aaaaa', 1);
  store.embedding.choose(TINY);
  await expect(updateVectors(store, { pool, home })).rejects.toMatchObject({ code: 'MODEL_MISSING' });
  store.embedding.choose(null);
  expect(await updateVectors(store, { pool, home })).toMatchObject({ complete: true });
});

it('waits for another process that writes', async () => {
  ingest('aaaaa', 1);
  await updateVectors(store, { pool, home }); // The worker lives from here on.
  ingest('bbbbb', 1);
  const writer = Store.open(store.path);
  let update: ReturnType<typeof updateVectors> | undefined;
  writer.transcripts.write('/held.jsonl', () => {
    update = updateVectors(store, { pool, home });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600); // Longer than a worker waits by itself.
  });
  writer.close();
  expect(await update).toMatchObject({ complete: true });
});

it('a new built-in model comes with a new schema version: programs of before leave its memory alone', async () => {
  // Else a server of before makes vectors of its own model whenever the new one has made its, in turns without end.
  const builtInSince: Record<number, string> = { 10: BUILT_IN };
  const since = Object.keys(builtInSince).map(Number);
  const last = Math.max(...since.filter((version) => version <= SCHEMA_VERSION));
  expect(builtInSince[last]).toBe((await builtInModel()).id);
});
