import type { Candidate } from './ranking.js';
import type { SemanticMatches } from './semantic-search.js';

/** The seventh hit, the tenth and so on: what is told before them has words of the question and is worth more. */
const FIRST_PLACE = 6;
const PLACE_STEP = 3;
const PLACES = 5;

/**
 * Places kept for the chunks nearest in meaning that would come later: words that happen to stand in a hundred chunks
 * push what was said in other words out of sight. Scores stay in order.
 * Evidence: docs/decisions/0070-ranking.md.
 *
 * @param minSimilarity less like the question than this is no answer
 */
export function keepPlacesForNearest(
  ranked: readonly Candidate[],
  { ids, similarities }: SemanticMatches,
  minSimilarity: number,
): Candidate[] {
  const order = [...ranked];
  const nearest = ids.slice(0, PLACES).filter((_, n) => similarities[n]! >= minSimilarity);
  nearest.forEach((id, n) => {
    const place = Math.min(FIRST_PLACE + n * PLACE_STEP, order.length);
    const found = order.findIndex((candidate) => candidate.id === id);
    if (found >= 0 && found <= place) return;
    const [candidate] = found < 0 ? [] : order.splice(found, 1);
    const score = order[place - 1]?.score ?? 0;
    order.splice(place, 0, { via: [], ...candidate, id, score });
  });
  return order;
}
