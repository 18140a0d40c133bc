import { describe, expect, it } from 'vitest';
import {
  angularDistance,
  cosineDistance,
  cosineSimilarity,
  dot,
  euclideanDistance,
  euclideanNorm,
  normalizeRows,
  rowOf,
} from '../src/index.js';
import { blobs } from './blobs.js';

const vector = (...values: number[]) => new Float64Array(values);

describe('distances', () => {
  it.each([
    ['same direction', vector(1, 0), vector(5, 0), 1, 0],
    ['right angle', vector(1, 0), vector(0, 2), 0, 0.5],
    ['opposite', vector(1, 1), vector(-1, -1), -1, 1],
    ['45 degrees', vector(1, 0), vector(1, 1), Math.SQRT1_2, 0.25],
  ])('%s', (_, a, b, cosine, angle) => {
    expect(cosineSimilarity(a, b)).toBeCloseTo(cosine, 12);
    expect(cosineDistance(a, b)).toBeCloseTo(1 - cosine, 12);
    expect(angularDistance(a, b)).toBeCloseTo(angle, 7);
  });

  it('takes a zero vector as unlike everything', () => {
    expect(cosineSimilarity(vector(0, 0), vector(1, 0))).toBe(0);
  });

  it('never leaves [-1, 1] by rounding', () => {
    const points = blobs(50, 7, 1, 1, 1);
    for (let i = 0; i < 50; i++) {
      const row = rowOf(points, 7, i);
      expect(cosineSimilarity(row, row)).toBeLessThanOrEqual(1);
      expect(angularDistance(row, row)).toBeGreaterThanOrEqual(0);
    }
  });

  it('measures lengths', () => {
    expect(euclideanDistance(vector(1, 2), vector(4, 6))).toBe(5);
    expect(euclideanNorm(vector(3, 4))).toBe(5);
    expect(dot(vector(1, 2, 3), vector(4, 5, 6))).toBe(32);
  });

  it('rejects vectors of different length', () => {
    expect(() => dot(vector(1), vector(1, 2))).toThrow(RangeError);
    expect(() => euclideanDistance(vector(1), vector(1, 2))).toThrow(RangeError);
  });
});

describe('normalizeRows', () => {
  it('scales rows in place and leaves zero rows alone', () => {
    const matrix = vector(3, 4, 0, 0, 0, -2);
    expect(normalizeRows(matrix, 2)).toBe(matrix);
    expect([...matrix]).toEqual([0.6, 0.8, 0, 0, 0, -1]);
  });

  it('rejects a length that is no whole number of rows', () => {
    expect(() => normalizeRows(vector(1, 2, 3), 2)).toThrow(RangeError);
    for (const dimensions of [0, -1, 1.5])
      expect(() => normalizeRows(vector(1, 2, 3), dimensions)).toThrow(RangeError);
  });
});
