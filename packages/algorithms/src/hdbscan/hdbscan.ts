import { requireThat } from '../argument-checks.js';
import { countRows, type FloatArray } from '../vectors.js';
import { distanceTriangle } from './distance-triangle.js';
import { clusterSpanningTree } from './cluster-spanning-tree.js';
import { allNoise, type ClusterLabels } from './labelling.js';
import { clusteringSizes, type HdbscanOptions } from './options.js';
import { coreDistances, primSpanningTree } from './spanning-tree.js';

/**
 * HDBSCAN* (Campello, Moulavi and Sander 2013) over Euclidean distances, exact and deterministic: the
 * partition of scikit-learn's HDBSCAN. For cosine-like clusters of embeddings normalize the rows first.
 *
 * O(n²) time and n²/2 distances in memory, in the precision of the input (10,000 × 384 in float32: a few
 * seconds, 200 MB). Fewer points than `minSamples` are all noise.
 *
 * @param points n × dimensions, row-major, not changed
 * @throws RangeError on options out of range or values that are not finite; StoppedError when asked to stop
 */
export function hdbscan(points: FloatArray, dimensions: number, options: HdbscanOptions = {}): ClusterLabels {
  const pointCount = countRows(points, dimensions);
  const { minSamples } = clusteringSizes(options);
  requireThat(points.every(Number.isFinite), 'points hold a value that is not finite');
  if (pointCount < Math.max(2, minSamples)) return allNoise(pointCount);
  const triangle = distanceTriangle(points, dimensions, options);
  const tree = primSpanningTree(triangle, coreDistances(triangle, minSamples, options), options);
  return clusterSpanningTree(tree, options);
}
