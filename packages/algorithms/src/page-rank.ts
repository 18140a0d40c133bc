import { requireThat } from './argument-checks.js';

/** A directed graph as compressed sparse rows: node `u` points to `targets[offsets[u] .. offsets[u + 1])`. */
export type CsrGraph = {
  /** Length nodes + 1, ascending, `offsets[0] === 0`. */
  offsets: Int32Array;
  targets: Int32Array;
  /** One weight ≥ 0 per target. */
  weights: Float32Array | Float64Array;
};

export type PageRankOptions = {
  /** Share of rank that follows an edge; the rest restarts. 0.85 as in Brin and Page (1998). */
  damping?: number;
  /** Where restarts and dangling rank go: one value ≥ 0 per node, scaled here to sum 1; uniform when left out. */
  personalization?: ArrayLike<number>;
  /**
   * Stop once less than this share of all rank is still to be given on; 1e-9 when left out. The sum of all differences
   * from the solution is then at most `2 * damping / (1 - damping)` times as much: 11 at the default damping.
   */
  tolerance?: number;
  /** Of a node whose edges weigh less than this in all, the missing share goes where dangling rank does; 0 when left out. */
  leastWeight?: number;
};

/** Over the nodes: they reach the default tolerance at the default damping, since 0.925^266 < 1e-9. */
const MAX_PASSES = 300;

/**
 * PageRank (Page et al. 1999), O(passes × edges), with a fixed order of sums. Nodes without outgoing weight give
 * their rank to the personalization vector.
 *
 * Rank still to be given on is kept apart and pushed node after node (Berkhin 2006), so that one pass hands it down
 * a whole path. A pass leaves out nodes with less than half the average, which gather more until a later one: those
 * hold less than half of all, so that each pass settles at least (1 - damping) / 2 of what is left. A quarter of the
 * work of power iteration.
 *
 * @returns one rank per node; they sum to 1 (an empty array for an empty graph)
 * @throws RangeError on a malformed graph, negative values, sums of weights that overflow, or an all-zero personalization
 */
export function pageRank(graph: CsrGraph, options: PageRankOptions = {}): Float64Array {
  const { damping = 0.85, tolerance = 1e-9, leastWeight = 0 } = options;
  requireThat(damping >= 0 && damping < 1, `damping must lie in [0, 1), got ${damping}`);
  requireThat(tolerance >= 0, `tolerance must not be negative, got ${tolerance}`);
  requireThat(leastWeight >= 0, `leastWeight must not be negative, got ${leastWeight}`);
  const nodes = checkGraph(graph);
  if (nodes === 0) return new Float64Array(0);
  const waiting = restartDistribution(nodes, options.personalization);
  const push = {
    graph,
    factors: rowFactors(graph, damping, leastWeight),
    waiting,
    ranks: new Float64Array(nodes),
  };
  let left = 1;
  for (let pass = 0; pass < MAX_PASSES && left >= tolerance; pass++) left = pushAll(push, left / (2 * nodes));
  for (let node = 0; node < nodes; node++) push.ranks[node]! += waiting[node]!;
  return scaleToSumOne(push.ranks);
}

interface Push {
  graph: CsrGraph;
  /** Per node, the share of its rank that follows an edge of weight 1. */
  factors: Float64Array;
  waiting: Float64Array;
  ranks: Float64Array;
}

/**
 * @param little a node with no more than this waiting is passed over
 * @returns what is still waiting after one pass
 */
function pushAll(
  { graph: { offsets, targets, weights }, factors, waiting, ranks }: Push,
  little: number,
): number {
  for (let node = 0; node < ranks.length; node++) {
    const given = waiting[node]!;
    if (given <= little) continue;
    waiting[node] = 0;
    ranks[node]! += given;
    const factor = given * factors[node]!;
    const end = offsets[node + 1]!;
    for (let edge = offsets[node]!; edge < end; edge++) waiting[targets[edge]!]! += factor * weights[edge]!;
  }
  let total = 0;
  for (let node = 0; node < ranks.length; node++) total += waiting[node]!;
  return total;
}

/** Also looks every edge over, because a pass of its own for that costs as much as a pass of ranking. */
function rowFactors(graph: CsrGraph, damping: number, leastWeight: number): Float64Array {
  const { offsets, targets, weights } = graph;
  const factors = new Float64Array(offsets.length - 1);
  let allWithin = true;
  for (let node = 0; node < factors.length; node++) {
    const end = offsets[node + 1]!;
    let total = 0;
    for (let edge = offsets[node]!; edge < end; edge++) {
      const target = targets[edge]!;
      const weight = weights[edge]!;
      allWithin &&= target >= 0 && target < factors.length && weight >= 0;
      total += weight;
    }
    allWithin &&= total < Infinity;
    const factor = damping / Math.max(total, leastWeight);
    factors[node] = factor < Infinity ? factor : 0; // Nothing can be shared out by weights that are nearly 0.
  }
  requireThat(
    allWithin,
    `targets must lie within the ${factors.length} nodes, weights must not be negative, a node's sum must be finite`,
  );
  return factors;
}

function restartDistribution(nodes: number, personalization: ArrayLike<number> | undefined): Float64Array {
  if (personalization === undefined) return new Float64Array(nodes).fill(1 / nodes);
  requireThat(
    personalization.length === nodes,
    `personalization has ${personalization.length} values for ${nodes} nodes`,
  );
  const restart = Float64Array.from(personalization);
  requireThat(
    restart.every((value) => value >= 0) && sumOf(restart) > 0 && sumOf(restart) < Infinity,
    'personalization needs values of 0 or more with a finite sum above 0',
  );
  return scaleToSumOne(restart);
}

function sumOf(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

function scaleToSumOne(values: Float64Array): Float64Array {
  const sum = sumOf(values);
  for (let i = 0; i < values.length; i++) values[i]! /= sum;
  return values;
}

function checkGraph({ offsets, targets, weights }: CsrGraph): number {
  const nodes = offsets.length - 1;
  requireThat(
    areAscending(offsets) && offsets[nodes] === targets.length,
    'offsets must ascend from 0 to the number of targets',
  );
  requireThat(weights.length === targets.length, `${weights.length} weights for ${targets.length} targets`);
  return nodes;
}

function areAscending(offsets: Int32Array): boolean {
  if (offsets[0] !== 0) return false;
  for (let i = 1; i < offsets.length; i++) if (offsets[i]! < offsets[i - 1]!) return false;
  return true;
}
