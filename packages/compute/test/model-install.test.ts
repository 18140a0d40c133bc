import {
  Embedder,
  WorkerPool,
  builtInModel,
  findModel,
  installModel,
  listModels,
  modelRegistry,
  removeModel,
} from '@causantic/compute';
import { errorMessage } from '@causantic/domain';
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { modelHub } from '../src/models/model-install.js';
import { onnxTensors } from '../src/models/onnx-tensors.js';
import { BUILT_IN_SCALE } from '../src/models/similarity-scale.js';
import { itWithOnnxRuntime } from '../../../test/onnx-runtime.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { startModelServer } from './fixtures/model-server.mjs';

const fixtures = join(import.meta.dirname, 'fixtures');
const graph = readFileSync(join(fixtures, 'tiny-transformer/model.onnx'));
const tokenizer = readFileSync(join(fixtures, 'tiny-transformer/tokenizer.json'));
const { transformer: expected, static: tinyStatic } = JSON.parse(
  readFileSync(join(fixtures, 'expected.json'), 'utf8'),
);
const repository = 'someone/tiny-embedder';
const external = join(fixtures, 'tiny-external');

const pool = new WorkerPool({ threads: 1 });
let server: Awaited<ReturnType<typeof startModelServer>>;
let modelsDir: string;

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

beforeEach(async () => {
  modelsDir = join(temporaryFolder(), 'models');
  server = await startModelServer({
    [`${repository}/onnx/model.onnx`]: graph,
    [`${repository}/tokenizer.json`]: tokenizer,
    [`${repository}/config.json`]: json({ max_position_embeddings: 32, hidden_size: 16 }),
    [`${repository}/1_Pooling/config.json`]: json({
      pooling_mode_cls_token: true,
      pooling_mode_mean_tokens: false,
    }),
    [`${repository}/config_sentence_transformers.json`]: json({ prompts: { query: 'the ', document: '' } }),
  });
});

afterEach(() => server.close());

afterAll(() => pool.close());

function install(idOrPath: string, options: object = {}) {
  return installModel({ idOrPath, modelsDir, endpoint: server.url, ...options });
}

async function vectorFrom(modelDir: string, text: string, kind: 'query' | 'passage'): Promise<number[]> {
  return [...(await (await Embedder.open({ pool, modelDir })).embed([text], kind))];
}

function expectClose(actual: number[], wanted: number[]): void {
  actual.forEach((value, i) => expect(value).toBeCloseTo(wanted[i]!, 5));
}

