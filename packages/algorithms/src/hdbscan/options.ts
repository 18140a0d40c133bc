import { requireThat } from '../argument-checks.js';
import type { LoopControl } from '../loop-control.js';
import { selectClusters } from './cluster-selection.js';
import { condenseTree } from './condensed-tree.js';
import { labelPoints, type ClusterLabels } from './labelling.js';
import { singleLinkage } from './single-linkage.js';
import type { WeightedEdges } from './spanning-tree.js';

/** Names and meanings follow scikit-learn's HDBSCAN. */
export type HdbscanOptions = LoopControl & {
  /** Smallest group that counts as a cluster, at least 2; 5 when left out. */
  minClusterSize?: number;
  /** Neighbours that make a point's core distance, itself counted as the first; `minClusterSize` when left out. */
  minSamples?: number;
  /** 'eom' (excess of mass, the default) prefers stable clusters of any size, 'leaf' the finest. */
  clusterSelectionMethod?: 'eom' | 'leaf';
  /** Clusters that split at less than this distance stay together; 0 when left out. */
  clusterSelectionEpsilon?: number;
  /** Whether all points together may be the one cluster. */
  allowSingleCluster?: boolean;
  /** With 'eom', larger clusters give way to their parts. */
  maxClusterSize?: number;
  /**
   * Distances below this count as this. With 0 (as in scikit-learn) points that coincide are infinitely
   * dense: a few copies of one point then outweigh every larger cluster around them.
   */
  distanceFloor?: number;
};

export function clusteringSizes({ minClusterSize = 5, minSamples = minClusterSize }: HdbscanOptions): {
  minClusterSize: number;
  minSamples: number;
} {
  requireThat(
    Number.isInteger(minClusterSize) && minClusterSize >= 2,
    `minClusterSize must be at least 2, got ${minClusterSize}`,
  );
  requireThat(
    Number.isInteger(minSamples) && minSamples >= 1,
    `minSamples must be at least 1, got ${minSamples}`,
  );
  return { minClusterSize, minSamples };
}

export function clusterSpanningTree(tree: WeightedEdges, options: HdbscanOptions): ClusterLabels {
  const { clusterSelectionEpsilon = 0, distanceFloor = 0 } = options;
  requireThat(
    clusterSelectionEpsilon >= 0,
    `clusterSelectionEpsilon must not be negative, got ${clusterSelectionEpsilon}`,
  );
  requireThat(distanceFloor >= 0, `distanceFloor must not be negative, got ${distanceFloor}`);
  const condensed = condenseTree(singleLinkage(tree), clusteringSizes(options).minClusterSize, distanceFloor);
  const chosen = selectClusters(condensed, {
    clusterSelectionMethod: options.clusterSelectionMethod ?? 'eom',
    clusterSelectionEpsilon,
    allowSingleCluster: options.allowSingleCluster ?? false,
    maxClusterSize: options.maxClusterSize ?? Infinity,
  });
  return labelPoints(condensed, chosen, clusterSelectionEpsilon);
}

export function allNoise(pointCount: number): ClusterLabels {
  return {
    labels: new Int32Array(pointCount).fill(-1),
    probabilities: new Float64Array(pointCount),
    clusterCount: 0,
  };
}
