export type WeightedTerm = { term: string; weight: number };

/**
 * The terms that distinguish each cluster, by class TF-IDF (Grootendorst, "BERTopic", 2022, equation 2):
 * `tf(term, cluster) · ln(1 + A / tf(term))`, where A is the mean number of words in a cluster; here the first
 * factor is divided by the words of its cluster, so that weights compare between clusters.
 *
 * @param termCounts per cluster, how often each term occurs in its members
 * @returns per cluster at most `topTerms` terms, heaviest first, ties in alphabetical order
 */
export function classTfIdf(
  termCounts: readonly ReadonlyMap<string, number>[],
  topTerms: number,
): WeightedTerm[][] {
  const wordsOf = termCounts.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const meanWords = wordsOf.reduce((sum, words) => sum + words, 0) / termCounts.length;
  const inAll = new Map<string, number>();
  for (const counts of termCounts) {
    for (const [term, count] of counts) inAll.set(term, (inAll.get(term) ?? 0) + count);
  }
  return termCounts.map((counts, cluster) =>
    Array.from(counts, ([term, count]) => ({
      term,
      weight: (count / wordsOf[cluster]!) * Math.log(1 + meanWords / inAll.get(term)!),
    }))
      .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
      .slice(0, topTerms),
  );
}
