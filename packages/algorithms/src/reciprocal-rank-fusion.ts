import { requireThat } from './argument-checks.js';

export type FusedItem<Key> = {
  item: Key;
  /** Σ 1 / (k + rank) over the lists that hold the item, ranks from 1. */
  score: number;
};

/**
 * Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009). An item that a list names twice counts
 * once, at its better rank. The result does not depend on the order of the lists: ties go to the
 * smaller item.
 *
 * @param k damps the first ranks; 60 is the authors' value
 * @returns all items, best first
 */
export function reciprocalRankFusion<Key extends string | number>(
  lists: readonly (readonly Key[])[],
  k = 60,
): FusedItem<Key>[] {
  requireThat(k > -1, `k must be above -1, got ${k}`);
  const shares = new Map<Key, number[]>();
  for (const list of lists) {
    for (const [index, item] of [...new Set(list)].entries()) {
      const share = 1 / (k + index + 1);
      const earlier = shares.get(item);
      if (earlier === undefined) shares.set(item, [share]);
      else earlier.push(share);
    }
  }
  return [...shares].map(([item, parts]) => ({ item, score: sumAscending(parts) })).sort(byScoreThenItem);
}

/** A fixed order of additions: float sums would otherwise depend on the order of the lists. */
function sumAscending(values: number[]): number {
  return values.sort((a, b) => a - b).reduce((sum, value) => sum + value, 0);
}

function byScoreThenItem<Key extends string | number>(a: FusedItem<Key>, b: FusedItem<Key>): number {
  if (a.score !== b.score) return b.score - a.score;
  return a.item < b.item ? -1 : 1;
}
