/**
 * A full pass of clustering as the server runs it: vectors in SQLite, work in a pool of as many threads as there are
 * cores, the main thread free to answer.
 *
 *   node packages/ingest/bench/clusters.bench.mjs [--chunks 5000] [--dim 256]
 *
 * The vectors are made up: topics of different sizes on the unit sphere, and a third of noise. Up to 10,000 chunks the
 * result is compared with that of all distances (adjusted Rand index, noise counted as singletons). Prints one JSON
 * object; `eventLoopP99Ms` is what a ping would have waited.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { hdbscan } from '@causantic/algorithms';
import { WorkerPool } from '@causantic/compute';
import { clusterChunks } from '@causantic/ingest';
import { Store } from '@causantic/storage';

const MODEL = 'made-up';
const MOST_COMPARED = 10_000;
const CHUNKS_PER_SESSION = 1_000;

const { values } = parseArgs({
  options: { chunks: { type: 'string', default: '5000' }, dim: { type: 'string', default: '256' } },
});
const count = Number(values.chunks);
const dim = Number(values.dim);

const folder = mkdtempSync(join(tmpdir(), 'causantic-clusters-'));
const threads = availableParallelism();
const pool = new WorkerPool({ threads });
try {
  const store = Store.open(join(folder, 'memory.db'));
  const vectors = madeUpVectors();
  fill(store, vectors);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const startedAt = performance.now();
  await clusterChunks(store, { pool, modelId: MODEL });
  const seconds = (performance.now() - startedAt) / 1_000;
  delay.disable();
  const labels = labelsOf(store);
  const result = {
    chunks: count,
    dim,
    threads,
    seconds: rounded(seconds),
    clusters: new Set(labels.filter((label) => label >= 0)).size,
    noise: rounded(labels.filter((label) => label < 0).length / count),
    eventLoopP99Ms: rounded(delay.percentile(99) / 1e6),
    eventLoopMaxMs: rounded(delay.max / 1e6),
    peakMb: Math.round(process.resourceUsage().maxRSS / 1_024),
    ...(count <= MOST_COMPARED && { agreementWithExact: rounded(agreement(labels, exactLabels(vectors))) }),
  };
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  store.close();
} finally {
  await pool.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Unit vectors around a hundred middles, every third one anywhere. */
function madeUpVectors() {
  const random = seededRandom(7);
  const middles = Array.from({ length: 100 }, () => gaussians(random, dim));
  const matrix = new Float32Array(count * dim);
  for (let row = 0; row < count; row++) {
    // The square makes the first topics far larger than the last.
    const middle = middles[Math.floor(random() ** 2 * middles.length)] ?? [];
    const spread = row % 3 === 0 ? 10 : 0.35;
    const vector = gaussians(random, dim).map((value, d) => spread * value + (middle[d] ?? 0));
    const norm = Math.hypot(...vector);
    matrix.set(
      vector.map((value) => value / norm),
      row * dim,
    );
  }
  return matrix;
}

/**
 * @param {() => number} random
 * @param {number} length
 */
function gaussians(random, length) {
  return Array.from(
    { length },
    () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  );
}

/** @param {number} seed */
function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * @param {Store} store
 * @param {Float32Array} vectors
 */
function fill(store, vectors) {
  for (let start = 0; start < count; start += CHUNKS_PER_SESSION) {
    const rows = Array.from({ length: Math.min(CHUNKS_PER_SESSION, count - start) }, (_, i) => start + i);
    store.transcripts.write(`/${start}.jsonl`, (writer) => {
      const facts = { cwd: null, title: null, gitBranch: null, clientVersion: null };
      writer.putSession(
        { uuid: `session-${start}`, source: 'claude-code', ...facts },
        { path: '/p', name: 'p' },
      );
      rows.forEach((row, ordinal) => writer.putTurn(turn(row, ordinal)));
    });
    const ids = store.vectors.pending(MODEL, start, rows.length).map(({ id }) => id);
    store.vectors.put(MODEL, ids, vectors.slice(start * dim, (start + rows.length) * dim));
  }
}

/**
 * @param {number} row
 * @param {number} ordinal
 */
function turn(row, ordinal) {
  const text = `Remark ${row}`;
  const line = ordinal + 1;
  const times = { startTimeMs: row * 1_000, endTimeMs: row * 1_000 };
  const spans = [{ speaker: /** @type {const} */ ('user'), start: 0, end: text.length }];
  const kind = /** @type {const} */ ('dialogue');
  const place = { lineStart: line, lineEnd: line, continues: false, gitBranch: null, files: [], tools: [] };
  const chunk = { seq: ordinal, kind, text, spans, tokens: 3, ...times, ...place };
  const prompt = { agentKey: null, promptUuid: null, promptParentUuid: null };
  return { ordinal, lineStart: line, ...prompt, ...times, facts: {}, chunks: [chunk] };
}

/**
 * A cluster's number for each chunk, −1 for noise.
 *
 * @param {Store} store
 */
function labelsOf(store) {
  const ids = [...store.vectors.ids(MODEL, 1)];
  const clusterOf = store.clusters.clustersOf(ids);
  return ids.map((id) => clusterOf.get(id) ?? -1);
}

/** @param {Float32Array} vectors */
function exactLabels(vectors) {
  return [...hdbscan(vectors, dim, { minClusterSize: 5, minSamples: 5, distanceFloor: 0.2 }).labels];
}

/**
 * Adjusted Rand index (Hubert and Arabie 1985); each chunk among the noise is a cluster of its own.
 *
 * @param {number[]} a
 * @param {number[]} b
 */
function agreement(a, b) {
  const alone = (/** @type {number[]} */ labels) =>
    labels.map((label, row) => (label < 0 ? `noise ${row}` : `${label}`));
  const [left, right] = [alone(a), alone(b)];
  const pairs = (/** @type {string[]} */ keys) => {
    const sizes = new Map();
    for (const key of keys) sizes.set(key, (sizes.get(key) ?? 0) + 1);
    return [...sizes.values()].reduce((sum, size) => sum + (size * (size - 1)) / 2, 0);
  };
  const both = pairs(left.map((key, row) => `${key} / ${right[row]}`));
  const [inLeft, inRight] = [pairs(left), pairs(right)];
  const expected = (inLeft * inRight) / ((a.length * (a.length - 1)) / 2);
  return (both - expected) / ((inLeft + inRight) / 2 - expected);
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 1_000) / 1_000;
}
