import { decayWeight, BACKWARD_DECAY, type EdgeType } from '@causantic/graph';
import type { Store } from '@causantic/storage';

/** Chunks with a score of their own whose relatives are looked up: what follows cannot lift anything into an answer. */
const LEADING = 100;

/** A score for chunks that stand in relation to a good one, by chunk. */
export type RelatedScores = ReadonlyMap<number, number>;

/**
 * What the best-scored chunks pass on over edges, in both directions: the greatest of `weight of the edge's type ×
 * backward decay after one hop × the other's score`.
 */
export function scoresOverEdges(
  store: Store,
  leading: ReadonlyMap<number, number>,
  weights: Partial<Record<EdgeType, number>>,
): RelatedScores {
  const related = new Map<number, number>();
  if (!Object.values(weights).some((weight) => weight > 0)) return related;
  const pass = (from: number, to: number, type: string): void => {
    const weight = (weights[type as EdgeType] ?? 0) * decayWeight(1, BACKWARD_DECAY);
    raise(related, to, weight * (leading.get(from) ?? 0));
  };
  const ids = [...leading.keys()];
  for (const { from, to, type } of store.edges.startingAt(ids)) pass(from, to, type);
  for (const { from, to, type } of store.edges.endingAt(ids)) pass(to, from, type);
  return related;
}

/**
 * What the best-scored chunks pass on to the other members of their clusters: `weight` × the score of the best member
 * that is another chunk.
 */
export function scoresOverClusters(
  store: Store,
  leading: ReadonlyMap<number, number>,
  weight: number,
): RelatedScores {
  const related = new Map<number, number>();
  if (weight === 0) return related;
  const leaders = new Map<number, number[]>();
  for (const [id, cluster] of store.clusters.clustersOf([...leading.keys()])) {
    leaders.set(cluster, [...(leaders.get(cluster) ?? []), id]);
  }
  for (const [cluster, members] of store.clusters.members([...leaders.keys()])) {
    const inOrder = leaders.get(cluster)!.sort((a, b) => leading.get(b)! - leading.get(a)!);
    for (const id of members) {
      const best = inOrder[0] === id ? inOrder[1] : inOrder[0];
      if (best !== undefined) raise(related, id, weight * leading.get(best)!);
    }
  }
  return related;
}

/** The chunks with the best scores of their own, best first. */
export function leadingScores(scores: ReadonlyMap<number, number>): Map<number, number> {
  return new Map([...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, LEADING));
}

function raise(scores: Map<number, number>, id: number, score: number): void {
  if (score > (scores.get(id) ?? 0)) scores.set(id, score);
}
