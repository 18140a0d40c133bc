import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hdbscan, normalizeRows, StoppedError, type HdbscanOptions } from '../src/index.js';
import { condenseTree, stabilities } from '../src/hdbscan/condensed-tree.js';
import { numpyArgsort } from '../src/hdbscan/numpy-argsort.js';
import { samePartition } from './partitions.js';
import { blobs } from './blobs.js';

type ExpectedCase = {
  name: string;
  dimensions: number;
  params: Record<string, number | string | boolean>;
  points: number[];
  labels: number[];
  probabilities: number[];
};
const expectedFile = new URL('./fixtures/hdbscan_expected.json', import.meta.url);
const { cases, argsort } = JSON.parse(readFileSync(expectedFile, 'utf8')) as {
  cases: ExpectedCase[];
  argsort: { keys: number[]; order: number[] }[];
};

function camelCased(params: ExpectedCase['params']): HdbscanOptions {
  const camel = (key: string) => key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(params).map(([key, value]) => [camel(key), value]));
}

const furthest = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i]!)));

describe('hdbscan equals scikit-learn', () => {
  it.each(cases)('$name', ({ points, dimensions, params, labels, probabilities }) => {
    const inDouble = hdbscan(Float64Array.from(points), dimensions, camelCased(params));
    expect(samePartition(inDouble.labels, labels)).toBe(true);
    expect(furthest(inDouble.probabilities, probabilities)).toBeLessThan(1e-6);
    const inSingle = hdbscan(Float32Array.from(points), dimensions, camelCased(params));
    expect(samePartition(inSingle.labels, labels)).toBe(true);
    expect(furthest(inSingle.probabilities, probabilities)).toBeLessThan(1e-3);
  });

  it.each(argsort)('orders equal keys as numpy does', ({ keys, order }) => {
    expect([...numpyArgsort(Float64Array.from(keys))]).toEqual(order);
  });
});

