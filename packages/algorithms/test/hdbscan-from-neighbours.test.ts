import { describe, expect, it } from 'vitest';
import {
  componentJoins,
  connectNeighbours,
  euclideanDistance,
  hdbscan,
  hdbscanFromGraph,
  hdbscanFromNeighbours,
  normalizeRows,
  rowOf,
  StoppedError,
  type NeighbourLists,
} from '../src/index.js';
import { distanceTriangle } from '../src/hdbscan/distance-triangle.js';
import { coreDistances, primSpanningTree } from '../src/hdbscan/spanning-tree.js';
import { sparseSpanningTree } from '../src/hdbscan/sparse-spanning-tree.js';
import { adjustedRandIndex, samePartition } from './partitions.js';
import { shortestTree } from './shortest-tree.js';
import { SeededRandom } from '../../../test/seeded-random.js';
import { blobs, gaussian } from './blobs.js';

/** Clusters around random directions, and three tenths of noise: shaped like sentence embeddings. */
function embeddings(n: number, dimensions: number, seed: number): Float32Array {
  const random = new SeededRandom(seed);
  const points = blobs(n, dimensions, 12, 0.6, seed);
  for (let i = 0; i < 0.3 * n * dimensions; i++) points[i] = gaussian(random);
  return normalizeRows(points, dimensions);
}

function nearestNeighbours(points: Float32Array, dimensions: number, k: number): NeighbourLists {
  const n = points.length / dimensions;
  const lists = { indices: new Int32Array(n * k), distances: new Float32Array(n * k) };
  for (let i = 0; i < n; i++) {
    const row = rowOf(points, dimensions, i);
    const others = Array.from({ length: n }, (_, j) => ({
      j,
      d: euclideanDistance(row, rowOf(points, dimensions, j)),
    }))
      .filter(({ j }) => j !== i)
      .sort((a, b) => a.d - b.d);
    others.slice(0, k).forEach(({ j, d }, place) => {
      lists.indices[i * k + place] = j;
      lists.distances[i * k + place] = d;
    });
  }
  return lists;
}

const sum = (lengths: Iterable<number>): number => [...lengths].reduce((a, b) => a + b);

const dimensions = 24;
const points = embeddings(500, dimensions, 3);