describe('a model from a server', () => {
  it.each([
    [{}, 'https://huggingface.co'],
    [{ HF_ENDPOINT: '' }, 'https://huggingface.co'],
    [{ HF_ENDPOINT: 'https://mirror.example' }, 'https://mirror.example'],
  ])('with the variables %j models come from %s', (env, hub) => {
    expect(modelHub(env)).toBe(hub);
  });

  itWithOnnxRuntime('is installed, used, listed and removed', async () => {
    const progress: [number, number][] = [];
    const installed = await install(repository, {
      onProgress: (...step: [number, number]) => progress.push(step),
    });
    expect(installed).toMatchObject({
      id: repository,
      dim: 16,
      pooling: 'cls',
      maxTokens: 32,
      queryPrefix: 'the ',
      outputName: 'last_hidden_state',
    });
    const [done, total] = progress.at(-1)!;
    expect(done).toBe(total);
    expect(progress.every(([step], i) => i === 0 || step >= progress[i - 1]![0])).toBe(true);
    expectClose(
      await vectorFrom(installed.modelDir, 'the parser failed', 'passage'),
      expected['the parser failed'].cls,
    );
    expectClose(
      await vectorFrom(installed.modelDir, 'parser failed', 'query'),
      expected['the parser failed'].cls,
    );
    expect(readdirSync(installed.modelDir).sort()).toEqual(['model.json', 'model.onnx', 'tokenizer.json']);
    // One that somebody has taken files from.
    mkdirSync(join(modelsDir, 'half'));
    expect((await listModels(modelsDir)).map(({ id }) => id)).toEqual([repository]);
    expect((await findModel(modelsDir, repository)).modelDir).toBe(installed.modelDir);
    // Its vectors are noted under its id: under the name of its folder they would be missing for ever.
    await expect(findModel(modelsDir, basename(installed.modelDir))).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message: expect.stringContaining(`holds "${repository}"`),
    });
    await removeModel(modelsDir, repository);
    expect(await listModels(modelsDir)).toEqual([]);
    await expect(removeModel(modelsDir, repository)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each(['HEAD', 'GET'])('is refused by a server that fails at %s', async (method) => {
    server.failures = { [method]: 503 };
    await expect(install(repository)).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message: expect.stringMatching(/^Could not download http.*: the server answered 503\.$/),
    });
  });

  it('is not there where the server wants to know who asks, as Hugging Face says of what it does not have', async () => {
    server.failures = { HEAD: 401 };
    await expect(install(repository)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  itWithOnnxRuntime('goes on where a broken download stopped', async () => {
    const isGraphBody = (line: string) => line.startsWith(`GET /storage/${repository}/onnx`);
    server.holdPath = 'model.onnx';
    await expect(install(repository, { onProgress: () => server.held?.() })).rejects.toMatchObject({
      code: 'MODEL_MISSING',
    });
    const staging = join(modelsDir, '.someone--tiny-embedder.part');
    const have = statSync(join(staging, 'model.onnx')).size;
    expect(have).toBeGreaterThan(0);
    expect(await listModels(modelsDir)).toEqual([]);
    await install(repository);
    expect(server.requests.filter(isGraphBody).at(-1)).toMatch(` bytes=${have}-`);
    expect(existsSync(staging)).toBe(false);
  });

  itWithOnnxRuntime('comes with the files that its graph names, and goes on with them, too', async () => {
    const dataFile = 'model.onnx_data';
    server.files[`${repository}/onnx/model.onnx`] = readFileSync(join(external, 'model.onnx'));
    server.files[`${repository}/tokenizer.json`] = readFileSync(join(external, 'tokenizer.json'));
    await expect(install(repository)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining(dataFile),
    });
    const data = readFileSync(join(external, dataFile));
    server.files[`${repository}/onnx/${dataFile}`] = data;
    server.holdPath = dataFile;
    await expect(install(repository, { onProgress: () => server.held?.() })).rejects.toMatchObject({
      code: 'MODEL_MISSING',
    });
    const have = statSync(join(modelsDir, '.someone--tiny-embedder.part', dataFile)).size;
    server.requests.length = 0;
    const steps: [number, number][] = [];
    const { modelDir, bytes } = await install(repository, {
      onProgress: (...step: [number, number]) => steps.push(step),
    });
    expect(server.requests.filter((line) => line.startsWith('GET'))).toContainEqual(
      expect.stringMatching(new RegExp(`/onnx/${dataFile} bytes=${have}-$`)),
    );
    expect(server.requests.filter((line) => /^GET .*model\.onnx( |$)/.test(line))).toEqual([]);
    expect(steps.every(([step], i) => i === 0 || step >= steps[i - 1]![0])).toBe(true);
    expect(steps.at(-1)![0]).toBe(steps.at(-1)![1]);
    expect(bytes).toBeGreaterThan(data.length);
    expectClose(await vectorFrom(modelDir, 'x', 'passage'), tinyStatic['x'].none);
  });

  itWithOnnxRuntime('comes from a mirror that would rather send it compressed', async () => {
    server.isPlainMirror = true;
    const { modelDir } = await install(repository, { endpoint: `${server.url}/` });
    expect(readFileSync(join(modelDir, 'model.onnx')).equals(graph)).toBe(true);
  });

  itWithOnnxRuntime('starts again when the file on the server has changed', async () => {
    server.holdPath = 'model.onnx';
    await expect(install(repository, { onProgress: () => server.held?.() })).rejects.toMatchObject({
      code: 'MODEL_MISSING',
    });
    const other = readFileSync(join(fixtures, 'tiny-transformer/model.onnx'));
    other.write('onnY', other.indexOf('tiny-transformer')); // The graph's name: as good a graph as before.
    server.files[`${repository}/onnx/model.onnx`] = other;
    const { modelDir } = await install(repository);
    expect(readFileSync(join(modelDir, 'model.onnx')).equals(other)).toBe(true);
    expect(server.requests.some((line: string) => line.includes('bytes='))).toBe(false);
  });

  itWithOnnxRuntime.each([
    ['neither its tag nor its length is told', ['etag', 'content-length']],
    ['its tag is not told', ['etag']],
    ['its length is not told', ['content-length']],
  ])('starts again where %s', async (_, withheld) => {
    Object.assign(server, { isPlainMirror: true, withheld, holdPath: 'model.onnx' });
    await expect(install(repository, { onProgress: () => server.held?.() })).rejects.toMatchObject({
      code: 'MODEL_MISSING',
    });
    const { modelDir } = await install(repository);
    expect(readFileSync(join(modelDir, 'model.onnx')).equals(graph)).toBe(true);
    expect(server.requests.some((line: string) => line.includes('bytes='))).toBe(false);
  });

  itWithOnnxRuntime('is whole where a mirror sends all of it, though asked for the rest', async () => {
    Object.assign(server, { isPlainMirror: true, holdPath: 'model.onnx' });
    await expect(install(repository, { onProgress: () => server.held?.() })).rejects.toMatchObject({
      code: 'MODEL_MISSING',
    });
    const { modelDir } = await install(repository);
    expect(server.requests.at(-1)).toMatch(/^GET .*model\.onnx bytes=\d+-$/);
    expect(readFileSync(join(modelDir, 'model.onnx')).equals(graph)).toBe(true);
  });

  itWithOnnxRuntime('is found under its repository’s new name', async () => {
    server.renamed['someone/old-name'] = repository;
    const { modelDir, id } = await install('someone/old-name');
    expect(id).toBe('someone/old-name');
    expect(readFileSync(join(modelDir, 'model.onnx')).equals(graph)).toBe(true);
    server.renamed = { 'round/one': 'round/two', 'round/two': 'round/one' };
    await expect(install('round/one')).rejects.toMatchObject({ code: 'MODEL_MISSING' });
  });

  itWithOnnxRuntime(
    'is described by the server that was asked, also where another has its files',
    async () => {
      const other = await startModelServer(server.files);
      server.renamed['someone/moved'] = `${other.url}/${repository}`;
      // The first server cannot say which files the other lacks.
      await install('someone/moved').catch(() => undefined);
      expect(other.requests.filter((line) => line.startsWith('GET'))).not.toEqual([]);
      expect(other.requests.filter((line) => line.startsWith('HEAD'))).toEqual([]);
      await other.close();
    },
  );

  itWithOnnxRuntime('is not fetched again after a kill while it was tried', async () => {
    // As the killed program left it, with a description that it had only guessed.
    const staging = join(modelsDir, '.someone--tiny-embedder.part');
    server.holdPath = 'model.onnx';
    await expect(install(repository, { onProgress: () => server.held?.() })).rejects.toThrow();
    writeFileSync(join(staging, 'model.onnx'), graph);
    const guessed = readFileSync(join(fixtures, 'tiny-transformer/model.json'), 'utf8');
    writeFileSync(join(staging, 'model.json'), JSON.stringify({ ...JSON.parse(guessed), maxTokens: 999 }));
    server.requests.length = 0;
    const { modelDir, maxTokens } = await install(repository);
    expect(server.requests.filter((line) => /^GET .*model\.onnx/.test(line))).toEqual([]);
    expect(maxTokens).toBe(32);
    expect(readdirSync(modelDir).sort()).toEqual(['model.json', 'model.onnx', 'tokenizer.json']);
    expect(readdirSync(modelsDir)).toEqual(['someone--tiny-embedder']);
  });

  itWithOnnxRuntime('does not blame the server for a full disk', async ({ skip }) => {
    skip(!existsSync('/dev/full'), 'there is no /dev/full here');
    const staging = join(modelsDir, '.someone--tiny-embedder.part');
    server.holdPath = 'model.onnx';
    await expect(install(repository, { onProgress: () => server.held?.() })).rejects.toThrow();
    rmSync(join(staging, 'model.onnx'));
    symlinkSync('/dev/full', join(staging, 'model.onnx'));
    const error = await install(repository).catch((failed: unknown) => failed);
    expect(errorMessage(error)).toContain('no space left on the disk');
    expect(errorMessage(error)).not.toContain('HF_ENDPOINT');
  });

  itWithOnnxRuntime('is left to the process that installs it already', async () => {
    const claimed = join(modelsDir, '.someone--tiny-embedder.pid');
    mkdirSync(modelsDir);
    writeFileSync(claimed, String(process.ppid));
    await expect(install(repository)).rejects.toMatchObject({
      code: 'BUSY',
      message: expect.stringContaining(String(process.ppid)),
    });
    const { pid: killed } = spawnSync(process.execPath, ['--version']);
    // In a container, the next one may have its number.
    for (const pid of [killed, process.pid]) {
      writeFileSync(claimed, String(pid));
      expect((await install(repository)).dim).toBe(16);
      expect(readdirSync(modelsDir)).toEqual(['someone--tiny-embedder']);
    }
  });

  itWithOnnxRuntime('is installed by one of several processes that begin at once', async () => {
    for (let round = 0; round < 4; round++) {
      rmSync(modelsDir, { recursive: true, force: true });
      const others = Array.from({ length: 4 }, () => fork(join(fixtures, 'installing-process.mjs')));
      await Promise.all(others.map((other) => once(other, 'message')));
      const outcomes = others.map((other) => once(other, 'message'));
      for (const other of others) other.send({ idOrPath: repository, modelsDir, endpoint: server.url });
      const said = (await Promise.all(outcomes)).map(([word]) => word as string);
      expect(said).toContain('installed');
      // One that the machine has held up may begin when another is done.
      for (const word of said) expect(['BUSY', 'installed']).toContain(word);
      expect(readdirSync(modelsDir)).toEqual(['someone--tiny-embedder']);
    }
  });

  itWithOnnxRuntime('replaces what a killed install had put aside', async () => {
    const { modelDir } = await install(repository);
    const aside = join(modelsDir, '.someone--tiny-embedder.old');
    renameSync(modelDir, aside);
    expect(await listModels(modelsDir)).toEqual([]);
    await install(repository);
    expect(readdirSync(modelsDir)).toEqual(['someone--tiny-embedder']);
    // Killed a moment later, it had put the new one in place already.
    cpSync(modelDir, aside, { recursive: true });
    await install(repository);
    expect(readdirSync(modelsDir)).toEqual(['someone--tiny-embedder']);
  });

  itWithOnnxRuntime.each([
    ['of a large file', 'onnx'],
    ['of a small file', 'tokenizer'],
  ])('is refused when the checksum %s is wrong, and comes right the next time', async (_, part) => {
    server.corrupt = (bytes: Buffer) => {
      const wrong = Buffer.from(bytes);
      const isGraph = bytes.length === graph.length;
      if (isGraph === (part === 'onnx')) wrong[100]! ^= 1;
      return wrong;
    };
    await expect(install(repository)).rejects.toThrow('does not match what the server announced');
    expect(await listModels(modelsDir)).toEqual([]);
    server.corrupt = (bytes: Buffer) => bytes;
    expect((await install(repository)).dim).toBe(16);
  });

  it.each([
    ['comes', false],
    ['comes from a mirror without checksums', true],
  ])('is refused when more %s than was announced, without waiting for its end', async (_, isPlainMirror) => {
    server.isPlainMirror = isPlainMirror;
    const more = Buffer.alloc(50_000_000);
    server.corrupt = (bytes: Buffer) => (bytes === graph ? Buffer.concat([bytes, more]) : bytes);
    let received = 0;
    const onProgress = (done: number) => void (received = Math.max(received, done));
    await expect(install(repository, { onProgress })).rejects.toThrow(
      'does not match what the server announced',
    );
    expect(received).toBeLessThan(10_000_000);
  });

  itWithOnnxRuntime('replaces one of the same id, which is then used', async () => {
    const first = await install(repository);
    await vectorFrom(first.modelDir, 'x', 'passage');
    delete server.files[`${repository}/1_Pooling/config.json`];
    const second = await install(repository);
    expect(second.pooling).toBe('mean');
    expectClose(await vectorFrom(second.modelDir, 'x', 'passage'), expected['x'].mean);
  });

  itWithOnnxRuntime('known by name gets its own pooling and prefixes', async () => {
    const { repository: known } = modelRegistry['all-MiniLM-L6-v2']!;
    server.files[`${known}/onnx/model.onnx`] = graph;
    server.files[`${known}/tokenizer.json`] = tokenizer;
    // The stand-in has another width than the real one, which the trial notices.
    await expect(install('all-MiniLM-L6-v2')).rejects.toThrow(/float32 \[1, \d+, 384\] was expected/);
  });
});

describe('what is not there', () => {
  it.each([
    ['nobody/nothing', 'NOT_FOUND'],
    ['no-such-name', 'INVALID_ARGUMENT'],
    ['constructor', 'INVALID_ARGUMENT'],
    ['../../etc/passwd', 'NOT_FOUND'],
    ['./no-folder', 'NOT_FOUND'],
    ['a/b/c', 'INVALID_ARGUMENT'],
  ])('%s is refused as %s', async (id, code) => {
    await expect(install(id)).rejects.toMatchObject({ code });
    expect(await listModels(modelsDir)).toEqual([]);
    expect(existsSync(modelsDir) ? readdirSync(modelsDir) : []).toEqual([]);
  });

  it('a server out of reach is named', async () => {
    const endpoint = 'http://127.0.0.1:9';
    await expect(install(repository, { endpoint })).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message: expect.stringMatching(/127\.0\.0\.1:9\/\S*: (?!fetch failed).*HF_ENDPOINT.*folder/),
    });
  });

  itWithOnnxRuntime('a graph that cannot be read is not installed', async () => {
    server.files[`${repository}/onnx/model.onnx`] = Buffer.alloc(6000, 'x');
    await expect(install(repository)).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message: expect.stringMatching(/model\.onnx is damaged/),
    });
    expect(await listModels(modelsDir)).toEqual([]);
    expect(readdirSync(modelsDir)).toEqual([]); // It was whole, and useless: nothing to go on from.
  });
});

