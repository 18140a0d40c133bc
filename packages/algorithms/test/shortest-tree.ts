import { DisjointSets } from '../src/disjoint-sets.js';
import { euclideanDistance, rowOf, type FloatArray } from '../src/index.js';

/** Lengths of a minimum spanning tree of mutual reachability, ascending: by Kruskal over all pairs, as it is defined. */
export function shortestTree(points: FloatArray, dimensions: number, core: ArrayLike<number>): number[] {
  const sets = new DisjointSets(core.length);
  const all = Array.from(core, (_, i) => i);
  return all
    .flatMap((i) => all.slice(i + 1).map((j) => ({ i, j })))
    .map(({ i, j }) => {
      const distance = euclideanDistance(rowOf(points, dimensions, i), rowOf(points, dimensions, j));
      return { i, j, reach: Math.max(core[i]!, core[j]!, distance) };
    })
    .sort((a, b) => a.reach - b.reach)
    .filter(({ i, j }) => sets.unite(i, j) >= 0)
    .map(({ reach }) => reach);
}
