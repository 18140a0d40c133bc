import { stabilities, type CondensedTree } from './condensed-tree.js';

export type SelectionOptions = {
  clusterSelectionMethod: 'eom' | 'leaf';
  clusterSelectionEpsilon: number;
  allowSingleCluster: boolean;
  maxClusterSize: number;
};

/** @returns the chosen clusters of the condensed tree, ascending; none when everything is noise */
export function selectClusters(tree: CondensedTree, options: SelectionOptions): number[] {
  const chosen = options.clusterSelectionMethod === 'leaf' ? leaves(tree) : mostStable(tree, options);
  if (chosen[0] === 0) return options.allowSingleCluster ? chosen : []; // No other lies beside the root.
  return mergeBelowEpsilon(tree, chosen, options);
}

function leaves(tree: CondensedTree): number[] {
  const parents = new Set(tree.parent);
  return tree.parent.map((_, cluster) => cluster).filter((cluster) => !parents.has(cluster));
}

/**
 * Excess of mass: from the leaves up, a cluster gives way to its descendants' choice when theirs is
 * more stable in sum (Campello, Moulavi and Sander 2013, section 4) or when it is too large.
 */
function mostStable(tree: CondensedTree, { allowSingleCluster, maxClusterSize }: SelectionOptions): number[] {
  const stability = stabilities(tree);
  const below = tree.parent.map(() => 0);
  const isChosen = tree.parent.map(() => true);
  for (let cluster = stability.length - 1; cluster >= 0; cluster--) {
    const givesWay =
      stability[cluster]! < below[cluster]! ||
      tree.size[cluster]! > maxClusterSize ||
      (cluster === 0 && !allowSingleCluster);
    if (givesWay) isChosen[cluster] = false;
    const parent = tree.parent[cluster]!;
    if (parent >= 0) below[parent]! += givesWay ? below[cluster]! : stability[cluster]!;
  }
  return withoutCovered(tree, isChosen);
}

/** Drops the chosen clusters that lie inside another chosen one. */
function withoutCovered(tree: CondensedTree, isChosen: boolean[]): number[] {
  const isCovered = tree.parent.map(() => false);
  tree.parent.forEach((parent, cluster) => {
    if (parent >= 0) isCovered[cluster] = isCovered[parent]! || isChosen[parent]!;
  });
  return tree.parent
    .map((_, cluster) => cluster)
    .filter((cluster) => isChosen[cluster] && !isCovered[cluster]);
}

/**
 * Clusters that split off below the distance epsilon give way to their first ancestor above it (Malzer
 * and Baum 2020, HDBSCAN(ε̂)).
 */
function mergeBelowEpsilon(tree: CondensedTree, chosen: number[], options: SelectionOptions): number[] {
  const merged = new Set<number>();
  for (const cluster of chosen) {
    const isAbove = 1 / tree.birth[cluster]! >= options.clusterSelectionEpsilon;
    merged.add(isAbove ? cluster : ancestorAboveEpsilon(tree, cluster, options));
  }
  return [...merged].sort((a, b) => a - b);
}

function ancestorAboveEpsilon(tree: CondensedTree, cluster: number, options: SelectionOptions): number {
  let at = cluster;
  for (;;) {
    const parent = tree.parent[at]!;
    if (parent === 0) return options.allowSingleCluster ? 0 : at;
    if (1 / tree.birth[parent]! > options.clusterSelectionEpsilon) return parent;
    at = parent;
  }
}
