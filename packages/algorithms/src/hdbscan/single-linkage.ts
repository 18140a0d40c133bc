import { DisjointSets } from '../disjoint-sets.js';
import { numpyArgsort } from './numpy-argsort.js';
import type { WeightedEdges } from './spanning-tree.js';

/**
 * The dendrogram: merge m joins the nodes `left[m]` and `right[m]` at `distance[m]` into node
 * `pointCount + m`; nodes below `pointCount` are the points. The last merge is the root.
 */
export type SingleLinkage = {
  pointCount: number;
  left: Int32Array;
  right: Int32Array;
  distance: Float64Array;
  /** Points under each node, points included. */
  size: Int32Array;
};

/** Merges the edges of a spanning tree, shortest first; equal lengths in scikit-learn's order. */
export function singleLinkage(tree: WeightedEdges): SingleLinkage {
  const merges = tree.length.length;
  const pointCount = merges + 1;
  const sets = new DisjointSets(pointCount);
  const nodeOfSet = Int32Array.from({ length: pointCount }, (_, point) => point);
  const linkage: SingleLinkage = {
    pointCount,
    left: new Int32Array(merges),
    right: new Int32Array(merges),
    distance: new Float64Array(merges),
    size: new Int32Array(pointCount + merges).fill(1, 0, pointCount),
  };
  numpyArgsort(tree.length).forEach((edge, merge) => {
    linkage.left[merge] = nodeOfSet[sets.find(tree.from[edge]!)]!;
    linkage.right[merge] = nodeOfSet[sets.find(tree.to[edge]!)]!;
    linkage.distance[merge] = tree.length[edge]!;
    const set = sets.unite(tree.from[edge]!, tree.to[edge]!);
    nodeOfSet[set] = pointCount + merge;
    linkage.size[pointCount + merge] = sets.sizeOf(set);
  });
  return linkage;
}
