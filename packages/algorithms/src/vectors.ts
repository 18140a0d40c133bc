import { requireThat } from './argument-checks.js';

/** A row-major matrix's storage, or one vector. */
export type FloatArray = Float32Array | Float64Array;

/** Inner product of two vectors of equal length, summed in float64. */
export function dot(a: FloatArray, b: FloatArray): number {
  requireSameLength(a, b);
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function requireSameLength(a: FloatArray, b: FloatArray): void {
  if (a.length !== b.length) throw new RangeError(`vectors of ${a.length} and ${b.length} dimensions`);
}

export function euclideanNorm(vector: FloatArray): number {
  return Math.sqrt(dot(vector, vector));
}

export function euclideanDistance(a: FloatArray, b: FloatArray): number {
  requireSameLength(a, b);
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = a[i]! - b[i]!;
    sum += difference * difference;
  }
  return Math.sqrt(sum);
}

/** cos of the angle between the vectors, clamped to [-1, 1]; 0 when either vector is zero. */
export function cosineSimilarity(a: FloatArray, b: FloatArray): number {
  const norms = euclideanNorm(a) * euclideanNorm(b);
  if (norms === 0) return 0;
  return Math.min(1, Math.max(-1, dot(a, b) / norms));
}

/** 1 − cos, in [0, 2]. */
export function cosineDistance(a: FloatArray, b: FloatArray): number {
  return 1 - cosineSimilarity(a, b);
}

/** arccos(cos)/π, in [0, 1]; unlike the cosine distance it keeps the triangle inequality. */
export function angularDistance(a: FloatArray, b: FloatArray): number {
  return Math.acos(cosineSimilarity(a, b)) / Math.PI;
}

/** Scales each row of an n × dimensions row-major matrix to unit length, in place; zero rows stay zero. */
export function normalizeRows<T extends FloatArray>(matrix: T, dimensions: number): T {
  const rows = countRows(matrix, dimensions);
  for (let row = 0; row < rows; row++) {
    const vector = rowOf(matrix, dimensions, row);
    const norm = euclideanNorm(vector);
    if (norm === 0) continue;
    for (let i = 0; i < dimensions; i++) vector[i] = vector[i]! / norm;
  }
  return matrix;
}

/** A view (not a copy) of one row of a row-major matrix. */
export function rowOf<T extends FloatArray>(matrix: T, dimensions: number, row: number): T {
  return matrix.subarray(row * dimensions, (row + 1) * dimensions) as T;
}

/** @throws RangeError when the length is no whole number of rows */
export function countRows(matrix: FloatArray, dimensions: number): number {
  requireThat(
    Number.isInteger(dimensions) && dimensions > 0,
    `dimensions must be at least 1, got ${dimensions}`,
  );
  const rows = matrix.length / dimensions;
  requireThat(
    Number.isInteger(rows),
    `${matrix.length} values are no whole number of ${dimensions}-value rows`,
  );
  return rows;
}
