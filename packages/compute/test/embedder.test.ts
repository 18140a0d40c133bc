import { Embedder, WorkerPool, defaultModelDir, defineTask } from '@causantic/compute';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embedTexts } from '../src/models/embed-task.js';
import { OnnxModel } from '../src/models/onnx-model.js';
import { itWithOnnxRuntime } from '../../../test/onnx-runtime.js';

const fixtures = join(import.meta.dirname, 'fixtures');
const expected = JSON.parse(readFileSync(join(fixtures, 'expected.json'), 'utf8'));
const pool = new WorkerPool({ threads: 1 });
const scratch = mkdtempSync(join(tmpdir(), 'causantic-embed-'));

afterAll(async () => {
  await pool.close();
  rmSync(scratch, { recursive: true });
});

/** A copy of a fixture's folder with some fields of its model.json changed. */
function variantOf(folder: string, changes: object): string {
  const target = mkdtempSync(join(scratch, 'model-'));
  cpSync(join(fixtures, folder), target, { recursive: true });
  const spec = JSON.parse(readFileSync(join(target, 'model.json'), 'utf8'));
  writeFileSync(join(target, 'model.json'), JSON.stringify({ ...spec, ...changes }));
  return target;
}

function rowsOf(vectors: Float32Array, dim: number): number[][] {
  return Array.from({ length: vectors.length / dim }, (_, row) => [
    ...vectors.subarray(row * dim, (row + 1) * dim),
  ]);
}

function expectClose(actual: number[], wanted: number[]): void {
  expect(actual.length).toBe(wanted.length);
  actual.forEach((value, i) => expect(value).toBeCloseTo(wanted[i]!, 5));
}

async function open(folder: string, changes: object = {}): Promise<Embedder> {
  return Embedder.open({ pool, modelDir: variantOf(folder, changes) });
}

