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
const report = {
  tokenizer: await benchTokenizer(),
  embedding: await benchEmbedding(),
  search: {
    faiss10k: await benchSearch(10_000, { exactBytes: Infinity }),
    scan10k: await benchSearch(10_000, { exactBytes: Infinity, useFaiss: false }),
    faiss100k: await benchSearch(100_000, { exactBytes: Infinity }),
    scan100k: await benchSearch(100_000, { exactBytes: Infinity, useFaiss: false }),
    int8100k: await benchSearch(100_000, { exactBytes: 0 }),
    loop100k: benchLoop(100_000),
    ...(process.argv.includes('--million') && {
      int8Million: await benchSearch(1_000_000, { exactBytes: 0 }),
    }),
  },
};
report.search.loopOverDefault100k = rounded(report.search.loop100k.p50Ms / report.search.int8100k.p50Ms);
console.log(JSON.stringify(report, null, 2));

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
  const definition = JSON.parse(readFileSync(join(modelDir, 'tokenizer.json'), 'utf8'));
  const reference = new ReferenceTokenizer(definition, {});
  const tokenizer = await loadTokenizer(modelDir);
  const megabytes = (texts) => Buffer.byteLength(texts.join('')) / 1e6;
  const speed = (texts, encode) =>
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
  const queries = [];
  let running = true;
  embedding.then(() => (running = false));
  while (running)
    queries.push(await millisecondsOf(() => embedder.embed(['why did the parser fail'], 'query')));
  await embedding;
  delay.disable();
  const idleQueries = [];
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

async function benchSearch(count, options) {
  const dim = 256;
  const directory = mkdtempSync(join(tmpdir(), 'causantic-bench-'));
  const ids = Float64Array.from({ length: count }, (_, i) => i + 1);
  const source = {
    state: () => ({ modelId: 'synthetic', dim, version: 1 }),
    ids: () => ids.slice(),
    vectors: (_key, wanted) => syntheticVectors(wanted, dim),
  };
  const budget = { memoryBudgetBytes: 8 * 2 ** 30 };
  const indexes = new VectorIndexes({ directory, source, ...budget, ...options });
  const buildMs = await millisecondsOf(() => indexes.sync('bench'));
  const searches = { all: [], filtered: [] };
  const allowed = ids.filter((id) => id % 50 === 0);
  for (let i = 0; i < SEARCHES; i++) {
    const search = { keys: ['bench'], query: syntheticVectors([-1 - i], dim), k: 50 };
    searches.all.push(await millisecondsOf(() => indexes.search(search)));
    searches.filtered.push(await millisecondsOf(() => indexes.search({ ...search, allowed })));
  }
  const { backend, bytes } = await indexes.diagnostics();
  await indexes.close();
  const reopened = new VectorIndexes({ directory, source, ...budget, ...options });
  const loadMs = await millisecondsOf(() => reopened.sync('bench'));
  await reopened.close();
  rmSync(directory, { recursive: true });
  return {
    backend,
    ...percentiles(searches.all),
    twoPercentAllowed: percentiles(searches.filtered),
    buildMs: rounded(buildMs),
    loadMs: rounded(loadMs),
    indexMegabytes: rounded(bytes / 1e6),
    processMegabytes: rounded(process.memoryUsage.rss() / 1e6),
  };
}

/** What all this is compared with: the same scan as a plain loop on the main thread. */
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

function scanInLoop(matrix, query, scores) {
  const dim = query.length;
  for (let row = 0, at = 0; row < scores.length; row++) {
    let sum = 0;
    for (let j = 0; j < dim; j++) sum += matrix[at++] * query[j];
    scores[row] = sum;
  }
}

/** A unit vector for every id, the same whenever it is asked for. */
function syntheticVectors(ids, dim) {
  const vectors = new Float32Array(ids.length * dim);
  ids.forEach((id, row) => {
    let state = Math.imul(id, 0x9e3779b1) | 1;
    let squares = 0;
    const start = row * dim;
    for (let j = start; j < start + dim; j++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      vectors[j] = state / 2 ** 31;
      squares += vectors[j] * vectors[j];
    }
    const scale = 1 / Math.sqrt(squares);
    for (let j = start; j < start + dim; j++) vectors[j] *= scale;
  });
  return vectors;
}

async function millisecondsOf(run) {
  const startedAtMs = performance.now();
  await run();
  return performance.now() - startedAtMs;
}

function secondsOf(run) {
  const startedAtMs = performance.now();
  run();
  return (performance.now() - startedAtMs) / 1000;
}

/** Of all threads: what the machine's other work does not change. */
function cpuSecondsOf(run) {
  const before = process.cpuUsage();
  run();
  return secondsIn(process.cpuUsage(before));
}

function secondsIn({ user, system }) {
  return (user + system) / 1e6;
}

function percentiles(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => rounded(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]);
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}

function rounded(value) {
  return Number(value.toPrecision(4));
}
