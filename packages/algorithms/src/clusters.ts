import { requireThat } from './argument-checks.js';
import { countRows, dot, euclideanDistance, rowOf, type FloatArray } from './vectors.js';

export type RowNumbers = Int32Array | readonly number[];

/** Mean of the given rows of an n × dimensions matrix; not normalized. */
export function centroid(matrix: FloatArray, dimensions: number, rows: RowNumbers): Float64Array {
  requireThat(rows.length > 0, 'centroid of no rows');
  const mean = new Float64Array(dimensions);
  for (const row of rows) {
    const vector = rowOf(matrix, dimensions, row);
    for (let d = 0; d < dimensions; d++) mean[d]! += vector[d]! / rows.length;
  }
  return mean;
}

/** Up to this many members the medoid is exact; it costs members² / 2 distances. */
const EXACT_MEDOID_MEMBERS = 512;

/**
 * The row with the smallest sum of Euclidean distances to the others; ties go to the first given. If there are more than
 * 512 rows, only the 512 nearest to their centroid are candidates and measured; the middle of a cluster is among them.
 *
 * @throws RangeError for no rows, or values that are not finite
 */
export function medoid(matrix: FloatArray, dimensions: number, rows: RowNumbers): number {
  const candidates =
    rows.length <= EXACT_MEDOID_MEMBERS ? Array.from(rows) : nearestToCentroid(matrix, dimensions, rows);
  requireThat(candidates.length > 0, 'medoid of no rows');
  const vectors = candidates.map((row) => rowOf(matrix, dimensions, row));
  const sums = new Float64Array(vectors.length);
  vectors.forEach((vector, i) => {
    for (let j = i + 1; j < vectors.length; j++) {
      const distance = euclideanDistance(vector, vectors[j]!);
      sums[i]! += distance;
      sums[j]! += distance;
    }
  });
  const least = Math.min(...sums);
  requireThat(Number.isFinite(least), NOT_FINITE);
  return candidates[sums.indexOf(least)]!;
}

const NOT_FINITE = 'medoid of vectors whose values or distances are not finite';

function nearestToCentroid(matrix: FloatArray, dimensions: number, rows: RowNumbers): number[] {
  const mean = centroid(matrix, dimensions, rows);
  requireThat(mean.every(Number.isFinite), NOT_FINITE);
  return Array.from(rows, (row) => ({
    row,
    distance: euclideanDistance(mean, rowOf(matrix, dimensions, row)),
  }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, EXACT_MEDOID_MEMBERS)
    .map(({ row }) => row);
}

/**
 * Assigns each vector to its most similar centroid, without clustering again.
 *
 * @param vectors n × dimensions unit vectors
 * @param centroids clusters × dimensions unit vectors (`normalizeRows`)
 * @param threshold minimum cosine similarity for membership
 * @returns per vector a cluster's number, or -1; ties go to the lower number
 */
export function assignToClusters(
  vectors: FloatArray,
  centroids: FloatArray,
  dimensions: number,
  threshold: number,
): Int32Array {
  const clusters = countRows(centroids, dimensions);
  const assigned = new Int32Array(countRows(vectors, dimensions)).fill(-1);
  for (let row = 0; row < assigned.length; row++) {
    const vector = rowOf(vectors, dimensions, row);
    let best = threshold;
    for (let cluster = 0; cluster < clusters; cluster++) {
      const similarity = dot(vector, rowOf(centroids, dimensions, cluster));
      const isBest = similarity > best || (similarity === best && assigned[row] === -1);
      if (!isBest) continue;
      best = similarity;
      assigned[row] = cluster;
    }
  }
  return assigned;
}
