import { describe, expect, it } from 'vitest';
import {
  assignToClusters,
  centroid,
  classTfIdf,
  euclideanDistance,
  matchClusters,
  medoid,
  normalizeRows,
  rowOf,
} from '../src/index.js';
import { SeededRandom } from '../../../test/seeded-random.js';
import { blobs } from './blobs.js';

describe('centroid and medoid', () => {
  const line = Float32Array.from([0, 0, 1, 0, 2, 0, 30, 0]);

  it('are the mean and a member', () => {
    expect([...centroid(line, 2, [0, 1, 2])]).toEqual([1, 0].map((value) => expect.closeTo(value, 12)));
    expect(medoid(line, 2, [3, 2, 1, 0])).toBe(2);
    expect([...centroid(line, 2, [3])]).toEqual([30, 0]);
    expect(medoid(line, 2, [3])).toBe(3);
  });

  it('refuse an empty set', () => {
    expect(() => centroid(line, 2, [])).toThrow(RangeError);
    expect(() => medoid(line, 2, [])).toThrow(RangeError);
  });

  it.each([3, 600])('refuse the medoid of %i rows of which one is no number', (count) => {
    for (const wrong of [NaN, Infinity]) {
      const points = Float64Array.from({ length: count }, (_, i) => i).fill(wrong, count - 1);
      expect(() => medoid(points, 1, [...points.keys()])).toThrow(/not finite/);
    }
  });

  it('find the medoid of a set as it is defined', () => {
    for (let seed = 0; seed < 10; seed++) {
      const points = blobs(60, 4, 3, 1, seed);
      const rows = Array.from({ length: 60 }, (_, i) => i);
      const sumOf = (row: number): number =>
        rows.reduce(
          (sum, other) => sum + euclideanDistance(rowOf(points, 4, row), rowOf(points, 4, other)),
          0,
        );
      expect(sumOf(medoid(points, 4, rows))).toBe(Math.min(...rows.map(sumOf)));
    }
  });

  it('find a large set’s medoid in its middle', () => {
    // From both ends inwards: the middle comes last.
    const points = Float64Array.from({ length: 700 }, (_, i) => (i % 2 === 0 ? 700 - i : i - 700));
    const rows = Array.from(points.keys());
    expect(medoid(points, 1, rows)).toBeGreaterThan(690);
    expect(medoid(points, 1, rows.reverse())).toBeGreaterThan(690);
  });
});

describe('assignToClusters', () => {
  const centroids = normalizeRows(Float32Array.from([1, 0, 0, 1, 1, 1]), 2);
  it.each([
    ['the most alike', [0.9, 0.1], 0.5, 0],
    ['another', [0.5, 0.45], 0.5, 2],
    ['none below the threshold', [-1, 0.2], 0.5, -1],
    ['exactly at the threshold', [0, 1], 1, 1],
    ['the lower of two', [-1, -1], -1, 0],
  ])('takes %s', (_, vector, threshold, expected) => {
    const vectors = normalizeRows(Float32Array.from(vector), 2);
    expect([...assignToClusters(vectors, centroids, 2, threshold)]).toEqual([expected]);
  });

  it('takes nothing that is no number', () => {
    expect([...assignToClusters(Float32Array.from([NaN, 1]), centroids, 2, 0)]).toEqual([-1]);
  });

  it('takes nothing when there are no clusters', () => {
    expect([...assignToClusters(Float32Array.from([1, 0]), new Float32Array(0), 2, 0)]).toEqual([-1]);
  });
});

describe('matchClusters', () => {
  it('continues the cluster with the largest overlap, each once', () => {
    const old = [
      ['a', 'b', 'c', 'd'],
      ['e', 'f', 'g'],
    ];
    const split = [['a'], ['b', 'c', 'd', 'x'], ['e', 'f', 'g', 'y'], ['z']];
    expect([...matchClusters(old, split)]).toEqual([-1, 0, 1, -1]);
    expect([...matchClusters(old, split, 0.7)]).toEqual([-1, -1, 1, -1]);
  });

  it('takes an overlap of just the least, and of equal ones the oldest', () => {
    expect([...matchClusters([['a', 'b']], [['a', 'b', 'c', 'd']], 0.5)]).toEqual([0]);
    expect([...matchClusters([['a'], ['b']], [['b', 'a']])]).toEqual([0]);
    expect([...matchClusters([['a', 'b']], [['b'], ['a']])]).toEqual([0, -1]);
  });

  it('recovers any renumbering', () => {
    for (let seed = 0; seed < 50; seed++) {
      const random = new SeededRandom(seed);
      const old: number[][] = Array.from({ length: 8 }, () => []);
      for (let member = 0; member < 200; member++) old[random.below(8)]!.push(member);
      const order = random.shuffle([0, 1, 2, 3, 4, 5, 6, 7]);
      const renumbered = order.map((cluster) => random.shuffle(old[cluster]!).slice(0, -1));
      expect([...matchClusters(old, renumbered)]).toEqual(order);
    }
  });
});

describe('classTfIdf', () => {
  const counts = (...entries: [string, number][]) => new Map(entries);

  it('prefers what one cluster alone says', () => {
    const terms = classTfIdf([counts(['the', 9], ['parser', 3]), counts(['the', 9], ['index', 3])], 1);
    expect(terms.map(([first]) => first?.term)).toEqual(['parser', 'index']);
  });

  it('weighs as the formula says and cuts the list', () => {
    const [first] = classTfIdf([counts(['a', 1], ['b', 3]), counts(['a', 2])], 5);
    expect(first).toEqual([
      { term: 'b', weight: expect.closeTo(0.75 * Math.log(1 + 3 / 3), 12) as number },
      { term: 'a', weight: expect.closeTo(0.25 * Math.log(1 + 3 / 3), 12) as number },
    ]);
    expect(classTfIdf([counts(['a', 1], ['b', 1])], 1)).toEqual([
      [{ term: 'a', weight: expect.closeTo(0.5 * Math.log(1 + 2 / 1), 12) as number }],
    ]);
    const [tied] = classTfIdf([counts(['b', 1], ['c', 1], ['a', 1])], 3);
    expect(tied!.map(({ term }) => term)).toEqual(['a', 'b', 'c']);
    expect(classTfIdf([], 3)).toEqual([]);
    expect(classTfIdf([counts()], 3)).toEqual([[]]);
  });
});
