#!/usr/bin/env node
/**
 * Times clustering on made-up embeddings and prints one JSON object. Build the package first.
 *
 *   node bench/hdbscan.bench.mjs [--points 10000] [--dimensions 384] [--large 20000] [--neighbours 16]
 *
 * `exact` is `hdbscan`; `fromNeighbours` takes the neighbours of the first `--large` points, which are not timed, and is
 * compared with `hdbscan` on the same points when there are at most 20,000.
 */
import { parseArgs } from 'node:util';
import { hdbscan, hdbscanFromNeighbours, nearestNeighbours, normalizeRows } from '../dist/index.js';

const { values } = parseArgs({
  options: {
    points: { type: 'string', default: '10000' },
    dimensions: { type: 'string', default: '384' },
    large: { type: 'string', default: '0' },
    neighbours: { type: 'string', default: '16' },
  },
});
const dimensions = Number(values.dimensions);
const options = { minClusterSize: 4 };

/**
 * 40 random directions with noise of 0.6 / √dimensions a coordinate; three tenths random directions.
 *
 * @param {number} count
 */
function embeddings(count) {
  let state = 7;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const means = normalizeRows(Float32Array.from({ length: 40 * dimensions }, gaussian), dimensions);
  const points = new Float32Array(count * dimensions);
  for (let row = 0; row < count; row++) {
    const mean = random() < 0.3 ? -1 : Math.floor(random() * 40);
    for (let i = 0; i < dimensions; i++) {
      const offset = mean < 0 ? 0 : /** @type {number} */ (means[mean * dimensions + i]);
      points[row * dimensions + i] = offset + gaussian() * (mean < 0 ? 1 : 0.6 / Math.sqrt(dimensions));
    }
  }
  return normalizeRows(points, dimensions);
}

/**
 * @param {Float32Array} points
 * @param {number} k
 */
function neighboursOf(points, k) {
  const { rows, scores } = nearestNeighbours(points, dimensions, k);
  return { indices: rows, distances: scores.map((score) => Math.sqrt(Math.max(0, 2 - 2 * score))) };
}

/**
 * @template T
 * @param {() => T} run
 */
function timed(run) {
  const [startMs, startCpu] = [performance.now(), process.cpuUsage().user];
  const result = run();
  const seconds = (performance.now() - startMs) / 1000;
  return { result, seconds, cpuSeconds: (process.cpuUsage().user - startCpu) / 1e6 };
}

/**
 * @param {{ result: import('../dist/index.js').ClusterLabels, seconds: number, cpuSeconds: number }} timing
 * @param {number} points
 */
const describe = ({ result, seconds, cpuSeconds }, points) => ({
  points,
  dimensions,
  seconds: Number(seconds.toFixed(2)),
  cpuSeconds: Number(cpuSeconds.toFixed(2)),
  clusters: result.clusterCount,
  noise: result.labels.filter((label) => label < 0).length,
});

/**
 * @param {Int32Array} a
 * @param {Int32Array} b
 */
function adjustedRandIndex(a, b) {
  const pairsIn = (/** @type {Iterable<number | string>} */ keys) => {
    const counts = new Map();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
  };
  const both = pairsIn(Array.from(a, (label, i) => `${label},${b[i]}`));
  const [inA, inB] = [pairsIn(a), pairsIn(b)];
  const expected = (inA * inB) / ((a.length * (a.length - 1)) / 2);
  return (both - expected) / ((inA + inB) / 2 - expected);
}

const points = Number(values.points);
const exact = timed(() => hdbscan(embeddings(points), dimensions, options));
const large = Number(values.large);
const report = {
  name: 'hdbscan',
  node: process.version,
  exact: describe(exact, points),
  ...(large > 0 && { fromNeighbours: clusteredFromNeighbours() }),
};
console.log(JSON.stringify(report));

function clusteredFromNeighbours() {
  const many = embeddings(large);
  const neighbours = neighboursOf(many, Number(values.neighbours));
  const sparse = timed(() => hdbscanFromNeighbours(many, dimensions, neighbours, options));
  const described = { ...describe(sparse, large), neighbours: Number(values.neighbours) };
  if (large > 20000) return described;
  const whole = large === points ? exact.result : hdbscan(many, dimensions, options);
  const ariWithExact = Number(adjustedRandIndex(sparse.result.labels, whole.labels).toFixed(4));
  return { ...described, ariWithExact };
}
