// How long a walk takes over a large graph in memory. Prints JSON; the CPU times tell more on a busy machine.
//   node packages/graph/bench/walk.bench.mjs [edges=1000000] [walks=1000]
// The graph resembles what ingestion makes of coding sessions: streams of adjacent chunks, for every file the next
// toucher (a few files are touched all the time), topic links at random, and hubs where many agents report.
import { performance } from 'node:perf_hooks';
import { EDGE_TYPES, EDGE_WEIGHTS, walkChains } from '../dist/index.js';

/** @typedef {import('../dist/index.js').EdgeType} EdgeType */
/** @typedef {import('../dist/index.js').WalkOptions['direction']} Direction */

const edgeCount = Number(process.argv[2] ?? 1_000_000);
const walkCount = Number(process.argv[3] ?? 1000);
const SEEDS_PER_WALK = 10;
const chunkCount = Math.floor(edgeCount * 0.4);

/** @param {number} state */
function createRandom(state) {
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
const random = createRandom(42);
const below = (/** @type {number} */ bound) => Math.floor(random() * bound);

/**
 * @param {ArrayLike<number>} numbers
 * @param {number} index within them
 */
function at(numbers, index) {
  return /** @type {number} */ (numbers[index]);
}

function generateEdges() {
  const from = new Uint32Array(edgeCount);
  const to = new Uint32Array(edgeCount);
  const type = new Uint8Array(edgeCount);
  let count = 0;
  /**
   * @param {number} a
   * @param {number} b
   * @param {EdgeType} name
   */
  const add = (a, b, name) => {
    if (count === edgeCount || a === b) return;
    from[count] = Math.min(a, b);
    to[count] = Math.max(a, b);
    type[count++] = EDGE_TYPES.indexOf(name);
  };
  for (let id = 1; id < chunkCount; id++) if (random() < 0.9) add(id - 1, id, 'adjacent');
  for (let hub = 0; hub < 20; hub++) {
    const lead = below(chunkCount);
    for (let i = 0; i < 1000; i++) add(below(chunkCount), lead, 'team-report');
  }
  const lastToucher = new Map();
  for (let id = 0; id < chunkCount; id++) {
    for (let i = below(4); i > 0; i--) {
      const file = Math.floor(random() ** 3 * 20_000);
      const previous = lastToucher.get(file);
      if (previous !== undefined) add(previous, id, 'file-path');
      lastToucher.set(file, id);
    }
  }
  while (count < edgeCount) add(below(chunkCount), below(chunkCount), 'topic');
  return { from, to, type };
}

/**
 * Edge numbers by one of their ends: those of chunk `id` stand in [starts[id], starts[id + 1]).
 *
 * @param {Uint32Array} ends
 */
function indexBy(ends) {
  const starts = new Uint32Array(chunkCount + 1);
  for (const id of ends) starts[id + 1] = at(starts, id + 1) + 1;
  for (let id = 0; id < chunkCount; id++) starts[id + 1] = at(starts, id + 1) + at(starts, id);
  const numbers = new Uint32Array(ends.length);
  const next = starts.slice();
  ends.forEach((id, number) => {
    numbers[at(next, id)] = number;
    next[id] = at(next, id) + 1;
  });
  return { starts, numbers };
}

const { from, to, type } = generateEdges();
const index = { backward: indexBy(to), forward: indexBy(from) };
const tokens = Uint16Array.from({ length: chunkCount }, () => 50 + below(550));

/**
 * @param {readonly number[]} ids
 * @param {Direction} direction
 */
function neighbours(ids, direction) {
  const { starts, numbers } = index[direction];
  const edges = [];
  for (const id of ids) {
    for (let i = at(starts, id); i < at(starts, id + 1); i++) {
      const number = at(numbers, i);
      const name = /** @type {EdgeType} */ (EDGE_TYPES[at(type, number)]);
      edges.push({ from: at(from, number), to: at(to, number), type: name, weight: EDGE_WEIGHTS[name] });
    }
  }
  return edges;
}

/**
 * Relevance to walk number `walk`: a hash, so that the same chunk has another one in every walk.
 *
 * @param {number} walk
 */
function relevanceFor(walk) {
  return (/** @type {readonly number[]} */ ids) =>
    ids.map((id) => (Math.imul(id ^ (walk * 7919), 2654435761) >>> 0) / 2 ** 32);
}

/**
 * @param {Direction} direction
 * @param {{ beamWidth?: number }} options
 */
function measure(direction, options = {}) {
  const wallMs = [];
  const cpuMs = [];
  let chunks = 0;
  let explored = 0;
  for (let walk = 0; walk < walkCount; walk++) {
    const seeds = Array.from({ length: SEEDS_PER_WALK }, () => ({
      id: below(chunkCount),
      score: 0.5 + random() / 2,
    }));
    const relevance = relevanceFor(walk);
    const startMs = performance.now();
    const startCpu = process.cpuUsage();
    const { chains } = walkChains({
      seeds,
      direction,
      neighbours,
      relevance: (ids) => ((explored += ids.length), relevance(ids)),
      tokensOf: (ids) => ids.map((id) => at(tokens, id)),
      sessionsOf: (ids) => ids.map(() => 0),
      budgetTokens: 20_000,
      ...options,
    });
    const { user, system } = process.cpuUsage(startCpu);
    cpuMs.push((user + system) / 1000);
    wallMs.push(performance.now() - startMs);
    chunks += chains.reduce((sum, chain) => sum + chain.ids.length, 0);
  }
  return {
    wallMs: quantiles(wallMs),
    cpuMs: quantiles(cpuMs),
    chunksPerWalk: chunks / walkCount,
    exploredPerWalk: Math.round(explored / walkCount),
  };
}

/** @param {number[]} times */
function quantiles(times) {
  times.sort((a, b) => a - b);
  const quantile = (/** @type {number} */ share) =>
    Number(at(times, Math.floor((times.length - 1) * share)).toFixed(2));
  return { p50: quantile(0.5), p95: quantile(0.95), max: quantile(1) };
}

const result = {
  edges: edgeCount,
  chunks: chunkCount,
  walks: walkCount,
  seedsPerWalk: SEEDS_PER_WALK,
  backward: measure('backward'),
  forward: measure('forward'),
  forwardWide: measure('forward', { beamWidth: 16 }),
};
console.log(JSON.stringify(result, null, 2));
