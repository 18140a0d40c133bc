/**
 * Measures tokenizing, embedding, vector search and how long the main thread is kept from answering
 * meanwhile. Prints one JSON object. Run it after a build: node packages/compute/bench/compute.bench.mjs
 */
import { Tokenizer as ReferenceTokenizer } from '@huggingface/tokenizers';
import { Embedder, VectorIndexes, WorkerPool, defaultModelDir } from '@causantic/compute';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { loadTokenizer } from '../dist/models/tokenizer.js';

const CHUNK_CHARS = 800; // About 200 tokens.
const SEARCHES = 200;

const chunks = readChunks();
const [tokenizer, embedding] = [await benchTokenizer(), await benchEmbedding()];
const search = {
  faiss10k: await benchSearch(10_000, { exactBytes: Infinity }),
  scan10k: await benchSearch(10_000, { exactBytes: Infinity, useFaiss: false }),
  faiss100k: await benchSearch(100_000, { exactBytes: Infinity }),
  scan100k: await benchSearch(100_000, { exactBytes: Infinity, useFaiss: false }),
  int8100k: await benchSearch(100_000, { exactBytes: 0 }),
  loop100k: benchLoop(100_000),
  ...(process.argv.includes('--million') && {
    int8Million: await benchSearch(1_000_000, { exactBytes: 0 }),
  }),
};
const loopOverDefault100k = rounded(search.loop100k.p50Ms / search.int8100k.p50Ms);
console.log(JSON.stringify({ tokenizer, embedding, search: { ...search, loopOverDefault100k } }, null, 2));

/** TypeScript's own declaration files: code and comments in English, on every machine that runs this. */
function readChunks() {
  const folder = dirname(createRequire(import.meta.url).resolve('typescript'));
  const files = readdirSync(folder).filter((name) => /^lib\..*\.d\.ts$/.test(name));
  const text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const count = Math.floor(text.length / CHUNK_CHARS);
  return Array.from({ length: count }, (_, i) => text.slice(i * CHUNK_CHARS, (i + 1) * CHUNK_CHARS));
}

async function benchTokenizer() {
  const modelDir = defaultModelDir();
  /** @type {{ model: { vocab: string[] } }} */
  const { model, ...definition } = JSON.parse(readFileSync(join(modelDir, 'tokenizer.json'), 'utf8'));
  // The reference takes an object alone.
  const vocab = Object.fromEntries(model.vocab.map((piece, id) => [piece, id]));
  const reference = new ReferenceTokenizer({ ...definition, model: { ...model, vocab } }, {});
  const tokenizer = await loadTokenizer(modelDir);
  const megabytes = (/** @type {string[]} */ texts) => Buffer.byteLength(texts.join('')) / 1e6;
  const speed = (/** @type {string[]} */ texts, /** @type {(text: string) => unknown} */ encode) =>
    megabytes(texts) / cpuSecondsOf(() => texts.forEach((text) => encode(text)));
  const ours = speed(chunks, (text) => tokenizer.encode(text, Infinity));
  const theirs = speed(chunks.slice(0, 500), (text) => reference.encode(text));
  const tokens = chunks.reduce((sum, text) => sum + tokenizer.encode(text, Infinity).length, 0);
  return {
    megabytesPerCpuSecond: rounded(ours),
    referenceMegabytesPerCpuSecond: rounded(theirs),
    timesReference: rounded(ours / theirs),
    tokensPerChunk: rounded(tokens / chunks.length),
  };
}

/** One worker thread; the main thread only waits, and that is measured. */
async function benchEmbedding() {
  const pool = new WorkerPool({ threads: 1 });
  const embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
  const firstQueryMs = await millisecondsOf(() => embedder.embed(['where is the parser'], 'query'));
  const cpuBefore = process.cpuUsage();
  const alone = await millisecondsOf(() => embedder.embed(chunks, 'passage'));
  const cpuSeconds = secondsIn(process.cpuUsage(cpuBefore));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const embedding = millisecondsOf(() => embedder.embed(chunks, 'passage'));
  const queries = /** @type {number[]} */ ([]);
  let running = true;
  embedding.then(() => (running = false));
  while (running)
    queries.push(await millisecondsOf(() => embedder.embed(['why did the parser fail'], 'query')));
  await embedding;
  delay.disable();
  const idleQueries = /** @type {number[]} */ ([]);
  for (let i = 0; i < SEARCHES; i++)
    idleQueries.push(await millisecondsOf(() => embedder.embed([`query ${i}`], 'query')));
  await pool.close();
  return {
    model: embedder.model.id,
    chunksPerSecond: rounded((1000 * chunks.length) / alone),
    chunksPerCpuSecond: rounded(chunks.length / cpuSeconds),
    firstQueryMs: rounded(firstQueryMs),
    queryMs: percentiles(idleQueries),
    queryWhileEmbeddingMs: percentiles(queries),
    mainThreadDelayP99Ms: rounded(delay.percentile(99) / 1e6 - 1),
    mainThreadDelayMaxMs: rounded(delay.max / 1e6 - 1),
  };
}

