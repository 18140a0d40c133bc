import { dot, maximalMarginalRelevance, rowOf } from '@causantic/algorithms';
import type { Store } from '@causantic/storage';
import type { Candidate } from './evidence.js';

/** Number of candidates that are reordered: an answer of 20,000 tokens rarely has more. */
const REORDERED = 64;

/**
 * Maximal marginal relevance over the first candidates: of two that say nearly the same, the second comes later.
 * Candidates without a vector count as unlike all others.
 *
 * @param lambda 1 keeps the order; 1 − lambda is the weight of similarity to earlier candidates
 */
export function diversify(
  store: Store,
  ranked: readonly Candidate[],
  { modelId, lambda }: { modelId: string; lambda: number },
): Candidate[] {
  const first = ranked.slice(0, REORDERED);
  const top = first[0]?.score;
  if (lambda >= 1 || top === undefined) return [...ranked];
  const ids = first.map(({ id }) => id);
  const dim = store.vectors.dimensions(modelId);
  const vectors = store.vectors.get(modelId, ids, dim);
  const order = maximalMarginalRelevance({
    relevance: first.map(({ score }) => score / top),
    similarity: (a, b) => dot(rowOf(vectors, dim, a), rowOf(vectors, dim, b)),
    cost: new Uint8Array(first.length),
    budget: 0,
    lambda,
  });
  return [...order.map((index) => first[index]!), ...ranked.slice(REORDERED)];
}
