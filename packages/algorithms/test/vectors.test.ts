import { describe, expect, it } from 'vitest';
import { dot, euclideanDistance, euclideanNorm, normalizeRows } from '../src/index.js';

const vector = (...values: number[]) => new Float64Array(values);

describe('distances', () => {
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
    expect(() => normalizeRows(vector(1, 2, 3), 1.5)).toThrow(RangeError);
  });
});
