import { once } from 'node:events';
import { readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itWithOnnxRuntime } from '../onnx-runtime.js';
import { Store, openSqlite } from '@causantic/storage';
import { call, MemoryHome } from './memory-home.js';
import {
  ingestWithoutVectors,
  problemsBesideFaiss,
  search,
  vectorsOf,
  whenComplete,
  whenVectors,
  writeSession,
} from './vector-state.js';

let memory: MemoryHome;

beforeEach(() => {
  memory = new MemoryHome();
});
afterEach(() => memory.remove());

const preload = (file: string): string => `--import ${new URL(file, import.meta.url).href}`;
const indexes = (): string[] => {
  const folder = join(memory.home, 'indexes');
  return readdirSync(folder).map((name) => join(folder, name));
};

describe('a server makes the vectors that are missing', () => {
  it('of what was stored before it began, and while it runs', async () => {
    writeSession(memory, 'aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
    ingestWithoutVectors(memory);
    const client = await memory.connect();
    const made = await whenVectors(client, ({ pending }) => pending === 0);
    expect(made.vectors).toBe(1);
    expect(problemsBesideFaiss(made)).toEqual([]);
    writeSession(memory, 'bbbb0001', 'Who feeds the heron?', 'Nobody feeds the heron.');
    ingestWithoutVectors(memory);
    expect(await whenVectors(client, ({ pending }) => pending === 0)).toMatchObject({ vectors: 2 });
    const { hits } = await search(client, 'who feeds the heron');
    expect(hits[0]!.sources).toContain('vector');
  });

  it('though another server was killed in the middle of it: none is missing, none is another', async () => {
    const sessions = Array.from({ length: 60 }, (_, n) => String(n).padStart(4, '0'));
    for (const n of sessions) {
      const lines = Array.from(
        { length: 40 },
        (_, at) => `Bucket ${n} holds ${at} pounds of corn. ${'And oats. '.repeat(60)}`,
      );
      writeSession(memory, `dddd${n}`, `What does bucket ${n} hold?`, lines.join('\n\n'));
    }
    ingestWithoutVectors(memory);
    const chunks = pendingChunks();
    const killed = memory.server();
    while (pendingChunks() === chunks) await new Promise((resolve) => setTimeout(resolve, 5));
    killed.kill('SIGKILL');
    await once(killed, 'close');
    const left = pendingChunks();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(chunks);
    const clients = await Promise.all([memory.connect(), memory.connect()]);
    const [client] = clients;
    expect(await whenVectors(client!, ({ pending }) => pending === 0)).toMatchObject({ vectors: chunks });
    const inPieces = memory.vectorsOf('');
    await memory.disconnect();
    await memory.reindex('--rebuild', 'vectors');
    expect(memory.vectorsOf('').map((bytes) => bytes.toString('base64'))).toEqual(
      inPieces.map((bytes) => bytes.toString('base64')),
    );
  });
});

it('a rebuild that was killed is gone on with by the next, which does not begin again', async () => {
  writeSession(memory, 'aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
  writeSession(memory, 'bbbb0001', 'Who feeds the heron?', 'Nobody feeds the heron.');
  await memory.ingest();
  const rebuilt = async (): Promise<unknown> =>
    (JSON.parse((await memory.reindex('--rebuild', 'vectors', '--json')).stdout) as { vectors: number })
      .vectors;
  expect(await rebuilt()).toBe(2);
  // All were dropped, one was made: the kill.
  const database = openSqlite(join(memory.home, 'memory.db'));
  database.exec(
    `CREATE TABLE made AS SELECT * FROM chunk_vector LIMIT 1;
     CREATE TRIGGER kill BEFORE INSERT ON chunk_vector BEGIN SELECT RAISE(FAIL, 'killed'); END`,
  );
  expect((await memory.reindex('--rebuild', 'vectors')).stderr).toContain('killed');
  database.exec('DROP TRIGGER kill; INSERT INTO chunk_vector SELECT * FROM made; DROP TABLE made');
  database.close();
  expect(await rebuilt()).toBe(1);
  expect(await rebuilt()).toBe(2);
});

it('vectors of a built-in model that an update replaced are made anew; until then search answers by words', async () => {
  writeSession(memory, 'aaaa0001', 'Who feeds the heron?', 'Nobody feeds the heron.');
  await memory.ingest();
  const database = openSqlite(join(memory.home, 'memory.db'));
  database.exec(`UPDATE chunk_vector SET model_id = 'causantic-static-v0';
    UPDATE vector_version SET model_id = 'causantic-static-v0';
    UPDATE embedding SET serving_model = 'causantic-static-v0'`);
  database.close();
  const { stdout } = await memory.causantic('search', 'heron');
  expect(stdout).toMatch(/ \| keyword[^|]* \| [^]*Nobody feeds the heron/);
  const client = await memory.connect();
  await whenVectors(client, ({ model, pending }) => model === 'causantic-static-v5' && pending === 0);
  const { hits } = await search(client, 'heron');
  expect(hits[0]!.sources).toContain('vector');
});

function pendingChunks(): number {
  const store = Store.open(join(memory.home, 'memory.db'));
  const count = store.vectors.countPending('causantic-static-v5');
  store.close();
  return count;
}

describe('index files', () => {
  it.each([
    ['deleted', (file: string) => rmSync(file)],
    ['cut off', (file: string) => truncateSync(file, 100)],
    ['full of something else', (file: string) => writeFileSync(file, 'x'.repeat(5_000))],
  ])('that are %s change no answer of the next server, and are made again', async (_, damage) => {
    writeSession(memory, 'aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
    writeSession(memory, 'bbbb0001', 'Who feeds the heron?', 'Nobody feeds the heron, it fishes.');
    await memory.ingest();
    const query = 'who feeds the heron';
    const before = await whenComplete(await memory.connect(), query);
    expect(before.hits[0]!.sources).toContain('vector');
    await memory.disconnect();
    expect(indexes()).toHaveLength(1);
    indexes().forEach(damage);
    expect(await whenComplete(await memory.connect(), query)).toEqual(before);
    await memory.disconnect();
    expect(indexes()).toHaveLength(1);
    expect(await whenComplete(await memory.connect(), query)).toEqual(before);
  });

  it('of a memory that was moved away are not taken for those of the next', async () => {
    writeSession(memory, 'aaaa0001', 'Who feeds the heron?', 'Nobody feeds the heron, it fishes.');
    await memory.ingest();
    await search(await memory.connect(), 'heron');
    await memory.disconnect();
    expect(indexes()).toHaveLength(1);
    renameSync(join(memory.home, 'memory.db'), join(memory.home, 'damaged.db'));
    rmSync(memory.projects, { recursive: true });
    writeSession(memory, 'bbbb0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
    await memory.ingest();
    const client = await memory.connect();
    const query = { project: 'mill', query: 'what grinds the corn', threshold: 0.4 };
    expect((await call(client, 'forget', query)).text).toMatch(/^Dry run: 1 chunk\(s\) match query/);
  });
});

describe('what is left answers, and says what is missing', () => {
  beforeEach(async () => {
    writeSession(memory, 'aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
    await memory.ingest();
  });

  it('without FAISS: a scan with the same answer', async () => {
    const withFaiss = await search(await memory.connect(), 'what grinds the corn');
    const client = await memory.connect({ NODE_OPTIONS: preload('./fixtures/without-faiss.mjs') });
    expect(await search(client, 'what grinds the corn')).toEqual(withFaiss);
    const vectors = await vectorsOf(client);
    expect(vectors.backend).toBe('exact-scan');
    expect(vectors.problems.join()).toMatch(/faiss-node/);
  });

  itWithOnnxRuntime('without the model: words', async () => {
    const tiny = fileURLToPath(
      new URL('../../packages/compute/test/fixtures/tiny-transformer', import.meta.url),
    );
    await memory.causantic('model', 'install', tiny);
    await memory.causantic('model', 'use', 'tiny-transformer');
    await memory.reindex();
    rmSync(join(memory.home, 'models'), { recursive: true });
    const client = await memory.connect();
    const { hits, degraded } = await search(client, 'what grinds the corn');
    expect(hits[0]!.sources).not.toContain('vector');
    expect(degraded).toEqual([expect.stringMatching(/^vector: .*"tiny-transformer" is not installed/)]);
    const { problems, backend } = await vectorsOf(client);
    expect([backend, problems.join()]).toEqual([
      'none',
      expect.stringMatching(/"tiny-transformer" is not installed/),
    ]);
  });

  it.each(['what grinds the corn', 'what did I say grinds the corn', 'what do I want to grind the corn'])(
    'without the index of words: meaning (%s)',
    async (question) => {
      const withWords = await search(await memory.connect(), question);
      const database = openSqlite(join(memory.home, 'memory.db'));
      database.exec('DROP TABLE chunk_fts');
      database.close();
      const { hits, degraded } = await search(await memory.connect(), question);
      expect(hits.map(({ chunkId }) => chunkId)).toEqual(withWords.hits.map(({ chunkId }) => chunkId));
      expect(hits[0]!.sources).toContain('vector');
      expect(hits[0]!.sources).not.toContain('keyword');
      expect(degraded).toEqual([
        expect.stringMatching(/^keyword: The word index cannot be read: no such table/),
      ]);
    },
  );

  it('without workers: words; and all of it when they live again', async () => {
    const flag = join(memory.folder, 'crash');
    const env = { NODE_OPTIONS: preload('./fixtures/crashing-workers.mjs'), CRASH_FLAG: flag };
    const client = await memory.connect(env);
    const before = await search(client, 'what grinds the corn');
    expect(before.hits[0]!.sources).toContain('vector');
    writeFileSync(flag, '');
    await new Promise((resolve) => setTimeout(resolve, 500));
    const during = await search(client, 'what grinds the corn');
    expect(during.hits.map(({ chunkId }) => chunkId)).toEqual(before.hits.map(({ chunkId }) => chunkId));
    expect(during.hits[0]!.sources).not.toContain('vector');
    expect(during.degraded).toEqual([expect.stringMatching(/^vector: The worker .* ended/)]);
    rmSync(flag);
    await expect.poll(() => search(client, 'what grinds the corn'), { timeout: 60_000 }).toEqual(before);
  });
});
