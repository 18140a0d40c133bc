import { requireThat } from './argument-checks.js';

/** A directed graph as compressed sparse rows: node `u` points to `targets[offsets[u] .. offsets[u + 1])`. */
export type CsrGraph = {
  /** Length nodes + 1, ascending, `offsets[0] === 0`. */
  offsets: Int32Array;
  targets: Int32Array;
  /** One weight ≥ 0 per target; all 1 when left out. */
  weights?: Float32Array | Float64Array;
};

export type PageRankOptions = {
  /** Share of rank that follows an edge; the rest restarts. 0.85 as in Brin and Page (1998). */
  damping?: number;
  /** Where restarts and dangling rank go: one value ≥ 0 per node, scaled here to sum 1; uniform when left out. */
  personalization?: ArrayLike<number>;
  /** 200 reach the default tolerance at the default damping: 0.85^128 < 1e-9. */
  maxIterations?: number;
  /** Stop once the ranks move by less than this in total (L1). */
  tolerance?: number;
};

/**
 * PageRank by power iteration (Page et al. 1999), O(iterations × edges), with a fixed order of sums.
 * Nodes without outgoing weight give their rank to the personalization vector.
 *
 * @returns one rank per node; they sum to 1 (an empty array for an empty graph)
 * @throws RangeError on a malformed graph, a negative weight or an all-zero personalization
 */
export function pageRank(graph: CsrGraph, options: PageRankOptions = {}): Float64Array {
  const { damping = 0.85, maxIterations = 200, tolerance = 1e-9 } = options;
  requireThat(damping >= 0 && damping <= 1, `damping must lie in [0, 1], got ${damping}`);
  const nodes = checkGraph(graph);
  if (nodes === 0) return new Float64Array(0);
  const restart = restartDistribution(nodes, options.personalization);
  const outWeights = sumOutWeights(graph, nodes);
  let ranks = restart.slice();
  let next = new Float64Array(nodes);
  for (let iteration = 0; iteration < maxIterations; iteration++) {
    const dangling = spread(graph, outWeights, ranks, damping, next.fill(0));
    const restarted = 1 - damping + damping * dangling;
    for (let node = 0; node < nodes; node++) next[node]! += restarted * restart[node]!;
    const moved = totalDifference(ranks, next);
    [ranks, next] = [next, ranks];
    if (moved < tolerance) break;
  }
  return scaleToSumOne(ranks);
}

/** Pushes `damping × rank` along the edges into `next`; returns the rank of nodes that have none. */
function spread(
  { offsets, targets, weights }: CsrGraph,
  outWeights: Float64Array,
  ranks: Float64Array,
  damping: number,
  next: Float64Array,
): number {
  let dangling = 0;
  for (let node = 0; node < ranks.length; node++) {
    if (outWeights[node] === 0) {
      dangling += ranks[node]!;
      continue;
    }
    const share = (damping * ranks[node]!) / outWeights[node]!;
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
      next[targets[edge]!]! += weights === undefined ? share : share * weights[edge]!;
    }
  }
  return dangling;
}

function sumOutWeights({ offsets, weights }: CsrGraph, nodes: number): Float64Array {
  const sums = new Float64Array(nodes);
  for (let node = 0; node < nodes; node++) {
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) sums[node]! += weights?.[edge] ?? 1;
  }
  return sums;
}

function restartDistribution(nodes: number, personalization: ArrayLike<number> | undefined): Float64Array {
  if (personalization === undefined) return new Float64Array(nodes).fill(1 / nodes);
  requireThat(
    personalization.length === nodes,
    `personalization has ${personalization.length} values for ${nodes} nodes`,
  );
  const restart = Float64Array.from(personalization);
  requireThat(
    restart.every((value) => value >= 0 && value < Infinity) && restart.some((value) => value > 0),
    'personalization needs finite values of 0 or more, not all 0',
  );
  return scaleToSumOne(restart);
}

function scaleToSumOne(values: Float64Array): Float64Array {
  const sum = values.reduce((total, value) => total + value, 0);
  for (let i = 0; i < values.length; i++) values[i]! /= sum;
  return values;
}

function totalDifference(a: Float64Array, b: Float64Array): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += Math.abs(a[i]! - b[i]!);
  return total;
}

function checkGraph({ offsets, targets, weights }: CsrGraph): number {
  const nodes = Math.max(0, offsets.length - 1);
  const ascending = offsets.every((offset, i) => (i === 0 ? offset === 0 : offset >= offsets[i - 1]!));
  requireThat(
    ascending && (offsets[nodes] ?? 0) === targets.length,
    'offsets must ascend from 0 to the number of targets',
  );
  requireThat(
    targets.every((target) => target >= 0 && target < nodes),
    `a target lies outside the ${nodes} nodes`,
  );
  if (weights !== undefined) {
    requireThat(weights.length === targets.length, `${weights.length} weights for ${targets.length} targets`);
    requireThat(
      weights.every((weight) => weight >= 0 && weight < Infinity),
      'weights must be finite and not negative',
    );
  }
  return nodes;
}