describe('a model from a folder', () => {
  itWithOnnxRuntime('is copied as it describes itself', async () => {
    const folder = join(modelsDir, '..', 'described');
    cpSync(join(fixtures, 'tiny-static'), folder, { recursive: true });
    const path = join(folder, 'model.json');
    const spec = { ...JSON.parse(readFileSync(path, 'utf8')), similarity: BUILT_IN_SCALE } as object;
    writeFileSync(path, JSON.stringify(spec));
    expect(await install(folder)).toMatchObject(spec);
    expect(server.requests).toEqual([]);
  });

  itWithOnnxRuntime('is copied with the files that its graph names', async () => {
    const folder = join(modelsDir, '..', 'external');
    cpSync(external, folder, { recursive: true });
    const { modelDir } = await install(folder);
    expect(readdirSync(modelDir).sort()).toEqual([
      'model.json',
      'model.onnx',
      'model.onnx_data',
      'tokenizer.json',
    ]);
    const modes = readdirSync(modelDir).map((name) => statSync(join(modelDir, name)).mode & 0o777);
    if (process.platform !== 'win32') expect(new Set(modes)).toEqual(new Set([0o600]));
    expectClose(await vectorFrom(modelDir, 'x', 'passage'), tinyStatic['x'].none);
    rmSync(join(folder, 'model.onnx_data'));
    await expect(install(folder)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('needs model.onnx_data beside it'),
    });
    expect(readdirSync(modelsDir)).toEqual(['tiny-external']);
  });

  itWithOnnxRuntime.each(['../odel.onnx_dat', 'TOKENIZERS.JSON', 'model.onnx.etag'])(
    'is refused when its graph names %j as a file of constants',
    async (name) => {
      const folder = join(modelsDir, '..', 'elsewhere');
      cpSync(external, folder, { recursive: true });
      const path = join(folder, 'model.onnx');
      const bytes = readFileSync(path);
      bytes.write(name, bytes.indexOf('model.onnx_data'));
      writeFileSync(path, bytes);
      await expect(install(folder)).rejects.toThrow('it names the file');
    },
  );

  itWithOnnxRuntime('is installed with what its cosines mean', async () => {
    const { modelDir } = await install(join(fixtures, 'tiny-transformer'));
    const embedder = await Embedder.open({ pool, modelDir });
    const [breakfast, garden] = ['Mix flour, milk and eggs.', 'The hedge was cut in March.'];
    const [a, b] = [await embedder.embed([breakfast], 'query'), await embedder.embed([garden], 'passage')];
    const cosine = a.reduce((sum, value, i) => sum + value * b[i]!, 0);
    expect(cosine).toBeGreaterThan(0.5); // A random transformer finds everything alike.
    expect(embedder.similarity(cosine)).toBeLessThan(cosine - 0.2);
  });

  itWithOnnxRuntime('is found below the home folder, which not every shell writes out', async () => {
    const home = join(modelsDir, '..', 'ada');
    cpSync(join(fixtures, 'tiny-static'), join(home, 'tiny-static'), { recursive: true });
    const name = process.platform === 'win32' ? 'USERPROFILE' : 'HOME';
    vi.stubEnv(name, home);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await install('~/tiny-static')).toMatchObject({ id: 'tiny-static' });
  });

  itWithOnnxRuntime('is listed whatever its id', async () => {
    const folder = join(modelsDir, '..', 'named');
    cpSync(join(fixtures, 'tiny-static'), folder, { recursive: true });
    const spec = JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8')) as object;
    for (const id of ['.hidden', '../../up', 'a b:c']) {
      writeFileSync(join(folder, 'model.json'), JSON.stringify({ ...spec, id }));
      const { modelDir } = await install(folder);
      expect(dirname(modelDir)).toBe(modelsDir);
      expect((await listModels(modelsDir)).map((model) => model.id)).toEqual([id]);
      await removeModel(modelsDir, id);
    }
  });

  itWithOnnxRuntime('without a description is described by its graph', async () => {
    const folder = join(modelsDir, '..', 'my model');
    mkdirSync(join(folder, 'onnx'), { recursive: true });
    cpSync(join(fixtures, 'tiny-transformer/model.onnx'), join(folder, 'onnx/model.onnx'));
    cpSync(join(fixtures, 'tiny-transformer/tokenizer.json'), join(folder, 'tokenizer.json'));
    // As a killed program left it, which copied another model of that name.
    cpSync(join(fixtures, 'tiny-static/model.json'), join(modelsDir, '.my-model.part', 'model.json'));
    const installed = await install(folder);
    expect(installed).toMatchObject({
      id: 'my model',
      dim: 16,
      pooling: 'mean',
      outputName: 'last_hidden_state',
      maxTokens: 32, // All that it takes, as trying showed.
    });
    expectClose(await vectorFrom(installed.modelDir, 'x', 'passage'), expected['x'].mean);
  });

  itWithOnnxRuntime('pools as the files of its repository say, which may be a folder', async () => {
    const folder = join(modelsDir, '..', 'cloned');
    mkdirSync(join(folder, '1_Pooling'), { recursive: true });
    for (const file of ['model.onnx', 'tokenizer.json'])
      cpSync(join(fixtures, 'tiny-transformer', file), join(folder, file));
    writeFileSync(join(folder, '1_Pooling/config.json'), json({ pooling_mode_cls_token: true }));
    expect((await install(folder)).pooling).toBe('cls');
  });

  itWithOnnxRuntime.each([
    ['tokenizer.json', '{ "model": ', /tokenizer\.json is damaged/],
    ['model.onnx', 'no graph', /model\.onnx is damaged/],
    ['model.json', '{ "id": "x" }', /"queryPrefix" must be a string/],
  ])('is refused when its %s is damaged', async (file, content, says) => {
    const folder = join(modelsDir, '..', 'damaged');
    cpSync(join(fixtures, 'tiny-transformer'), folder, { recursive: true });
    writeFileSync(join(folder, file), content);
    await expect(install(folder)).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message: expect.stringMatching(says),
    });
    expect(await listModels(modelsDir)).toEqual([]);
  });

  itWithOnnxRuntime.each([
    ['of any text', undefined, 'its vectors are not numbers'],
    ['of some that it is measured with', 'after', '"similarity" must have cosines'],
  ])('is refused when its vectors %s are not numbers', async (_, word, says) => {
    const folder = join(modelsDir, '..', 'without-numbers');
    cpSync(join(fixtures, 'tiny-static'), folder, { recursive: true });
    const model = readFileSync(join(folder, 'model.onnx'));
    const [largest] = [...onnxTensors(model).values()].sort((a, b) => b.length - a.length);
    const { vocab } = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8')).model;
    const rowBytes = 16 * Float32Array.BYTES_PER_ELEMENT;
    if (word === undefined) largest!.fill(0xff);
    else largest!.fill(0xff, rowBytes * vocab[word], rowBytes * (vocab[word] + 1));
    writeFileSync(join(folder, 'model.onnx'), model);
    await expect(install(folder)).rejects.toThrow(says);
    expect(readdirSync(modelsDir)).toEqual([]);
  });

  itWithOnnxRuntime(
    'is refused when its vectors have another length than 1, and leaves what was there',
    async () => {
      const folder = join(modelsDir, '..', 'long');
      cpSync(join(fixtures, 'tiny-transformer'), folder, { recursive: true });
      const before = await install(folder);
      const spec = JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8')) as object;
      writeFileSync(join(folder, 'model.json'), JSON.stringify({ ...spec, normalize: false }));
      await expect(install(folder)).rejects.toThrow('"normalize" must be true');
      expect(await listModels(modelsDir)).toEqual([before]);
    },
  );

  itWithOnnxRuntime.each([
    ['its vectors are not as wide', { dim: 17 }, /16\].* where float32 \[1, \d+, 17\] was expected/],
    [
      'it does not take as many tokens',
      { maxTokens: 999 },
      /model\.json .*a text of 999 tokens \("maxTokens"\) fails/,
    ],
  ])('is refused when %s as it says', async (_, wrong, says) => {
    const folder = join(modelsDir, '..', 'wrong');
    cpSync(join(fixtures, 'tiny-transformer'), folder, { recursive: true });
    const spec = JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8')) as object;
    writeFileSync(join(folder, 'model.json'), JSON.stringify({ ...spec, ...wrong }));
    await expect(install(folder)).rejects.toThrow(says);
  });

  it('is refused when it has the id of the built-in model', async () => {
    const folder = join(modelsDir, '..', 'same');
    cpSync(join(fixtures, 'tiny-transformer'), folder, { recursive: true });
    const [spec, { id }] = [
      JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8')),
      await builtInModel(),
    ];
    writeFileSync(join(folder, 'model.json'), JSON.stringify({ ...spec, id }));
    await expect(install(folder)).rejects.toThrow(/another id/);
  });

  itWithOnnxRuntime.each([
    [{ pooling_mode_lasttoken: true }, 'pooling_mode_lasttoken'],
    [
      { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true },
      'pooling_mode_cls_token,pooling_mode_mean',
    ],
    [{ pooling_mode: 'max' }, 'max'],
    [{ pooling_mode: ['cls', 'mean'] }, 'cls,mean'],
  ])('is refused when it pools in a way that is not known here: %j', async (pooling, says) => {
    server.files[`${repository}/1_Pooling/config.json`] = json(pooling);
    await expect(install(repository)).rejects.toThrow(says);
  });

  itWithOnnxRuntime.each([
    [{ pooling_mode: 'cls', include_prompt: true }, 'cls'],
    [{ pooling_mode: ['mean'] }, 'mean'],
    [{ word_embedding_dimension: 16, include_prompt: true }, 'mean'],
  ])('pools as its repository says: %j', async (pooling, expectedPooling) => {
    server.files[`${repository}/1_Pooling/config.json`] = json(pooling);
    expect((await install(repository)).pooling).toBe(expectedPooling);
  });

  itWithOnnxRuntime('is refused when one of its descriptions is a page of the server', async () => {
    server.files[`${repository}/config.json`] = Buffer.from('<html>Not found</html>');
    await expect(install(repository)).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message: expect.stringContaining('config.json is damaged'),
    });
  });
});
