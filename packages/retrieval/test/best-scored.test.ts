import { expect, it } from 'vitest';
import { bestScored } from '../src/ranking/best-scored.js';

/** Every score stands often, so that ties lie at the cut, too. */
const scoresOf = (count: number, kinds: number): number[] =>
  Array.from({ length: count }, (_, i) => ((i * 7_919) % kinds) / kinds);

it.each([
  [0, 5],
  [1, 5],
  [5, 5],
  [300, 7],
  [300, 299],
  [5_000, 300],
  [5_000, 4_999],
])('of %i entries the best come in order, equal ones by id', (entries, count) => {
  for (const kinds of [1, 2, 37, 100_003]) {
    const ids = Array.from({ length: entries }, (_, i) => (i * 31) % (entries + 1));
    const scores = scoresOf(entries, kinds);
    const sorted = ids.map((id, i) => ({ id, score: scores[i]! }));
    sorted.sort((a, b) => b.score - a.score || a.id - b.id);
    expect(bestScored(ids, scores, count)).toEqual(sorted.slice(0, count));
  }
});
