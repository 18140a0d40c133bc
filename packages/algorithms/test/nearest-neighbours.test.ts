import { describe, expect, it } from 'vitest';
import { dot, mergeNeighbours, nearestNeighbours, rowOf, StoppedError } from '../src/index.js';
import { SeededRandom } from '../../../test/seeded-random.js';

/** Components of few values, so that equal scores occur. */
function matrixOf(count: number, dimensions: number): Float32Array {
  const random = new SeededRandom(count);
  return Float32Array.from({ length: count * dimensions }, () => random.below(7) - 3);
}

function naive(points: Float32Array, dimensions: number, k: number): number[] {
  const count = points.length / dimensions;
  return Array.from({ length: count }, (_, i) => {
    const products = Array.from({ length: count }, (_, j) =>
      dot(rowOf(points, dimensions, i), rowOf(points, dimensions, j)),
    );
    const others = [...products.keys()].filter((j) => j !== i);
    const ranked = others.sort((a, b) => products[b]! - products[a]! || a - b).slice(0, k);
    return [...ranked, ...Array<number>(k - ranked.length).fill(-1)];
  }).flat();
}

describe('nearest neighbours', () => {
  it.each([
    [1_200, 8, 3],
    [150, 16, 5],
    [97, 24, 1],
    [40, 3, 39],
    [3, 5, 10],
    [1, 5, 2],
    [0, 5, 2],
  ])('of %i points of %i dimensions, %i each, are those of all pairs', (count, dimensions, k) => {
    const points = matrixOf(count, dimensions);
    const expected = naive(points, dimensions, k);
    const found = nearestNeighbours(points, dimensions, k);
    expect([...found.rows]).toEqual(expected);
    const shares = [2, 0, 1].map((index) =>
      nearestNeighbours(points, dimensions, k, { share: { index, count: 3 } }),
    );
    expect(mergeNeighbours(shares)).toEqual(found);
  });

  it('report how far they are, and stop when told to', () => {
    const progress: number[] = [];
    nearestNeighbours(matrixOf(2_000, 8), 8, 3, {
      onProgress: (done, total) => progress.push(done / total),
    });
    expect(progress.at(-1)).toBe(1);
    expect(progress.length).toBeGreaterThan(3);
    const shouldStop = (): boolean => true;
    expect(() => nearestNeighbours(matrixOf(100, 8), 8, 3, { shouldStop })).toThrow(StoppedError);
  });

  it('refuse a number of neighbours below one or broken, and nothing to merge', () => {
    for (const k of [0, 1.5])
      expect(() => nearestNeighbours(matrixOf(10, 8), 8, k)).toThrow('k must be at least 1');
    expect(() => mergeNeighbours([])).toThrow('no share to merge');
  });
});
