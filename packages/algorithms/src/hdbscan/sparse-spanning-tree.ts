import { forEachListedEdge, type NeighbourGraph } from './neighbour-graph.js';
import type { WeightedEdges } from './spanning-tree.js';

/**
 * Prim's algorithm like `primSpanningTree`, from point 0 and with the same choice among equal edges (it decides
 * labels), over the neighbour lists taken both ways and the joins. O(edges · log edges).
 *
 * @returns the tree over all points that point 0 reaches
 */
export function sparseSpanningTree(graph: NeighbourGraph, joins: readonly WeightedEdges[]): WeightedEdges {
  const adjacency = bothWays(graph, joins);
  const { pointCount } = graph;
  const reach = new Float64Array(pointCount).fill(Infinity);
  const nearest = new Int32Array(pointCount).fill(-1);
  const inTree = new Uint8Array(pointCount);
  const queue = new ReachQueue();
  const order: number[] = [];
  for (let current: number | undefined = 0; current !== undefined; current = queue.pop()) {
    if (inTree[current] === 1) continue;
    inTree[current] = 1;
    order.push(current);
    for (let place = adjacency.offsets[current]!; place < adjacency.offsets[current + 1]!; place++) {
      const other = adjacency.targets[place]!;
      const length = adjacency.lengths[place]!;
      if (inTree[other] === 1 || length >= reach[other]!) continue;
      reach[other] = length;
      nearest[other] = current;
      queue.push(length, other);
    }
  }
  const to = Int32Array.from(order).subarray(1);
  return {
    from: to.map((point) => nearest[point]!),
    to,
    length: Float64Array.from(to, (point) => reach[point]!),
  };
}

type Adjacency = { offsets: Int32Array; targets: Int32Array; lengths: Float64Array };

/** Every edge at both of its ends, as compressed sparse rows of mutual reachability distances. */
function bothWays(graph: NeighbourGraph, joins: readonly WeightedEdges[]): Adjacency {
  const offsets = new Int32Array(graph.pointCount + 2);
  forEachEdge(graph, joins, (a, b) => {
    offsets[a + 2]!++;
    offsets[b + 2]!++;
  });
  for (let i = 1; i < offsets.length; i++) offsets[i]! += offsets[i - 1]!;
  const targets = new Int32Array(offsets.at(-1)!);
  const lengths = new Float64Array(targets.length);
  const place = (from: number, to: number, length: number): void => {
    const at = offsets[from + 1]!++;
    targets[at] = to;
    lengths[at] = length;
  };
  forEachEdge(graph, joins, (a, b, length) => {
    place(a, b, length);
    place(b, a, length);
  });
  return { offsets, targets, lengths };
}

function forEachEdge(
  graph: NeighbourGraph,
  joins: readonly WeightedEdges[],
  visit: (a: number, b: number, length: number) => void,
): void {
  forEachListedEdge(graph, visit);
  for (const { from, to, length } of joins) from.forEach((a, edge) => visit(a, to[edge]!, length[edge]!));
}

/** Binary heap of points by reach, then by number; a point may be in it several times. */
class ReachQueue {
  private readonly reaches: number[] = [];
  private readonly points: number[] = [];

  push(reach: number, point: number): void {
    let at = this.points.push(point) - 1;
    this.reaches.push(reach);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isBefore(at, parent)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  pop(): number | undefined {
    this.swap(0, this.points.length - 1);
    this.reaches.pop();
    const first = this.points.pop();
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      if (left >= this.points.length) return first;
      const child = left + 1 < this.points.length && this.isBefore(left + 1, left) ? left + 1 : left;
      if (!this.isBefore(child, at)) return first;
      this.swap(at, child);
      at = child;
    }
  }

  private isBefore(a: number, b: number): boolean {
    const [x, y] = [this.reaches[a]!, this.reaches[b]!];
    return x < y || (x === y && this.points[a]! < this.points[b]!);
  }

  private swap(a: number, b: number): void {
    if (b < 0) return;
    [this.reaches[a], this.reaches[b]] = [this.reaches[b]!, this.reaches[a]!];
    [this.points[a], this.points[b]] = [this.points[b]!, this.points[a]!];
  }
}
