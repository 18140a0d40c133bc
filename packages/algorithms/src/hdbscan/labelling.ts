import type { CondensedTree } from './condensed-tree.js';

export type ClusterLabels = {
  /** Per point: its cluster, 0 … clusterCount − 1, or -1 for noise. */
  labels: Int32Array;
  /** Per point: how firmly it belongs, λ / greatest λ of its cluster, in [0, 1]; 0 for noise. */
  probabilities: Float64Array;
  clusterCount: number;
};

/** Gives each point the nearest chosen cluster at or above the one it fell out of. */
export function labelPoints(
  tree: CondensedTree,
  chosen: readonly number[],
  clusterSelectionEpsilon: number,
): ClusterLabels {
  const { pointCluster, pointLambda } = tree;
  const labelOf = labelsOfClusters(tree, chosen);
  const labels = new Int32Array(pointCluster.length).fill(-1);
  const probabilities = new Float64Array(pointCluster.length);
  const rootOnly = chosen.length === 1 && chosen[0] === 0;
  const rootThreshold = clusterSelectionEpsilon === 0 ? tree.death[0]! : 1 / clusterSelectionEpsilon;
  for (let point = 0; point < labels.length; point++) {
    const label = labelOf[pointCluster[point]!]!;
    const isStray = rootOnly && pointLambda[point]! < rootThreshold;
    if (label < 0 || isStray) continue;
    labels[point] = label;
    probabilities[point] = membership(pointLambda[point]!, tree.death[chosen[label]!]!);
  }
  // Of the root alone, all points may be strays.
  const isEmpty = rootOnly && !labels.includes(0);
  return { labels, probabilities, clusterCount: isEmpty ? 0 : chosen.length };
}

function labelsOfClusters(tree: CondensedTree, chosen: readonly number[]): Int32Array {
  const labelOf = new Int32Array(tree.parent.length).fill(-1);
  const own = new Map(chosen.map((cluster, label) => [cluster, label]));
  tree.parent.forEach((parent, cluster) => {
    labelOf[cluster] = own.get(cluster) ?? (parent >= 0 ? labelOf[parent]! : -1);
  });
  return labelOf;
}

function membership(lambda: number, death: number): number {
  if (death === 0 || lambda === Infinity) return 1;
  return Math.min(lambda, death) / death;
}

export function allNoise(pointCount: number): ClusterLabels {
  return {
    labels: new Int32Array(pointCount).fill(-1),
    probabilities: new Float64Array(pointCount),
    clusterCount: 0,
  };
}
