import { WorkerPool, nearestNeighbours } from '@causantic/compute';
import { afterAll, describe, expect, it } from 'vitest';

const pool = new WorkerPool({ threads: 2 });
afterAll(() => pool.close());

/** Components of few values, so that equal scores occur. */
function matrixOf(count: number, dim: number): Float32Array {
  return Float32Array.from({ length: count * dim }, (_, i) => ((i * 7919 + Math.floor(i / 13) * 31) % 7) - 3);
}

function naive(vectors: Float32Array, dim: number, k: number): number[] {
  const count = vectors.length / dim;
  const row = (i: number) => vectors.subarray(i * dim, (i + 1) * dim);
  const dot = (a: number, b: number) => row(a).reduce((sum, value, j) => sum + value * row(b)[j]!, 0);
  return Array.from({ length: count }, (_, i) => {
    const others = Array.from({ length: count }, (_, j) => j).filter((j) => j !== i);
    return others.sort((a, b) => dot(i, b) - dot(i, a) || a - b).slice(0, k);
  }).flat();
}

describe('nearestNeighbours', () => {
  it.each([
    [150, 16, 5],
    [97, 24, 1],
    [40, 3, 39],
    [3, 5, 10],
    [1, 5, 2],
    [0, 5, 2],
  ])('of %i rows of %i, %i each, are what a comparison of all pairs finds', async (count, dim, wanted) => {
    const vectors = matrixOf(count, dim);
    const progress: number[] = [];
    const onProgress = (done: number) => progress.push(done);
    const { k, rows, scores } = await nearestNeighbours({ pool, vectors, dim, k: wanted, onProgress });
    expect(k).toBe(Math.max(0, Math.min(wanted, count - 1)));
    expect([...rows]).toEqual(naive(vectors, dim, k));
    expect(scores.length).toBe(count * k);
    if (k > 0) expect(progress.at(-1)).toBe(count);
  });

  it('stops when it is told to', async () => {
    const abort = new AbortController();
    const vectors = matrixOf(5000, 16);
    const finding = nearestNeighbours({
      pool,
      vectors,
      dim: 16,
      k: 3,
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    await expect(finding).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('refuses what is no matrix and no number of neighbours', async () => {
    const vectors = new Float32Array(10);
    await expect(nearestNeighbours({ pool, vectors, dim: 3, k: 1 })).rejects.toThrow('"vectors"');
    await expect(nearestNeighbours({ pool, vectors, dim: 5, k: 0 })).rejects.toThrow('"k"');
  });
});
