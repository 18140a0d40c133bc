import { groupBy } from '@causantic/domain';
import { decayWeight, BACKWARD_DECAY, type EdgeType } from '@causantic/graph';
import type { Store } from '@causantic/storage';
import type { Scored } from './best-scored.js';

/** Number of best-scored chunks whose relatives are looked up; those of lower ones would never reach an answer. */
const LEADING = 100;

/** Chunks with the best scores of their own, best first. */
type Leading = readonly Scored[];

/** Scores for chunks that are related to a good one, by chunk. */
export type RelatedScores = ReadonlyMap<number, number>;

/**
 * Scores that the best-scored chunks pass on along edges, in both directions: the greatest `weight of the edge's type ×
 * backward decay after one hop × the other's score`.
 */
export function scoresOverEdges(
  store: Store,
  leading: Leading,
  weights: Partial<Record<EdgeType, number>>,
): RelatedScores {
  const related = new Map<number, number>();
  const types = Object.keys(weights);
  if (types.length === 0) return related;
  const scoreOf = new Map(leading.slice(0, LEADING).map(({ id, score }) => [id, score]));
  for (const [from, to, type] of store.edges.around([...scoreOf.keys()], types)) {
    const weight = weights[type as EdgeType]! * decayWeight(1, BACKWARD_DECAY);
    raise(related, to, weight * scoreOf.get(from)!);
  }
  return related;
}

/**
 * Scores that the best-scored chunks pass on to the other members of their clusters: `weight` × the score of the best
 * other member.
 */
export function scoresOverClusters(store: Store, leading: Leading, weight: number): RelatedScores {
  const related = new Map<number, number>();
  if (weight === 0) return related;
  const first = leading.slice(0, LEADING);
  const clusterOf = store.clusters.clustersOf(first.map(({ id }) => id));
  const clustered = first.filter(({ id }) => clusterOf.has(id));
  const leaders = groupBy(clustered, ({ id }) => clusterOf.get(id)!);
  for (const [cluster, members] of store.clusters.members([...leaders.keys()])) {
    const [best, second] = leaders.get(cluster)!;
    for (const id of members) {
      const other = best?.id === id ? second : best;
      if (other) raise(related, id, weight * other.score);
    }
  }
  return related;
}

function raise(scores: Map<number, number>, id: number, score: number): void {
  if (score > (scores.get(id) ?? 0)) scores.set(id, score);
}