/**
 * @param {number} count vectors
 * @param {{ exactBytes: number, useFaiss?: boolean }} options
 */
async function benchSearch(count, options) {
  const dim = 256;
  const directory = mkdtempSync(join(tmpdir(), 'causantic-bench-'));
  const ids = Float64Array.from({ length: count }, (_, i) => i + 1);
  const source = {
    state: () => ({ modelId: 'synthetic', dim, version: 1 }),
    ids: () => ids.slice(),
    vectors: (/** @type {string} */ _key, /** @type {Float64Array} */ wanted) =>
      syntheticVectors(wanted, dim),
  };
  const budget = { memoryBudgetBytes: 8 * 2 ** 30 };
  const indexes = new VectorIndexes({ directory, source, ...budget, ...options });
  const buildMs = await millisecondsOf(() => indexes.sync('bench'));
  const all = /** @type {number[]} */ ([]);
  const filtered = /** @type {number[]} */ ([]);
  const allowed = ids.filter((id) => id % 50 === 0);
  for (let i = 0; i < SEARCHES; i++) {
    const search = { keys: ['bench'], query: syntheticVectors([-1 - i], dim), k: 50 };
    all.push(await millisecondsOf(() => indexes.search(search)));
    filtered.push(await millisecondsOf(() => indexes.search({ ...search, allowed })));
  }
  const { backend, bytes } = await indexes.diagnostics();
  await indexes.close();
  const reopened = new VectorIndexes({ directory, source, ...budget, ...options });
  const loadMs = await millisecondsOf(() => reopened.sync('bench'));
  await reopened.close();
  rmSync(directory, { recursive: true });
  return {
    backend,
    ...percentiles(all),
    twoPercentAllowed: percentiles(filtered),
    buildMs: rounded(buildMs),
    loadMs: rounded(loadMs),
    indexMegabytes: rounded(bytes / 1e6),
    processMegabytes: rounded(process.memoryUsage.rss() / 1e6),
  };
}

/**
 * What all this is compared with: the same scan as a plain loop on the main thread.
 *
 * @param {number} count vectors
 */
function benchLoop(count) {
  const dim = 256;
  const matrix = syntheticVectors(
    Array.from({ length: count }, (_, i) => i),
    dim,
  );
  const scores = new Float32Array(count);
  const times = Array.from({ length: 20 }, (_, i) => {
    const query = syntheticVectors([-1 - i], dim);
    return 1000 * secondsOf(() => scanInLoop(matrix, query, scores));
  });
  return percentiles(times);
}

/**
 * @param {Float32Array} matrix
 * @param {Float32Array} query
 * @param {Float32Array} scores
 */
function scanInLoop(matrix, query, scores) {
  const dim = query.length;
  for (let row = 0, at = 0; row < scores.length; row++) {
    let sum = 0;
    for (let j = 0; j < dim; j++)
      sum += /** @type {number} */ (matrix[at++]) * /** @type {number} */ (query[j]);
    scores[row] = sum;
  }
}

/**
 * A unit vector for every id, the same whenever it is asked for.
 *
 * @param {ArrayLike<number>} ids
 * @param {number} dim
 */
function syntheticVectors(ids, dim) {
  const vectors = new Float32Array(ids.length * dim);
  Array.from(ids).forEach((id, row) => {
    let state = Math.imul(id, 0x9e3779b1) | 1;
    let squares = 0;
    const start = row * dim;
    for (let j = start; j < start + dim; j++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      const coordinate = state / 2 ** 31;
      vectors[j] = coordinate;
      squares += coordinate * coordinate;
    }
    const scale = 1 / Math.sqrt(squares);
    vectors.subarray(start, start + dim).forEach((value, j) => (vectors[start + j] = value * scale));
  });
  return vectors;
}

/** @param {() => Promise<unknown>} run */
async function millisecondsOf(run) {
  const startedAtMs = performance.now();
  await run();
  return performance.now() - startedAtMs;
}

/** @param {() => void} run */
function secondsOf(run) {
  const startedAtMs = performance.now();
  run();
  return (performance.now() - startedAtMs) / 1000;
}

/**
 * Of all threads: what the machine's other work does not change.
 *
 * @param {() => void} run
 */
function cpuSecondsOf(run) {
  const before = process.cpuUsage();
  run();
  return secondsIn(process.cpuUsage(before));
}

/** @param {NodeJS.CpuUsage} usage */
function secondsIn({ user, system }) {
  return (user + system) / 1e6;
}

/** @param {readonly number[]} values */
function percentiles(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (/** @type {number} */ share) =>
    rounded(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN);
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}

/** @param {number} value */
function rounded(value) {
  return Number(value.toPrecision(4));
}
