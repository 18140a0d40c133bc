import { describe, expect, it } from 'vitest';
import { DisjointSets } from '../src/disjoint-sets.js';
import { distanceTriangle, rowOffset } from '../src/hdbscan/distance-triangle.js';
import { coreDistances, primSpanningTree } from '../src/hdbscan/spanning-tree.js';
import { euclideanDistance, rowOf, type FloatArray } from '../src/index.js';
import { SeededRandom } from '../../../test/seeded-random.js';
import { blobs } from './blobs.js';
import { shortestTree } from './shortest-tree.js';

/** Distance of each point to its `minSamples`-th nearest, itself counted as the first, straight from the definition. */
function coreOf(points: FloatArray, dimensions: number, minSamples: number): number[] {
  const rows = Array.from({ length: points.length / dimensions }, (_, i) => rowOf(points, dimensions, i));
  const ascending = (row: FloatArray) =>
    rows.map((other) => euclideanDistance(row, other)).sort((a, b) => a - b);
  return rows.map((row) => ascending(row)[minSamples - 1]!);
}

describe('primSpanningTree', () => {
  it('has the edge lengths that brute force finds', () => {
    for (let seed = 0; seed < 40; seed++) {
      const random = new SeededRandom(seed);
      const dimensions = 1 + random.below(5);
      const n = 2 + random.below(40);
      const points = Float64Array.from(
        blobs(n, dimensions, 3, 0.4, seed),
        (value) => Math.round(value * 8) / 8,
      );
      const minSamples = 1 + random.below(Math.min(n, 8));
      const triangle = distanceTriangle(points, dimensions, {});
      const tree = primSpanningTree(triangle, coreDistances(triangle, minSamples, {}), {});
      const lengths = [...tree.length].sort((a, b) => a - b);
      const expected = shortestTree(points, dimensions, coreOf(points, dimensions, minSamples));
      lengths.forEach((length, edge) => expect(length).toBeCloseTo(expected[edge]!, 12));
      const sets = new DisjointSets(n);
      tree.from.forEach((from, edge) => expect(sets.unite(from, tree.to[edge]!)).toBeGreaterThanOrEqual(0));
      expect(sets.count).toBe(1);
    }
  });
});

describe('distanceTriangle', () => {
  it.each([
    [1, 1],
    [7, 3],
    [8, 4],
    [9, 5],
    [530, 13],
  ])('in float32 is within 1e-5 of float64: %i points of %i dimensions', (n, dimensions) => {
    const points = blobs(n, dimensions, 4, 1, n);
    const single = distanceTriangle(points, dimensions, {}).distances;
    const double = distanceTriangle(Float64Array.from(points), dimensions, {}).distances;
    expect(single.length).toBe((n * (n - 1)) / 2);
    const errors = Array.from(double, (distance, i) => Math.abs(single[i]! - distance) / (1 + distance));
    expect(errors.filter((error) => error >= 1e-5)).toEqual([]);
  });

  it('in float32 loses hardly a digit of what lies a hundredth of its length apart', () => {
    const first = blobs(1, 64, 1, 1, 1);
    const near = blobs(40, 64, 1, 0.01, 2).map((value, i) => (value % 0.01) + first[i % 64]!);
    const single = distanceTriangle(near, 64, {}).distances;
    const double = distanceTriangle(Float64Array.from(near), 64, {}).distances;
    const errors = Array.from(double, (distance, i) => Math.abs(single[i]! - distance) / distance);
    expect(Math.max(...errors)).toBeLessThan(1e-6);
  });

  it('keeps coinciding points at 0 and close ones apart, far from the origin too', () => {
    const points = Float32Array.from([1000, 1000, 1000, 1000, 1000, 1000.0625]);
    const { distances } = distanceTriangle(points, 2, {});
    expect([...distances]).toEqual([0, 0.0625, 0.0625]);
    const far = Float32Array.from([1000.3, 999.7, 1000.3, 999.75]);
    const [distance] = distanceTriangle(far, 2, {}).distances;
    expect(distance).toBeCloseTo(euclideanDistance(rowOf(far, 2, 0), rowOf(far, 2, 1)), 7);
    expect(rowOffset(0, 3) + 1).toBe(0);
    expect(rowOffset(1, 3) + 2).toBe(2);
  });
});
