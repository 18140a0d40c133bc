import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '@causantic/storage';
import { itWithOnnxRuntime } from '../onnx-runtime.js';
import { startModelServer } from '../../packages/compute/test/fixtures/model-server.mjs';
import { MemoryHome } from './memory-home.js';
import { problemsBesideFaiss, search, whenComplete, whenVectors, writeSession } from './vector-state.js';

const BUILT_IN = 'causantic-static-v5';
const TINY = 'someone/tiny-embedder';
const tinyFolder = fileURLToPath(
  new URL('../../packages/compute/test/fixtures/tiny-transformer/', import.meta.url),
);

let memory: MemoryHome;

beforeEach(() => {
  memory = new MemoryHome();
});
afterEach(() => memory.remove());

async function model(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await memory.causantic('model', ...args);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return stdout;
}

async function modelRefused(...args: string[]): Promise<string> {
  const { code, stderr } = await memory.causantic('model', ...args);
  expect(code).not.toBe(0);
  return stderr;
}

/** One chunk is stored, with a vector of the tiny model alone. */
async function ingestWithTiny(): Promise<void> {
  writeSession(memory, 'aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
  await memory.ingest();
  await model('install', tinyFolder);
  await model('use', 'tiny-transformer');
  await memory.reindex();
}

interface ListedModel {
  id: string;
  dimensions: number;
  installed: boolean;
  use: string | null;
  chunks: number;
}

async function listed(id: string): Promise<ListedModel> {
  const models = JSON.parse(await model('list', '--json')) as ListedModel[];
  expect(new Set(models.map((each) => each.id)).size).toBe(models.length);
  return models.find((each) => each.id === id)!;
}

async function statsText(): Promise<string> {
  return (await memory.causantic('stats')).stdout;
}

it('a change waits for who is writing, and says so', async () => {
  writeSession(memory, 'aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
  await memory.ingest();
  const other = openSqlite(join(memory.home, 'memory.db'));
  other.exec("INSERT INTO chunk_vector SELECT 'gone', project_id, chunk_id, vector FROM chunk_vector");
  other.close();
  expect(await memory.causanticBesideWriter('model', 'remove', 'gone')).toBe(
    'Removed gone and its vectors for 1 chunk.\n',
  );
});

describe('a model that is fetched', () => {
  itWithOnnxRuntime('is installed, used by a server that runs, found with, and removed', async () => {
    const read = (file: string): Buffer => readFileSync(join(tinyFolder, file));
    const server = await startModelServer({
      [`${TINY}/onnx/model.onnx`]: read('model.onnx'),
      [`${TINY}/tokenizer.json`]: read('tokenizer.json'),
      [`${TINY}/config.json`]: Buffer.from('{"max_position_embeddings":32}'),
    });
    process.env['HF_ENDPOINT'] = server.url;
    try {
      writeSession(memory, 'aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
      await memory.ingest();
      const client = await memory.connect();
      await whenComplete(client, 'what grinds the corn');
      expect(await model('install', TINY)).toMatch(/^Installed someone\/tiny-embedder \(16 dimensions/);
      expect(await model('list')).toMatch(
        /^MODEL +DIMENSIONS +SIZE {2}INSTALLED [^]*^someone\/tiny-embedder +16 +0\.0 MB +yes +0$/m,
      );
      expect(await modelRefused('use', 'someone--tiny-embedder')).toMatch(/holds "someone\/tiny-embedder"/);

      expect(await model('use', TINY)).toMatch(/missing for 1 chunk\.[^]*search uses causantic-static-v5/);
      await whenVectors(client, (vectors) => vectors.model === TINY && vectors.pending === 0);
      const { hits } = await whenComplete(client, 'What grinds the corn? The mill stone grinds the corn.');
      expect(hits[0]!.sources).toContain('vector');
      await expect.poll(() => listed(BUILT_IN)).toMatchObject({ use: null, chunks: 0 });
      expect(await listed(TINY)).toMatchObject({ use: 'in use', chunks: 1, dimensions: 16 });

      writeSession(memory, 'bbbb0001', 'Who feeds the heron?', 'Nobody feeds the heron.');
      await memory.ingest(); // Another process makes vectors of the model in use, too.
      expect(await listed(TINY)).toMatchObject({ chunks: 2 });
      expect(await modelRefused('remove', TINY)).toMatch(/in use \(choose another first/);
      expect(await modelRefused('remove', BUILT_IN)).toMatch(/built-in/);
      expect(await model('install', BUILT_IN)).toBe(
        `${BUILT_IN} is built in; there is nothing to install.\n`,
      );

      await model('use', BUILT_IN);
      await whenVectors(client, (vectors) => vectors.model === BUILT_IN && vectors.pending === 0);
      await expect.poll(() => listed(TINY)).toMatchObject({ chunks: 0 });
      expect(await model('remove', TINY)).toBe(`Removed ${TINY}.\n`);
      expect(await listed(TINY)).toBeUndefined();
      expect(readdirSync(join(memory.home, 'models'))).toEqual([]);
      expect((await whenComplete(client, 'what grinds the corn')).hits[0]!.sources).toContain('vector');
    } finally {
      delete process.env['HF_ENDPOINT'];
      await server.close();
    }
  });

  it.each([
    [['install', 'no-such-name'], /one of all-MiniLM-L6-v2, .*Hugging Face id .* or a folder/],
    [['install', 'someone/thing'], /127\.0\.0\.1:9\/.*HF_ENDPOINT can name a mirror.*folder/],
    [['install', './nowhere'], /nowhere is not a model: it needs tokenizer\.json and /],
    [['use', 'bge-small-en-v1.5'], /not installed[^]*causantic model install bge-small-en-v1\.5/],
    [['use', 'no-such-name'], /not installed[^]*NAME is from causantic model list or a folder/],
    [['use', 'someone/thing'], /not installed[^]*: causantic model install someone\/thing$/m],
    [['remove', 'bge-small-en-v1.5'], /"bge-small-en-v1\.5" is not installed/],
  ])('%j is refused', async (args, says) => {
    process.env['HF_ENDPOINT'] = 'http://127.0.0.1:9';
    expect(await modelRefused(...args)).toMatch(says);
    delete process.env['HF_ENDPOINT'];
  });
});

itWithOnnxRuntime('a model whose name has a blank is named as a shell takes it', async () => {
  const folder = join(memory.folder, 'my model');
  for (const file of ['model.onnx', 'tokenizer.json']) cpSync(join(tinyFolder, file), join(folder, file));
  expect(await model('install', 'my model')).toContain('To use it: causantic model use "my model"\n');
});

describe('while the model is switched', () => {
  itWithOnnxRuntime('search goes on with the old vectors until the new ones are complete', async () => {
    writeSession(memory, 'aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
    await memory.ingest();
    await model('install', tinyFolder);
    await model('use', 'tiny-transformer');
    // Only the command line is there, which makes no vectors.
    const { stdout } = await memory.causantic('search', 'what grinds the corn', '--json');
    const { hits, diagnostics } = JSON.parse(stdout) as {
      hits: { sources: string[] }[];
      diagnostics: { degraded: string[] };
    };
    expect(hits[0]!.sources).toContain('vector');
    expect(diagnostics.degraded).toEqual([]);
    expect((await memory.causantic('stats')).stdout).toMatch(
      /- Model: causantic-static-v5, until tiny-transformer is ready\n- Embedded chunks: 1, 1 pending for tiny-transformer\n/,
    );
    expect(await modelRefused('remove', 'tiny-transformer')).toMatch(/in use/);
    const { stdout: report } = await memory.reindex('--json');
    expect(JSON.parse(report)).toMatchObject({ chunks: 0, vectors: 1 });
    expect((await memory.causantic('stats')).stdout).toContain(
      '- Model: tiny-transformer\n- Embedded chunks: 1, 0 pending\n',
    );
    await memory.causantic('search', 'what grinds the corn');
    const indexFiles = readdirSync(join(memory.home, 'indexes'));
    expect(indexFiles).toEqual([expect.stringMatching(/^tiny-transformer-.*\.faiss$/)]);
  });

  itWithOnnxRuntime('one with which search goes on is not removed, and is used again at once', async () => {
    await ingestWithTiny();
    await model('use', BUILT_IN);
    expect(await modelRefused('remove', 'tiny-transformer')).toContain(
      'it is in use until all vectors of causantic-static-v5 exist',
    );
    expect(await listed('tiny-transformer')).toMatchObject({ installed: true, use: 'in use', chunks: 1 });
    expect(await model('use', 'tiny-transformer')).toBe(
      'Using tiny-transformer. All chunks have its vectors.\n',
    );
    await model('use', BUILT_IN);
    await memory.reindex();
    expect(await model('remove', 'tiny-transformer')).toBe('Removed tiny-transformer.\n');
  });

  itWithOnnxRuntime('one whose folder is gone is listed, and search is not said to use it', async () => {
    await ingestWithTiny();
    rmSync(join(memory.home, 'models'), { recursive: true });
    const lost = { installed: false, use: 'in use', chunks: 1, dimensions: 16 };
    expect(await listed('tiny-transformer')).toMatchObject(lost);
    expect(await model('list')).toMatch(/^tiny-transformer +16 +– +no +in use +1$/m);
    expect(await model('use', BUILT_IN)).toContain('Until then, search uses words alone.');
  });

  itWithOnnxRuntime('one whose folder is gone before its vectors were made leaves the old ones', async () => {
    writeSession(memory, 'aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
    await memory.ingest();
    await model('install', tinyFolder);
    await model('use', 'tiny-transformer');
    rmSync(join(memory.home, 'models'), { recursive: true });
    expect(await model('list')).toMatch(/^tiny-transformer +– +– +no +next +0$/m);
    const { stdout } = await memory.reindex();
    expect(stdout).toMatch(
      /no vectors were made; for chunks without, search uses words alone: .*"tiny-trans.*What to do: causantic doctor$/m,
    );
    expect(await shellSearch('what grinds the corn')).toContain('vector');
  });

  itWithOnnxRuntime('one that does not load keeps its vectors when they are to be rebuilt', async () => {
    await ingestWithTiny();
    const folder = join(memory.home, 'models', 'tiny-transformer');
    truncateSync(join(folder, 'model.onnx'), 500);
    const { code, stderr } = await memory.reindex('--rebuild', 'vectors');
    expect(code).toBe(1);
    expect(stderr).toMatch(/model\.onnx is damaged.*What to do: causantic doctor\n$/);
    expect(await listed('tiny-transformer')).toMatchObject({ chunks: 1 });
    cpSync(join(tinyFolder, 'model.onnx'), join(folder, 'model.onnx'));
    expect((await memory.reindex('--rebuild', 'vectors')).stdout).toMatch(/ 1 vector;/);
  });

  itWithOnnxRuntime('stats says that one of which a file is damaged makes no vectors', async () => {
    await ingestWithTiny();
    expect(await statsText()).not.toContain('is damaged');
    truncateSync(join(memory.home, 'models', 'tiny-transformer', 'model.onnx'), 500);
    expect(await statsText()).toMatch(/^- Problem: .*model\.onnx is damaged/m);
    truncateSync(join(memory.home, 'models', 'tiny-transformer', 'tokenizer.json'), 500);
    expect(await statsText()).toMatch(/^- Problem: .*tokenizer\.json/m);
  });

  itWithOnnxRuntime('a server that searched with one whose folder is gone goes over to another', async () => {
    await ingestWithTiny();
    const client = await memory.connect();
    await search(client, 'what grinds the corn');
    rmSync(join(memory.home, 'models'), { recursive: true });
    await model('use', BUILT_IN);
    const isOver = ({ model, pending }: { model: string; pending: number }): boolean =>
      model === BUILT_IN && pending === 0;
    const made = await whenVectors(client, isOver);
    expect(made.vectors).toBe(1);
    expect(problemsBesideFaiss(made)).toEqual([]);
    expect((await whenComplete(client, 'what grinds the corn')).hits[0]!.sources).toContain('vector');
  });

  itWithOnnxRuntime('one that is installed again, or after the memory came, keeps its vectors', async () => {
    await ingestWithTiny();
    const folder = join(memory.home, 'models', 'tiny-transformer');
    truncateSync(join(folder, 'model.onnx'), 500);
    await model('install', tinyFolder);
    expect(await listed('tiny-transformer')).toMatchObject({ chunks: 1, installed: true });
    rmSync(folder, { recursive: true }); // As in the home to which a memory was imported.
    const database = openSqlite(join(memory.home, 'memory.db'));
    database.exec("INSERT INTO cluster_pass SELECT id, 'tiny-transformer', 1 FROM project");
    await model('install', tinyFolder);
    expect(await listed('tiny-transformer')).toMatchObject({ chunks: 1, installed: true });
    // By what its cosines mean now, there may be other topics.
    expect(database.prepare('SELECT 1 FROM cluster_pass').all()).toEqual([]);
    database.close();
  });

  itWithOnnxRuntime(
    'one that is installed after it was chosen is used by a server that waits for it',
    async () => {
      writeSession(memory, 'aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
      await memory.ingest();
      await model('install', tinyFolder);
      await model('use', 'tiny-transformer');
      rmSync(join(memory.home, 'models'), { recursive: true });
      const client = await memory.connect();
      await whenVectors(client, ({ problems }) =>
        problems.some((problem) => problem.includes('is not installed')),
      );
      await model('install', tinyFolder);
      await whenVectors(client, (vectors) => vectors.model === 'tiny-transformer' && vectors.pending === 0);
    },
  );

  itWithOnnxRuntime('one that has other constants in a file of their own is another', async () => {
    writeSession(memory, 'aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
    await memory.ingest();
    const folder = join(memory.folder, 'tiny-external');
    cpSync(join(tinyFolder, '../tiny-external'), folder, { recursive: true });
    await model('install', folder);
    await model('use', 'tiny-external');
    await memory.reindex();
    expect(await listed('tiny-external')).toMatchObject({ chunks: 1 });
    const [data, spec] = ['model.onnx_data', 'model.json'].map((name) => join(folder, name));
    cpSync(join(memory.home, 'models', 'tiny-external', 'model.json'), spec!);
    const bytes = readFileSync(data!);
    writeFileSync(data!, bytes.swap32().reverse()); // Its numbers in another order.
    await model('install', folder);
    expect(await listed('tiny-external')).toMatchObject({ chunks: 0 });
  });

  itWithOnnxRuntime('one that replaces another of the same name gets vectors of its own', async () => {
    const said = 'What grinds the corn? The mill stone grinds the corn.';
    writeSession(memory, 'aaaa0001', 'What grinds the corn?', 'The mill stone grinds the corn.');
    await memory.ingest();
    const useless = join(memory.folder, 'tiny-transformer');
    cpSync(tinyFolder, useless, { recursive: true });
    const spec = JSON.parse(readFileSync(join(tinyFolder, 'model.json'), 'utf8')) as object;
    const passagePrefix = 'fix '.repeat(40); // All that its vectors are made of.
    writeFileSync(join(useless, 'model.json'), JSON.stringify({ ...spec, passagePrefix }));
    await model('install', useless);
    await model('use', 'tiny-transformer');
    await memory.reindex();
    expect(await shellSearch(said)).not.toContain('vector');
    await model('install', useless); // The same again: nothing is lost.
    expect(await listed('tiny-transformer')).toMatchObject({ chunks: 1 });

    await model('install', tinyFolder);
    expect(await listed('tiny-transformer')).toMatchObject({ chunks: 0, use: 'in use' });
    await memory.reindex();
    expect(await shellSearch(said)).toContain('vector');

    const client = await memory.connect();
    expect((await whenComplete(client, said)).hits[0]!.sources).toContain('vector');
    await model('install', useless); // While a server has the vectors in memory.
    await whenVectors(client, ({ vectors, pending }) => vectors === 1 && pending === 0);
    expect((await search(client, said)).hits.flatMap(({ sources }) => sources)).not.toContain('vector');
  });
});

/** How anything was found. */
async function shellSearch(query: string): Promise<string[]> {
  const { stdout } = await memory.causantic('search', query, '--json');
  const { hits } = JSON.parse(stdout) as { hits: { sources: string[] }[] };
  return hits.flatMap(({ sources }) => sources);
}
