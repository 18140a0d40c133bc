import { requireThat } from '../argument-checks.js';
import type { LoopControl } from '../loop-control.js';

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