describe('vectors', () => {
  itWithOnnxRuntime.each([
    ['tiny-static', 'static', 'none', {}],
    ['tiny-transformer', 'transformer', 'mean', {}],
    ['tiny-transformer', 'transformer', 'cls', { pooling: 'cls' }],
  ])(
    'of %s (%s, %s) are what numpy computes, whatever else is in the batch',
    async (folder, set, pooling, changes) => {
      const embedder = await open(folder, changes);
      const texts = Object.keys(expected[set]);
      const rows = rowsOf(await embedder.embed(texts, 'passage'), embedder.model.dim);
      texts.forEach((text, row) => expectClose(rows[row]!, expected[set][text][pooling]));
    },
  );

  itWithOnnxRuntime('come in the order of the texts over many batches, with progress', async () => {
    const embedder = await open('tiny-static');
    const texts = Array.from({ length: 300 }, (_, i) => ['the parser failed', 'x'][i % 2]!);
    const progress: number[] = [];
    const onProgress = (done: number) => progress.push(done);
    const rows = rowsOf(await embedder.embed(texts, 'passage', { onProgress }), 16);
    texts.forEach((text, row) => expectClose(rows[row]!, expected.static[text].none));
    expect(progress.length).toBeGreaterThan(1);
    expect(progress.at(-1)).toBe(300);
  });

  itWithOnnxRuntime('of more text than a run of the model takes come in the order of the texts', async () => {
    const model = await OnnxModel.load(join(fixtures, 'tiny-transformer'));
    const [long, short] = ['the parser failed again '.repeat(20), 'x'];
    const done: number[] = [];
    const texts = Array.from({ length: 300 }, (_, n) => (n % 2 === 0 ? long : short));
    const rows = rowsOf(await model.embed(texts, 'passage', (count) => done.push(count)), 16);
    const alone = rowsOf(await model.embed([long, short], 'passage', () => undefined), 16);
    await model.release();
    rows.forEach((row, n) => expectClose(row, alone[n % 2]!));
    expect(done).toEqual([150, 278, 300]);
  });

  itWithOnnxRuntime('come from good models though others did not load', async () => {
    for (let broken = 0; broken < 3; broken++) {
      const modelDir = variantOf('tiny-static', {});
      writeFileSync(join(modelDir, 'model.onnx'), 'no graph');
      const embedder = await Embedder.open({ pool, modelDir });
      await expect(embedder.embed(['x'], 'passage')).rejects.toThrow('model.onnx is damaged');
    }
    for (const embedder of [await open('tiny-static'), await open('tiny-static')])
      expectClose([...(await embedder.embed(['x'], 'passage'))], expected.static['x'].none);
  });

  itWithOnnxRuntime('put the prefix of its kind before a text', async () => {
    const embedder = await open('tiny-static', { queryPrefix: 'the parser ' });
    expectClose([...(await embedder.embed(['failed'], 'query'))], expected.static['the parser failed'].none);
    expectClose([...(await embedder.embed(['x'], 'passage'))], expected.static['x'].none);
  });

  itWithOnnxRuntime.each([{}, { queryPrefix: 'the parser failed: ' }])(
    'are zeros for a text that the model does not know, whatever stands around it (%j)',
    async (changes) => {
      const embedder = await open('tiny-transformer', changes);
      const rows = rowsOf(await embedder.embed(['сборка', 'сборка the', 'сборка сборка the'], 'query'), 16);
      expect(rows.map((row) => row.every((value) => value === 0))).toEqual([true, false, true]);
    },
  );

  itWithOnnxRuntime('of a query come before those of waiting passages', async () => {
    const embedder = await open('tiny-static');
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const tasks = new URL('./fixtures/tasks.mjs', import.meta.url);
    const blocked = pool.run(defineTask(tasks, 'waitForGate'), { gate, label: '' });
    const finished: string[] = [];
    const embedded = (['passage', 'query'] as const).map((kind) =>
      embedder.embed(['x'], kind).then(() => finished.push(kind)),
    );
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
    await Promise.all([blocked, ...embedded]);
    expect(finished).toEqual(['query', 'passage']);
  });

  it('take one thread for what is soon done, and more for more', async () => {
    const pool = new WorkerPool({ threads: 3 });
    const embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
    const texts = Array.from({ length: 40_000 }, (_, i) => `${'the parser failed again '.repeat(20)}${i}`);
    for (let call = 0; call < 2; call++) await embedder.embed(texts.slice(0, 64), 'passage');
    expect(pool.diagnostics().started).toBe(1);
    await embedder.embed(texts, 'passage');
    expect(pool.diagnostics().started).toBeGreaterThan(1);
    await pool.close();
  });

  it('come one by one where a text takes long', async () => {
    const embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
    await embedder.embed(['x'], 'passage');
    embedder['tuneBatch'](1, 10_000);
    expect(await embedder.embed(['the parser', 'x'], 'passage')).toHaveLength(2 * embedder.model.dim);
  });

  it('are refused for what is neither a question nor a passage', async () => {
    const embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
    await expect(embedder.embed(['x'], 'text' as 'query')).rejects.toThrow('"query" or "passage"');
  });

  itWithOnnxRuntime('of two models come without loading either again, and no third is held', async () => {
    const embed = async (modelDir: string) =>
      (await Embedder.open({ pool, modelDir })).embed(['x'], 'passage');
    const models = [1, 2, 3].map(() => variantOf('tiny-static', {}));
    for (const modelDir of models) utimesSync(join(modelDir, 'model.onnx'), 1, 1);
    const [first, second, third] = models as [string, string, string];
    for (const modelDir of [first, second]) await embed(modelDir);
    writeFileSync(join(first, 'model.onnx'), 'no graph');
    utimesSync(join(first, 'model.onnx'), 1, 1);
    expectClose([...(await embed(first))], expected.static['x'].none);
    await embed(third);
    await expect(embed(first)).rejects.toMatchObject({ code: 'MODEL_MISSING' });
  });

  it('are told as they are made, and end where that is wished', async () => {
    const told: string[] = [];
    const input = { modelDir: defaultModelDir(), texts: Array<string>(70).fill('x'), kind: 'query' } as const;
    const progress = (done: number, total: number): void => void told.push(`${done}/${total}`);
    await embedTexts(input, { progress, cancelled: () => false });
    expect(told.at(-1)).toBe('70/70');
    const cancelled = embedTexts(input, { progress, cancelled: () => true });
    await expect(cancelled).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('are none for no texts', async () => {
    expect((await (await open('tiny-static')).embed([], 'passage')).length).toBe(0);
  });
});

describe('what is wrong', () => {
  it('is named when a file is missing', async () => {
    const modelDir = variantOf('tiny-static', {});
    rmSync(join(modelDir, 'model.onnx'));
    await expect(Embedder.open({ pool, modelDir })).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      data: { modelDir },
    });
  });

  it.skipIf(process.platform === 'win32')('is not called missing when a file cannot be read', async () => {
    const modelDir = variantOf('tiny-static', {});
    rmSync(join(modelDir, 'model.onnx'));
    symlinkSync('model.onnx', join(modelDir, 'model.onnx')); // Unlike its mode, this keeps root out, too.
    await expect(Embedder.open({ pool, modelDir })).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message: expect.stringContaining('model.onnx cannot be read: too many symbolic links'),
    });
  });

  it.each([
    [{ dim: 'many' }, '"dim" must be a whole number greater than 0'],
    [{ pooling: 'max' }, '"pooling" must be mean, cls or none'],
    [{ maxTokens: 0 }, '"maxTokens" must be a whole number greater than 0'],
    [{ id: undefined }, '"id" must be a string'],
    [{ id: '' }, '"id" must not be empty'],
    [{ tokenWeights: 'idf' }, '"tokenWeights" must be sqrt-counts, or left out'],
    [
      { similarity: { unrelated: 0.7, related: 0.8, acrossLanguages: 0.7, passages: 0.8 } },
      '"similarity" must have cosines as unrelated, ',
    ],
    [
      {
        similarity: {
          unrelated: 7,
          related: 8,
          acrossLanguages: 7,
          unrelatedAcrossLanguages: 6,
          passages: 9,
        },
      },
      '"similarity" must have cosines as unrelated, ',
    ],
    [{ otherScripts: 'all' }, '"otherScripts" must be unprefixed, or left out'],
    [{ tokenWeights: 'sqrt-counts', pooling: 'mean' }, '"tokenWeights" needs a "pooling" of none'],
  ])('is named when model.json has %j', async (changes, problem) => {
    await expect(open('tiny-static', changes)).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message: expect.stringContaining(problem),
    });
  });

  itWithOnnxRuntime('is told when the model gives another shape than model.json says', async () => {
    const embedder = await open('tiny-static', { dim: 8 });
    await expect(embedder.embed(['x'], 'passage')).rejects.toThrow('float32 [1, 16]');
  });

  itWithOnnxRuntime('is told when the model cannot be read, and the next try reads it again', async () => {
    const modelDir = variantOf('tiny-static', {});
    writeFileSync(join(modelDir, 'model.onnx'), 'not a graph');
    const embedder = await Embedder.open({ pool, modelDir });
    await expect(embedder.embed(['x'], 'passage')).rejects.toMatchObject({ code: 'MODEL_MISSING' });
    cpSync(join(fixtures, 'tiny-static', 'model.onnx'), join(modelDir, 'model.onnx'));
    expect((await embedder.embed(['x'], 'passage')).length).toBe(16);
  });

  itWithOnnxRuntime('is tried again though nothing tells that the files are other ones', async () => {
    const modelDir = variantOf('tiny-static', {});
    const path = join(modelDir, 'model.onnx');
    const write = (content: string | Buffer): void => {
      writeFileSync(path, content);
      utimesSync(path, 1, 1);
    };
    const graph = readFileSync(path);
    write('not a graph');
    const embedder = await Embedder.open({ pool, modelDir });
    await expect(embedder.embed(['x'], 'passage')).rejects.toMatchObject({ code: 'MODEL_MISSING' });
    write(graph);
    expect((await embedder.embed(['x'], 'passage')).length).toBe(16);
  });

  itWithOnnxRuntime('is told when the model was replaced by one of another width', async () => {
    const modelDir = mkdtempSync(join(scratch, 'model-'));
    cpSync(defaultModelDir(), modelDir, { recursive: true });
    const embedder = await Embedder.open({ pool, modelDir });
    cpSync(join(fixtures, 'tiny-static'), modelDir, { recursive: true });
    await expect(embedder.embed(['x', 'the'], 'passage')).rejects.toMatchObject({ code: 'MODEL_MISSING' });
  });

  itWithOnnxRuntime('stops when it is told to', async () => {
    const embedder = await open('tiny-static');
    const abort = new AbortController();
    const texts = Array.from({ length: 5000 }, (_, i) => `the test ${i}`);
    const embedding = embedder.embed(texts, 'passage', {
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    await expect(embedding).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('leaving', () => {
  // Without the wait at the exit about every second such process aborts.
  it.each([1, 2])('with process.exit in the middle of a batch is no crash (%i)', () => {
    const program = `
      import { Embedder, WorkerPool, defaultModelDir, defineTask } from '@causantic/compute';
      const pool = new WorkerPool({ threads: 2 });
      const embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
      const texts = Array.from({ length: 20000 }, (_, i) => 'the parser failed again '.repeat(20) + i);
      const onProgress = (done) => done > 100 && setTimeout(() => process.exit(0), 5);
      embedder.embed(texts, 'passage', { onProgress }).catch(() => undefined);`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(child).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('the model that comes with the package', () => {
  let embedder: Embedder;

  beforeAll(async () => {
    embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
  });

  it('finds a passage that shares no word with the question', async () => {
    const { dim } = embedder.model;
    const passages = [
      'Added a button with rounded corners to the settings page.',
      'The database connection was closed because the server ran out of memory.',
      'Renamed the variable and sorted the imports.',
    ];
    const [query] = rowsOf(await embedder.embed(['why did postgres crash'], 'query'), dim);
    const scores = rowsOf(await embedder.embed(passages, 'passage'), dim).map((row) =>
      row.reduce((sum, value, j) => sum + value * query![j]!, 0),
    );
    expect(scores.indexOf(Math.max(...scores))).toBe(1);
  });
});
