import { DisjointSets } from '../disjoint-sets.js';
import { DotTiles, forEachTile, PANEL_POINTS, type PairSearchOptions } from '../dot-tiles.js';
import { squaredDistance, squaredNormsOf } from './distance-triangle.js';
import { forEachListedEdge, type NeighbourGraph } from './neighbour-graph.js';
import type { WeightedEdges } from './spanning-tree.js';

/** Squared distances in float32 differ from the lists' by about 1e-6: less than this is no improvement. */
const ROUNDING = 1 - 1e-5;

/**
 * The shortest edges between the graph's components that the lists do not hold, found exactly among all pairs of
 * points: O(n² × dimensions) by SIMD, less the pairs within components and those that are known to be too long.
 * The shares can be searched on different threads. Memory: points once more, 12 bytes a pair of components.
 *
 * @returns at most componentCount − 1 edges; with those of all shares the graph holds its minimum spanning tree
 */
export function componentJoins(
  points: Float32Array,
  dimensions: number,
  graph: NeighbourGraph,
  options: PairSearchOptions = {},
): WeightedEdges {
  const search = new JoinSearch(points, dimensions, graph);
  const panels = graph.componentCount < 2 ? 0 : search.panels;
  forEachTile(panels, options, (row, column) => search.searchTile(row, column));
  return search.shortestForest();
}

/** Keeps the shortest pair of points for every pair of components. */
class JoinSearch {
  readonly panels: number;
  private readonly tiles: DotTiles;
  /** Points by component, then by radius: panels are alike and can be passed over whole. */
  private readonly order: Int32Array;
  private readonly component: Int32Array;
  private readonly squaredRadius: Float64Array;
  private readonly squaredNorm: Float64Array;
  /** Per pair of components, at `pairIndex`: what a join must stay below, squared. */
  private readonly squaredLimit: Float32Array;
  private readonly bestPair: Int32Array;

  constructor(
    private readonly points: Float32Array,
    private readonly dimensions: number,
    private readonly graph: NeighbourGraph,
  ) {
    const { component, radius, pointCount } = graph;
    this.order = Int32Array.from({ length: pointCount }, (_, point) => point).sort(
      (a, b) => component[a]! - component[b]! || radius[a]! - radius[b]! || a - b,
    );
    this.component = this.order.map((point) => component[point]!);
    this.squaredRadius = Float64Array.from(this.order, (point) => radius[point]! ** 2);
    const squaredNorms = squaredNormsOf(points, dimensions);
    this.squaredNorm = Float64Array.from(this.order, (point) => squaredNorms[point]!);
    this.tiles = new DotTiles(points, dimensions, this.order);
    this.panels = this.tiles.panels;
    this.squaredLimit = listedBottlenecks(graph).map((length) => length * length * ROUNDING);
    this.bestPair = new Int32Array(2 * this.squaredLimit.length).fill(-1);
  }

  searchTile(rowPanel: number, columnPanel: number): void {
    if (this.holdsNothing(rowPanel, columnPanel)) return;
    this.tiles.multiply(rowPanel, columnPanel);
    this.scanTile(rowPanel * PANEL_POINTS, columnPanel * PANEL_POINTS);
  }

  /** Panels of one component each: none is searched within, and unlisted pairs are as long as both radii. */
  private holdsNothing(rowPanel: number, columnPanel: number): boolean {
    const last = this.component.length - 1;
    const row = rowPanel * PANEL_POINTS;
    const column = columnPanel * PANEL_POINTS;
    const a = this.component[row]!;
    const b = this.component[column]!;
    if (a !== this.component[Math.min(row + PANEL_POINTS - 1, last)]) return false;
    if (b !== this.component[Math.min(column + PANEL_POINTS - 1, last)]) return false;
    if (a === b) return true;
    return (
      Math.max(this.squaredRadius[row]!, this.squaredRadius[column]!) >= this.squaredLimit[pairIndex(a, b)]!
    );
  }

  private scanTile(row: number, column: number): void {
    const { component, squaredRadius, squaredNorm, squaredLimit } = this;
    const rowEnd = Math.min(row + PANEL_POINTS, component.length);
    const columnEnd = Math.min(column + PANEL_POINTS, component.length);
    for (let i = row; i < rowEnd; i++) {
      const product = (i - row) * PANEL_POINTS - column;
      for (let j = Math.max(column, i + 1); j < columnEnd; j++) {
        if (component[i] === component[j]) continue;
        const squared = squaredNorm[i]! + squaredNorm[j]! - 2 * this.tiles.products[product + j]!;
        const pair = pairIndex(component[i]!, component[j]!);
        // A radius is never below its core distance, so this is the mutual reachability of an unlisted pair.
        const reach = Math.max(squared, squaredRadius[i]!, squaredRadius[j]!);
        if (reach >= squaredLimit[pair]!) continue;
        squaredLimit[pair] = reach;
        this.bestPair[2 * pair] = this.order[i]!;
        this.bestPair[2 * pair + 1] = this.order[j]!;
      }
    }
  }

  /** Kruskal over components, of the best pairs that were found. */
  shortestForest(): WeightedEdges {
    const { component, componentCount } = this.graph;
    const found = Int32Array.from(this.squaredLimit, (_, pair) => pair).filter(
      (pair) => this.bestPair[2 * pair]! >= 0,
    );
    const from = found.map((pair) => this.bestPair[2 * pair]!);
    const to = found.map((pair) => this.bestPair[2 * pair + 1]!);
    const length = Float64Array.from(found, (_, edge) => this.reach(from[edge]!, to[edge]!));
    const sets = new DisjointSets(componentCount);
    const kept = Int32Array.from(found, (_, edge) => edge)
      .sort((a, b) => length[a]! - length[b]! || a - b)
      .filter((edge) => sets.unite(component[from[edge]!]!, component[to[edge]!]!) >= 0);
    return {
      from: kept.map((edge) => from[edge]!),
      to: kept.map((edge) => to[edge]!),
      length: Float64Array.from(kept, (edge) => length[edge]!),
    };
  }

  private reach(a: number, b: number): number {
    const distance = Math.sqrt(squaredDistance(this.points, this.dimensions, a, b));
    return Math.max(distance, this.graph.core[a]!, this.graph.core[b]!);
  }
}

function pairIndex(a: number, b: number): number {
  return a < b ? (b * (b - 1)) / 2 + a : (a * (a - 1)) / 2 + b;
}

/**
 * Per pair of components: the longest edge on the best way between them over listed edges. No longer join can be
 * part of the minimum spanning tree. Infinity where there is no way.
 */
function listedBottlenecks(graph: NeighbourGraph): Float32Array {
  const { component, componentCount } = graph;
  const between: { a: number; b: number; length: number }[] = [];
  forEachListedEdge(graph, (from, to, length) => {
    const [a, b] = [component[from]!, component[to]!];
    if (a !== b) between.push({ a, b, length });
  });
  const bottlenecks = new Float32Array((componentCount * (componentCount - 1)) / 2).fill(Infinity);
  const groups = Array.from({ length: componentCount }, (_, number) => [number]);
  for (const { a, b, length } of between.sort((x, y) => x.length - y.length)) {
    const [one, other] = [groups[a]!, groups[b]!];
    if (one === other) continue;
    for (const x of one) for (const y of other) bottlenecks[pairIndex(x, y)] = length;
    const [large, small] = one.length >= other.length ? [one, other] : [other, one];
    for (const member of small) {
      large.push(member);
      groups[member] = large;
    }
  }
  return bottlenecks;
}
