import type { SingleLinkage } from './single-linkage.js';

/**
 * What is left of the dendrogram when groups below the minimum size count as points falling out of
 * their cluster (Campello, Moulavi and Sander 2013). λ is 1 / distance. Cluster 0 is the root, and a
 * child's number is always above its parent's.
 */
export type CondensedTree = {
  /** Per cluster: its parent (-1 for the root), the λ at which it split off, its points. */
  parent: number[];
  birth: number[];
  size: number[];
  /** Per cluster: the greatest λ at which anything leaves it. */
  death: number[];
  /** Per point: the cluster it falls out of, and the λ at which it does. */
  pointCluster: Int32Array;
  pointLambda: Float64Array;
};

export function condenseTree(
  linkage: SingleLinkage,
  minClusterSize: number,
  distanceFloor: number,
): CondensedTree {
  const { pointCount, size } = linkage;
  const tree: CondensedTree = {
    parent: [-1],
    birth: [0],
    size: [pointCount],
    death: [0],
    pointCluster: new Int32Array(pointCount),
    pointLambda: new Float64Array(pointCount),
  };
  const queue: { node: number; cluster: number }[] = [{ node: size.length - 1, cluster: 0 }];
  for (const { node, cluster } of queue) {
    const merge = node - pointCount;
    const lambda = 1 / Math.max(linkage.distance[merge]!, distanceFloor);
    tree.death[cluster] = lambda; // Merges further down are no longer, so that the last λ is the greatest.
    const children = [linkage.left[merge]!, linkage.right[merge]!];
    const large = children.filter((child) => size[child]! >= minClusterSize);
    for (const child of children) {
      if (!large.includes(child)) dropPoints(linkage, tree, child, cluster, lambda);
      else if (large.length === 1) queue.push({ node: child, cluster });
      else queue.push({ node: child, cluster: addCluster(tree, cluster, lambda, size[child]!) });
    }
  }
  return tree;
}

function addCluster(tree: CondensedTree, parent: number, birth: number, size: number): number {
  tree.birth.push(birth);
  tree.size.push(size);
  tree.death.push(0);
  return tree.parent.push(parent) - 1;
}

function dropPoints(
  linkage: SingleLinkage,
  tree: CondensedTree,
  top: number,
  cluster: number,
  lambda: number,
): void {
  const stack = [top];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node < linkage.pointCount) {
      tree.pointCluster[node] = cluster;
      tree.pointLambda[node] = lambda;
      continue;
    }
    stack.push(linkage.left[node - linkage.pointCount]!, linkage.right[node - linkage.pointCount]!);
  }
}

/** Σ (λ − birth) over the points of each cluster while they are in it; also called its excess of mass. */
export function stabilities(tree: CondensedTree): number[] {
  const stability = tree.parent.map(() => 0);
  const add = (cluster: number, lambda: number, points: number): void => {
    const birth = tree.birth[cluster]!;
    // Coinciding points leave at λ = ∞, and so may have been born: such a cluster lived no time.
    if (lambda > birth) stability[cluster]! += (lambda - birth) * points;
  };
  tree.pointCluster.forEach((cluster, point) => add(cluster, tree.pointLambda[point]!, 1));
  tree.parent.forEach((parent, cluster) => {
    if (parent >= 0) add(parent, tree.birth[cluster]!, tree.size[cluster]!);
  });
  return stability;
}
