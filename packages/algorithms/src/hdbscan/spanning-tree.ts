import { reportProgress, type LoopControl } from '../loop-control.js';
import { rowOffset, type DistanceTriangle } from './distance-triangle.js';

/** A few milliseconds at 10,000 points. */
const ROWS_PER_REPORT = 64;

/** Edges of a tree or forest over points; `from[e]`, `to[e]` and `length[e]` describe edge e. */
export type WeightedEdges = { from: Int32Array; to: Int32Array; length: Float64Array };

/**
 * Distance of each point to its `minSamples`-th nearest, the point itself counted as the first (scikit-learn's
 * convention; the hdbscan package does not count it). All 0 for `minSamples` 1.
 */
export function coreDistances(
  { pointCount, distances }: DistanceTriangle,
  minSamples: number,
  control: LoopControl,
): Float64Array {
  const kept = minSamples - 1;
  const core = new Float64Array(pointCount);
  if (kept === 0) return core;
  const nearest = new Float64Array(pointCount * kept).fill(Infinity);
  let next = 0;
  for (let i = 0; i < pointCount; i++) {
    if (i % ROWS_PER_REPORT === 0) reportProgress(control, pointCount, 2 * pointCount);
    for (let j = i + 1; j < pointCount; j++) {
      const distance = distances[next++]!;
      if (distance < nearest[(i + 1) * kept - 1]!) insertAscending(nearest, i * kept, kept, distance);
      if (distance < nearest[(j + 1) * kept - 1]!) insertAscending(nearest, j * kept, kept, distance);
    }
  }
  for (let i = 0; i < pointCount; i++) core[i] = nearest[(i + 1) * kept - 1]!;
  return core;
}

/** Puts a value into a sorted run and drops the run's last. */
function insertAscending(values: Float64Array, start: number, count: number, value: number): void {
  let at = start + count - 1;
  for (; at > start && values[at - 1]! > value; at--) values[at] = values[at - 1]!;
  values[at] = value;
}

/**
 * Minimum spanning tree of the mutual reachability distances max(core(a), core(b), d(a, b)) (Campello,
 * Moulavi and Sander 2013) by Prim's algorithm from point 0, O(n²); ties go to the lower index.
 */
export function primSpanningTree(
  triangle: DistanceTriangle,
  core: Float64Array,
  control: LoopControl,
): WeightedEdges {
  const { pointCount } = triangle;
  const edgeCount = pointCount - 1;
  const edges = {
    from: new Int32Array(edgeCount),
    to: new Int32Array(edgeCount),
    length: new Float64Array(edgeCount),
  };
  const reach = new Float64Array(pointCount).fill(Infinity);
  const nearest = new Int32Array(pointCount);
  const open = Int32Array.from({ length: edgeCount }, (_, i) => i + 1);
  let current = 0;
  for (let edge = 0; edge < edgeCount; edge++) {
    const position = relax(triangle, core, current, open.subarray(0, edgeCount - edge), reach, nearest);
    current = open[position]!;
    open.copyWithin(position, position + 1, edgeCount - edge);
    edges.from[edge] = nearest[current]!;
    edges.to[edge] = current;
    edges.length[edge] = reach[current]!;
    if (edge % ROWS_PER_REPORT === 0) reportProgress(control, pointCount + edge, 2 * pointCount);
  }
  reportProgress(control, 2 * pointCount, 2 * pointCount);
  return edges;
}

/** Offers the edges of `current` to the open points; returns the position of the nearest open point. */
function relax(
  { pointCount, distances }: DistanceTriangle,
  core: Float64Array,
  current: number,
  open: Int32Array,
  reach: Float64Array,
  nearest: Int32Array,
): number {
  const currentOffset = rowOffset(current, pointCount);
  const currentCore = core[current]!;
  let best = 0;
  let bestReach = Infinity;
  for (let position = 0; position < open.length; position++) {
    const point = open[position]!;
    const at = point > current ? currentOffset + point : rowOffset(point, pointCount) + current;
    const candidate = Math.max(distances[at]!, currentCore, core[point]!);
    if (candidate < reach[point]!) {
      reach[point] = candidate;
      nearest[point] = current;
    }
    if (reach[point]! < bestReach) {
      bestReach = reach[point]!;
      best = position;
    }
  }
  return best;
}
