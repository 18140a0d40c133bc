import { requireThat } from '../argument-checks.js';
import { selectClusters } from './cluster-selection.js';
import { condenseTree } from './condensed-tree.js';
import { labelPoints, type ClusterLabels } from './labelling.js';
import { clusteringSizes, type HdbscanOptions } from './options.js';
import { singleLinkage } from './single-linkage.js';
import type { WeightedEdges } from './spanning-tree.js';

/** The clusters of a spanning tree, whether it was made over all distances or over lists of neighbours. */
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