describe('hdbscanFromNeighbours', () => {
  it.each([4, 8, 20])('gives what hdbscan gives, from %i neighbours', (k) => {
    const neighbours = nearestNeighbours(points, dimensions, k);
    const exact = hdbscan(points, dimensions, { minClusterSize: 5, minSamples: 4 });
    const sparse = hdbscanFromNeighbours(points, dimensions, neighbours, {
      minClusterSize: 5,
      minSamples: 4,
    });
    expect(exact.clusterCount).toBeGreaterThan(5);
    // One for each centre: more would be searched for among all pairs.
    expect(connectNeighbours(neighbours, 500, 4).componentCount).toBe(12);
    expect(adjustedRandIndex(sparse.labels, exact.labels)).toBeGreaterThan(0.99);
  });

  it('does not depend on how the search is shared out', () => {
    const graph = connectNeighbours(nearestNeighbours(points, dimensions, 6), 500, 4);
    expect(graph.componentCount).toBeGreaterThan(2);
    const whole = hdbscanFromGraph(graph, [componentJoins(points, dimensions, graph)]);
    const shares = [0, 1, 2].map((index) =>
      componentJoins(points, dimensions, graph, { share: { index, count: 3 } }),
    );
    expect(samePartition(hdbscanFromGraph(graph, shares).labels, whole.labels)).toBe(true);
  });

  it('goes on without proof when too many components are left', () => {
    const neighbours = nearestNeighbours(points, dimensions, 6);
    const graph = connectNeighbours(neighbours, 500, 4, 5);
    expect(graph.componentCount).toBeLessThanOrEqual(5);
    const exact = hdbscan(points, dimensions, { minClusterSize: 5, minSamples: 4 });
    const { labels } = hdbscanFromGraph(graph, [componentJoins(points, dimensions, graph)]);
    expect(adjustedRandIndex(labels, exact.labels)).toBeGreaterThan(0.9);
  });

  it('accepts lists in any order, with the point itself and with empty places', () => {
    const { indices, distances } = nearestNeighbours(points, dimensions, 5);
    const wider = {
      indices: new Int32Array(500 * 7).fill(-1),
      distances: new Float32Array(500 * 7).fill(Infinity),
    };
    for (let i = 0; i < 500; i++) {
      wider.indices[i * 7] = i;
      wider.distances[i * 7] = 0;
      wider.indices.set(indices.slice(i * 5, i * 5 + 5).reverse(), i * 7 + 1);
      wider.distances.set(distances.slice(i * 5, i * 5 + 5).reverse(), i * 7 + 1);
    }
    const narrow = hdbscanFromNeighbours(points, dimensions, { indices, distances });
    expect(hdbscanFromNeighbours(points, dimensions, wider)).toEqual(narrow);
    const componentsOf = (lists: NeighbourLists) => connectNeighbours(lists, 500, 5).componentCount;
    expect(componentsOf(wider)).toBe(componentsOf({ indices, distances }));
  });

  it.each([
    ['noisy', embeddings(60, 12, 1), 3, 3],
    ['noisy', embeddings(61, 12, 2), 3, 3],
    ['noisy', embeddings(250, 12, 3), 4, 3],
    ['far apart', blobs(600, 12, 20, 0.05, 4), 5, 3],
    ['noisy, by bare distances', embeddings(60, 12, 1), 3, 1],
  ])('has a spanning tree as short as brute force finds: %s', (_, some, k, minSamples) => {
    const graph = connectNeighbours(nearestNeighbours(some, 12, k), some.length / 12, minSamples);
    const joins = componentJoins(some, 12, graph);
    const { length } = sparseSpanningTree(graph, [joins]);
    expect(joins.length.length).toBeGreaterThan(1);
    expect(joins.length.length).toBeLessThan(graph.componentCount);
    expect(sum(length)).toBeCloseTo(sum(shortestTree(some, 12, graph.core)), 3);
  });

  it.each([
    [600, 12, 8, 0.6, 4, [1, 2, 3, 4]],
    [900, 8, 40, 0.4, 6, [1]],
  ])(
    'joins what only just lies nearer than the lists reach: %i points',
    (n, width, centres, spread, k, seeds) => {
      for (const seed of seeds) {
        const random = new SeededRandom(seed);
        const some = blobs(n, width, centres, spread, seed);
        for (let i = 0; i < 0.25 * n * width; i++) some[i] = 2.5 * gaussian(random);
        const triangle = distanceTriangle(some, width, {});
        const exact = primSpanningTree(triangle, coreDistances(triangle, 3, {}), {});
        const graph = connectNeighbours(nearestNeighbours(some, width, k), n, 3);
        const joined = sparseSpanningTree(graph, [componentJoins(some, width, graph)]);
        expect(graph.componentCount).toBeGreaterThan(4);
        expect(joined.length.length).toBe(n - 1);
        expect(sum(joined.length)).toBeCloseTo(sum(exact.length), 2);
      }
    },
  );

  it('has no join that is shorter than the core distances of its ends, though lists lack the nearest', () => {
    const nearest = nearestNeighbours(points, dimensions, 8);
    const without = (value: number, place: number) => (place % 8 < 4 ? -1 : value);
    const graph = connectNeighbours({ ...nearest, indices: nearest.indices.map(without) }, 500, 4);
    const { from, to, length } = componentJoins(points, dimensions, graph);
    const between = (a: number, b: number) =>
      euclideanDistance(rowOf(points, dimensions, a), rowOf(points, dimensions, b));
    const isFar = Array.from(from, (a, edge) => between(a, to[edge]!) < length[edge]!);
    expect(isFar).toContain(true);
    from.forEach((a, edge) => {
      const b = to[edge]!;
      expect(length[edge]).toBeCloseTo(Math.max(between(a, b), graph.core[a]!, graph.core[b]!), 6);
    });
  });

  it('has the spanning tree of all distances, ties included, when everybody is listed', () => {
    for (let seed = 0; seed < 10; seed++) {
      const some = blobs(60, 3, 4, 0.6, seed).map((value) => Math.round(2 * value));
      const graph = connectNeighbours(nearestNeighbours(some, 3, 59), 60, 4);
      const triangle = distanceTriangle(some, 3, {});
      expect(sparseSpanningTree(graph, [])).toEqual(
        primSpanningTree(triangle, coreDistances(triangle, 4, {}), {}),
      );
    }
  });

  it('is all noise when there are too few points for the lists', () => {
    const few = points.subarray(0, 3 * dimensions);
    const { labels } = hdbscanFromNeighbours(few, dimensions, nearestNeighbours(few, dimensions, 2), {
      minSamples: 4,
    });
    expect([...labels]).toEqual([-1, -1, -1]);
    const none = { indices: Int32Array.of(-1), distances: Float32Array.of(Infinity) };
    const alone = hdbscanFromNeighbours(points.subarray(0, dimensions), dimensions, none, { minSamples: 1 });
    expect([...alone.labels]).toEqual([-1]);
  });

  it('stops when asked, and rejects short or foreign lists and a missing share', () => {
    const neighbours = nearestNeighbours(points, dimensions, 4);
    const options = { minClusterSize: 5, minSamples: 4 };
    const stop = { ...options, shouldStop: () => true };
    expect(() => hdbscanFromNeighbours(points, dimensions, neighbours, stop)).toThrow(StoppedError);
    expect(() => hdbscanFromNeighbours(points, dimensions, neighbours, { minSamples: 6 })).toThrow(/needs 5/);
    const foreign = { ...neighbours, indices: neighbours.indices.with(1999, 500) };
    expect(() => hdbscanFromNeighbours(points, dimensions, foreign, options)).toThrow(RangeError);
    const broken = { ...neighbours, distances: neighbours.distances.with(7, NaN) };
    expect(() => hdbscanFromNeighbours(points, dimensions, broken, options)).toThrow(/not a number/);
    const cut = { ...neighbours, distances: neighbours.distances.slice(1) };
    const uneven = { indices: neighbours.indices.slice(1), distances: cut.distances };
    for (const lists of [cut, uneven])
      expect(() => hdbscanFromNeighbours(points, dimensions, lists, options)).toThrow(/for 500 points/);
    const apart = { indices: Int32Array.from([1, 0, 3, 2]), distances: new Float32Array(4).fill(1) };
    const graph = connectNeighbours(apart, 4, 2);
    expect(() => hdbscanFromGraph(graph, [], options)).toThrow(/share/);
  });
});
