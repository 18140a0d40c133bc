import { requireThat } from '../argument-checks.js';
import { DisjointSets } from '../disjoint-sets.js';

/** The k nearest neighbours of n points, found elsewhere, exactly or nearly. */
export type NeighbourLists = {
  /** n × k, row-major: point numbers. A point may stand in its own row; -1 is an empty place. */
  indices: Int32Array;
  /** n × k: their Euclidean (not squared) distances. */
  distances: Float32Array;
};

export type NeighbourGraph = {
  neighbours: NeighbourLists;
  pointCount: number;
  /** Per point: distance to its `minSamples`-th nearest, itself counted as the first. */
  core: Float64Array;
  /** Per point: length of its list; whoever is not in it is at least that far away. */
  radius: Float64Array;
  /** Per point: its component, 0 … componentCount − 1. */
  component: Int32Array;
  componentCount: number;
};

/** The join search keeps 12 bytes for each pair of components: 400 MB. */
const MOST_COMPONENTS = 8192;

/**
 * Joins points as far as the lists alone prove the edges to belong to the minimum spanning tree of the mutual
 * reachability distances. O(n·k·log n): about a second for 100,000 × 16.
 *
 * @param mostComponents when more are left, further ones are joined by their shortest listed edges without proof
 * @throws RangeError for no points, a row of fewer than `minSamples` − 1 other points, or what is no neighbour
 */
export function connectNeighbours(
  neighbours: NeighbourLists,
  pointCount: number,
  minSamples: number,
  mostComponents = MOST_COMPONENTS,
): NeighbourGraph {
  const { indices, distances } = neighbours;
  requireThat(
    indices.length === distances.length && indices.length % pointCount === 0,
    `${indices.length} neighbours and ${distances.length} distances for ${pointCount} points`,
  );
  requireThat(
    indices.every((other) => other < pointCount),
    `a neighbour's number lies outside the ${pointCount} points`,
  );
  requireThat(
    indices.every((other, place) => other < 0 || !Number.isNaN(distances[place])),
    "a neighbour's distance is not a number",
  );
  const core = coreDistancesFrom(neighbours, pointCount, minSamples);
  const graph = { neighbours, pointCount, core, radius: radii(neighbours, pointCount) };
  const sets = new DisjointSets(pointCount);
  while (mergeOnce(graph, sets, true));
  while (sets.count > mostComponents && mergeOnce(graph, sets, false));
  return { ...graph, ...numberComponents(sets, pointCount) };
}

type MeasuredLists = Pick<NeighbourGraph, 'neighbours' | 'pointCount' | 'core' | 'radius'>;

/** Every listed pair with its mutual reachability distance; a pair in both lists comes twice. */
export function forEachListedEdge(
  { neighbours: { indices, distances }, core, pointCount }: MeasuredLists,
  visit: (a: number, b: number, length: number) => void,
): void {
  const k = indices.length / pointCount;
  for (let place = 0; place < indices.length; place++) {
    const point = Math.floor(place / k);
    const other = indices[place]!;
    if (other >= 0 && other !== point)
      visit(point, other, Math.max(distances[place]!, core[point]!, core[other]!));
  }
}

/**
 * A round of Borůvka's algorithm, with proof on demand: pairs in neither list are at least as long as the shortest
 * radius in a component, so a listed edge up to that length is the component's shortest way out.
 */
function mergeOnce(graph: MeasuredLists, sets: DisjointSets, mustProve: boolean): boolean {
  const before = sets.count;
  const shortestRadius = new Float64Array(graph.pointCount).fill(Infinity);
  graph.radius.forEach((radius, point) => {
    const set = sets.find(point);
    shortestRadius[set] = Math.min(shortestRadius[set]!, radius);
  });
  const exits = shortestExits(graph, sets);
  exits.length.forEach((length, set) => {
    const isProven = length <= shortestRadius[set]!;
    if (length < Infinity && (isProven || !mustProve)) sets.unite(set, exits.target[set]!);
  });
  return sets.count < before;
}

function shortestExits(
  graph: MeasuredLists,
  sets: DisjointSets,
): { length: Float64Array; target: Int32Array } {
  const length = new Float64Array(graph.pointCount).fill(Infinity);
  const target = new Int32Array(graph.pointCount).fill(-1);
  const offer = (set: number, other: number, reach: number): void => {
    if (reach >= length[set]!) return;
    length[set] = reach;
    target[set] = other;
  };
  forEachListedEdge(graph, (a, b, reach) => {
    const [setOfA, setOfB] = [sets.find(a), sets.find(b)];
    if (setOfA === setOfB) return;
    offer(setOfA, b, reach);
    offer(setOfB, a, reach);
  });
  return { length, target };
}

function radii({ indices, distances }: NeighbourLists, pointCount: number): Float64Array {
  const k = indices.length / pointCount;
  const radius = new Float64Array(pointCount);
  for (let place = 0; place < indices.length; place++) {
    const point = Math.floor(place / k);
    if (indices[place]! >= 0) radius[point] = Math.max(radius[point]!, distances[place]!);
  }
  return radius;
}

function coreDistancesFrom(
  { indices, distances }: NeighbourLists,
  pointCount: number,
  minSamples: number,
): Float64Array {
  const core = new Float64Array(pointCount);
  if (minSamples === 1) return core;
  const k = indices.length / pointCount;
  for (let point = 0; point < pointCount; point++) {
    const others: number[] = [];
    for (let place = point * k; place < (point + 1) * k; place++) {
      if (indices[place]! >= 0 && indices[place] !== point) others.push(distances[place]!);
    }
    requireThat(
      others.length >= minSamples - 1,
      `point ${point} has ${others.length} neighbours; minSamples ${minSamples} needs ${minSamples - 1}`,
    );
    core[point] = others.sort((a, b) => a - b)[minSamples - 2]!;
  }
  return core;
}

function numberComponents(
  sets: DisjointSets,
  pointCount: number,
): { component: Int32Array; componentCount: number } {
  const numbers = new Map<number, number>();
  const component = new Int32Array(pointCount);
  for (let point = 0; point < pointCount; point++) {
    const set = sets.find(point);
    const number = numbers.get(set) ?? numbers.size;
    numbers.set(set, number);
    component[point] = number;
  }
  return { component, componentCount: numbers.size };
}