describe('hdbscan', () => {
  it('gives the same result every time and leaves the points as they were', () => {
    const points = normalizeRows(blobs(300, 24, 8, 0.6, 5), 24);
    const before = points.slice();
    expect(hdbscan(points, 24)).toEqual(hdbscan(points, 24));
    expect(points).toEqual(before);
  });

  it('lets clusters of exactly the largest size be, and no larger ones', () => {
    const { points, dimensions } = cases.find(({ name }) => name === 'sixteen dimensions')!;
    const largest = (options: HdbscanOptions) => {
      const sizes = new Map<number, number>();
      const { labels } = hdbscan(Float64Array.from(points), dimensions, options);
      for (const label of labels) if (label >= 0) sizes.set(label, (sizes.get(label) ?? 0) + 1);
      return Math.max(...sizes.values());
    };
    const size = largest({});
    expect(largest({ maxClusterSize: size })).toBe(size);
    expect(largest({ maxClusterSize: size - 1 })).toBeLessThan(size);
  });

  it('is all noise when there are too few points', () => {
    for (const count of [0, 1, 3]) {
      expect(hdbscan(new Float64Array(2 * count), 2, { minClusterSize: 4 })).toEqual({
        labels: new Int32Array(count).fill(-1),
        probabilities: new Float64Array(count),
        clusterCount: 0,
      });
    }
  });

  it('is noise where there is but one point', () => {
    expect([...hdbscan(new Float64Array(2), 2, { minSamples: 1 }).labels]).toEqual([-1]);
  });

  it('counts no cluster where all points are too far apart for the only one there could be', () => {
    const options = { minClusterSize: 2, allowSingleCluster: true };
    const points = Float64Array.from([0, 2, 4, 6]);
    const apart = hdbscan(points, 1, { ...options, clusterSelectionEpsilon: 1 });
    expect(apart).toMatchObject({ labels: new Int32Array(4).fill(-1), clusterCount: 0 });
    const together = hdbscan(points, 1, { ...options, clusterSelectionEpsilon: 3 });
    expect(together).toMatchObject({ labels: new Int32Array(4), clusterCount: 1 });
  });

  it('takes groups of the least size for clusters: of five when none is given', () => {
    const twoGroupsOf = (size: number) =>
      Float64Array.from({ length: 2 * size }, (_, i) => (i < size ? i : 100 + i));
    expect(hdbscan(twoGroupsOf(5), 1).clusterCount).toBe(2);
    expect(hdbscan(twoGroupsOf(4), 1).clusterCount).toBe(0);
    expect(hdbscan(twoGroupsOf(2), 1, { minClusterSize: 2 }).clusterCount).toBe(2);
  });

  it('takes no cluster of all points when none may be, however the clusters are chosen', () => {
    const oneGroup = Float64Array.from({ length: 8 }, (_, i) => i);
    const twoGroups = Float64Array.from([...oneGroup, ...oneGroup.map((x) => 100 + x)]);
    for (const clusterSelectionMethod of ['leaf', 'eom'] as const) {
      expect(hdbscan(oneGroup, 1, { clusterSelectionMethod }).clusterCount).toBe(0);
      const withEpsilon = { clusterSelectionMethod, clusterSelectionEpsilon: 1_000 };
      expect(hdbscan(twoGroups, 1, withEpsilon).clusterCount).toBe(2);
      expect(hdbscan(twoGroups, 1, { ...withEpsilon, allowSingleCluster: true }).clusterCount).toBe(1);
    }
  });

  describe('of groups whose distances are powers of two', () => {
    // Two pairs, 2 apart; four points 4 from them; a pair 8 from those; one point 12 away; a pair 16 from the other.
    const [left, right] = [[0, 0, 1, 0], [3, 0, 4, 0]]; // prettier-ignore
    const around = [-4, 0, 8, 0, 0, 4, 4, -4];
    const points = Float64Array.from([...left, ...right, ...around, 16, 0, 17, 0, -16, 0, 33, 0, 34, 0]);
    const labelsOf = (options: HdbscanOptions) =>
      hdbscan(points, 2, { minClusterSize: 2, minSamples: 1, ...options }).labels.join();

    it('takes no parts for clusters that are but as stable as the whole', () => {
      expect(labelsOf({})).toBe('1,1,1,1,1,1,1,1,2,2,-1,0,0');
    });

    it('keeps what splits at just the distance epsilon, and joins what splits below it', () => {
      const ofLeaves = (clusterSelectionEpsilon: number) =>
        labelsOf({ clusterSelectionMethod: 'leaf', clusterSelectionEpsilon });
      expect(ofLeaves(2)).toBe('2,2,3,3,-1,-1,-1,-1,1,1,-1,0,0');
      expect(ofLeaves(2.5)).toBe('1,1,1,1,1,1,1,1,2,2,-1,0,0');
      // What the first pairs are part of splits off at 8 itself: they join what splits above that.
      expect(ofLeaves(8)).toBe('0,0,0,0,0,0,0,0,2,2,0,1,1');
    });
  });

  it('takes copies that split into copies for no cluster that lived', () => {
    const allAtZero = {
      pointCount: 4,
      left: Int32Array.of(0, 2, 4),
      right: Int32Array.of(1, 3, 5),
      distance: new Float64Array(3),
      size: Int32Array.of(1, 1, 1, 1, 2, 2, 4),
    };
    expect(stabilities(condenseTree(allAtZero, 2, 0))).toEqual([Infinity, 0, 0]);
  });

  it('keeps a cluster around a few copies together when there is a distance floor', () => {
    const copies = [0, 0, 0, 0];
    const around = [1, 1.8, 2.6, 3.4, 4.2, 5, 5.8];
    const apart = [12, 12.8, 13.6, 14.4, 15.2];
    const points = Float64Array.from([...copies, ...around, ...apart]);
    const clustersOf = (distanceFloor: number) =>
      hdbscan(points, 1, { minClusterSize: 4, minSamples: 2, distanceFloor }).labels.slice(0, 11);
    expect(new Set(clustersOf(0.5))).toEqual(new Set([clustersOf(0.5)[0]]));
    expect(new Set(clustersOf(0)).size).toBeGreaterThan(1);
  });

  it('gives probabilities also where all distances are too long for a number', () => {
    const points = Float64Array.from([-2e200, 0, 2e200, 4e200]);
    const { labels, probabilities } = hdbscan(points, 1, { minClusterSize: 2, allowSingleCluster: true });
    expect([...labels]).toEqual([0, 0, 0, 0]);
    expect([...probabilities]).toEqual([1, 1, 1, 1]);
  });

  it('keeps many copies of two points together as two clusters', () => {
    const points = Float64Array.from({ length: 40 }, (_, i) => (i < 20 ? 0 : 10));
    const { labels } = hdbscan(points, 1, { minClusterSize: 4, minSamples: 2 });
    expect([...labels]).toEqual([...points].map((point) => (point === 0 ? labels[0] : labels[39])));
    expect(new Set(labels)).toEqual(new Set([0, 1]));
  });

  it.each([Float32Array, Float64Array])('reports progress to the end and stops when asked: %o', (Floats) => {
    const points = Floats.from(blobs(1_100, 8, 3, 0.5, 2));
    const shares: number[] = [];
    const onProgress = (done: number, total: number) => shares.push(done / total);
    hdbscan(points, 8, { onProgress });
    expect(shares[0]).toBeLessThan(0.1);
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    shares.length = 0;
    expect(() => hdbscan(points, 8, { onProgress, shouldStop: () => true })).toThrow(StoppedError);
    expect(shares).toEqual([]);
    let asked = 0;
    expect(() => hdbscan(points, 8, { shouldStop: () => ++asked > 5 })).toThrow(StoppedError);
    expect(asked).toBe(6);
  });

  it('asks at every point whether to stop, while points that nearly coincide are measured', () => {
    let asked = 0;
    hdbscan(new Float32Array(300 * 8).fill(1), 8, { shouldStop: () => ++asked < 0 });
    expect(asked).toBeGreaterThan(300);
  });

  it.each([
    ['minClusterSize', { minClusterSize: 1 }],
    ['minClusterSize', { minClusterSize: 2.5 }],
    ['minSamples', { minSamples: 0 }],
    ['minSamples', { minSamples: 1.5 }],
    ['clusterSelectionEpsilon', { clusterSelectionEpsilon: -1 }],
    ['distanceFloor', { distanceFloor: -1 }],
  ])('rejects a wrong %s by name', (name, options) => {
    expect(() => hdbscan(new Float64Array(40), 2, options)).toThrow(new RegExp(name));
  });

  it('rejects what is no matrix of finite numbers', () => {
    expect(() => hdbscan(new Float64Array(5), 2)).toThrow(RangeError);
    for (const wrong of [NaN, Infinity, -Infinity])
      expect(() => hdbscan(Float32Array.from([0, wrong]), 1)).toThrow(RangeError);
  });
});
