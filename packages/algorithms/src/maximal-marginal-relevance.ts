import { requireThat } from './argument-checks.js';

export type MmrInput = {
  /** One value per candidate, on the scale of `similarity`. */
  relevance: ArrayLike<number>;
  /** How alike two candidates are, by index. Called at most picks × candidates times. */
  similarity: (a: number, b: number) => number;
  /** What each candidate takes from the budget, ≥ 0. */
  cost: ArrayLike<number>;
  budget: number;
  /** 1 is relevance alone, 0 diversity alone. */
  lambda?: number;
};

/**
 * Maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998) within a budget: picks the candidate
 * with the greatest `λ·relevance − (1 − λ)·(similarity to the nearest pick)`, passes over those that
 * exceed what is left of the budget, and goes on until nothing fits. Ties go to the lower index.
 *
 * @returns candidate indices in the order they were picked; their costs never sum to more than the budget
 */
export function maximalMarginalRelevance(input: MmrInput): number[] {
  const { relevance, similarity, cost, budget, lambda = 0.7 } = input;
  requireThat(cost.length === relevance.length, `${cost.length} costs for ${relevance.length} candidates`);
  requireThat(lambda >= 0 && lambda <= 1, `lambda must lie in [0, 1], got ${lambda}`);
  let open = Array.from({ length: relevance.length }, (_, candidate) => candidate);
  /** Similarities, 0 before the first pick. */
  const nearestPick = new Float64Array(relevance.length);
  const picks: number[] = [];
  const marginal = (candidate: number): number =>
    lambda * relevance[candidate]! - (1 - lambda) * nearestPick[candidate]!;

  let remaining = budget;
  for (;;) {
    open = open.filter((candidate) => cost[candidate]! <= remaining);
    const pick = firstBest(open, marginal);
    if (pick === undefined) return picks;
    open = open.filter((candidate) => candidate !== pick);
    for (const candidate of open) {
      const likeness = similarity(candidate, pick);
      nearestPick[candidate] = picks.length === 0 ? likeness : Math.max(nearestPick[candidate]!, likeness);
    }
    picks.push(pick);
    remaining -= cost[pick]!;
  }
}

function firstBest(candidates: readonly number[], score: (candidate: number) => number): number | undefined {
  let best: number | undefined;
  let bestScore = -Infinity;
  for (const candidate of candidates) {
    const candidateScore = score(candidate);
    if (best !== undefined && !(candidateScore > bestScore)) continue;
    best = candidate;
    bestScore = candidateScore;
  }
  return best;
}
