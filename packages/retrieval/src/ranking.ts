import { reciprocalRankFusion } from '@causantic/algorithms';
import type { EdgeType } from '@causantic/graph';
import type { ChunkDirectory, Store } from '@causantic/storage';
import type { KeywordMatches } from './keyword-search.js';
import { leadingScores, type RelatedScores, scoresOverClusters, scoresOverEdges } from './related-chunks.js';
import type { SemanticMatches } from './semantic-search.js';

/** A chunk on its way to the answer. */
export interface Candidate {
  id: number;
  score: number;
}

/** How much each piece of evidence counts. Chosen by measurement: docs/decisions/0070-ranking.md, 0091-ablation.md. */
export interface RankingWeights {
  /** The chunk nearest in meaning, beside the one with the best words. */
  similarity: number;
  /** Agreement of words and meaning by rank; decides among what scores alike. */
  fusion: number;
  /** Share of the better neighbour's score in the same transcript. */
  neighbour: number;
  /** Share of the session's score. */
  session: number;
  /** What each further chunk of a session counts, as a factor of the one before. */
  repeat: number;
  /** Share of the score of the best chunks in the same cluster. */
  cluster: number;
  /** Share of the score of a chunk at the other end of an edge, by the edge's type. */
  edges: Partial<Record<EdgeType, number>>;
}

export const RANKING_WEIGHTS: RankingWeights = {
  similarity: 0.3,
  fusion: 0.1,
  neighbour: 0.4,
  session: 0.35,
  repeat: 0.98,
  cluster: 0,
  edges: {},
};

/** Saturation and length normalisation of a term in a whole session, as in BM25 (k1, b). */
const SESSION_K1 = 0.8;
const SESSION_B = 0.4;

const RANK_FUSION_K = 60;
/** Far more than any answer holds; the rest cannot rise into it. */
const MAX_RANKED = 1_000;
/** Entries of each list that take part in rank fusion, and whose neighbours become candidates. */
const LEADING_ENTRIES = 300;

/**
 * Rank chunks by words and by meaning, each together with what stands around it: its own score, the better
 * neighbour's, and that of the session as one document; then by reciprocal rank fusion (k = 60) of the two lists.
 * Best first, the best between 1 and 1.1; equal scores in the order of ids.
 */
export function rankCandidates(
  matches: KeywordMatches,
  semantic: SemanticMatches,
  store: Store,
  weights: RankingWeights,
): Candidate[] {
  const own = ownScores(matches.scores, semantic, weights.similarity);
  const inContext = rankInContext(own, matches, store, weights);
  const top = inContext[0]?.score || 1;
  const agreement = fusedRanks(matches.scores, semantic);
  const candidates = inContext.map(({ id, score }) => ({
    id,
    score: score / top + weights.fusion * (agreement.get(id) ?? 0),
  }));
  return spreadOverSessions(candidates.sort(bestFirst), store.directory, weights.repeat);
}

/** Each further chunk of a session counts a little less, so that one long session does not fill the answer. */
function spreadOverSessions(
  ranked: readonly Candidate[],
  directory: ChunkDirectory,
  repeat: number,
): Candidate[] {
  const before = new Map<number | undefined, number>();
  const spread = ranked.map(({ id, score }) => {
    const session = directory.session(id);
    const rank = before.get(session) ?? 0;
    before.set(session, rank + 1);
    return { id, score: score * repeat ** rank };
  });
  return spread.sort(bestFirst);
}

/** BM25 scores, and similarities on their scale: from the last of the list (0) to the first (a share of the best). */
function ownScores(
  bm25: ReadonlyMap<number, number>,
  { ids, similarities }: SemanticMatches,
  weight: number,
): Map<number, number> {
  const scores = new Map(bm25);
  const top = [...bm25.values()].reduce((most, score) => Math.max(most, score), 0) || 1;
  const [first, last] = [similarities[0] ?? 1, similarities.at(-1) ?? 0];
  const scale = first > last ? (weight * top) / (first - last) : 0;
  ids.forEach((id, index) => scores.set(id, (scores.get(id) ?? 0) + scale * (similarities[index]! - last)));
  return scores;
}

/** Reciprocal rank fusion of the two lists; 1 for a chunk that leads both. */
function fusedRanks(bm25: ReadonlyMap<number, number>, semantic: SemanticMatches): Map<number, number> {
  const lists = [leading(bm25), semantic.ids.slice(0, LEADING_ENTRIES)];
  const most = lists.length / (RANK_FUSION_K + 1);
  const fused = reciprocalRankFusion(lists, { k: RANK_FUSION_K });
  return new Map(fused.map(({ item, score }) => [item, score / most]));
}

function leading(scores: ReadonlyMap<number, number>): number[] {
  const candidates = [...scores].map(([id, score]) => ({ id, score }));
  return best(candidates, LEADING_ENTRIES).map(({ id }) => id);
}

/** The `count` best candidates in order; sorting numbers first is several times faster than sorting all objects. */
function best(candidates: readonly Candidate[], count: number): Candidate[] {
  const ascending = Float64Array.from(candidates, ({ score }) => score).sort();
  const least = ascending[ascending.length - count] ?? -Infinity;
  const chosen = candidates.filter(({ score }) => score >= least);
  return chosen.sort(bestFirst).slice(0, count);
}

function rankInContext(
  scores: ReadonlyMap<number, number>,
  matches: KeywordMatches,
  store: Store,
  weights: RankingWeights,
): Candidate[] {
  const { directory } = store;
  const leaders = leadingScores(scores);
  const overEdges = scoresOverEdges(store, leaders, weights.edges);
  const overClusters = scoresOverClusters(store, leaders, weights.cluster);
  const ofSession = sessionScores(matches, directory);
  const own = (id: number | undefined): number => (id === undefined ? 0 : (scores.get(id) ?? 0));
  const candidates: Candidate[] = [];
  for (const id of withRelated(scores, directory, [overEdges, overClusters])) {
    const session = directory.session(id);
    if (session === undefined) continue;
    const beside = Math.max(own(directory.neighbour(id, -1)), own(directory.neighbour(id, 1)));
    const around = Math.max(weights.neighbour * beside, overEdges.get(id) ?? 0);
    const context = around + (overClusters.get(id) ?? 0) + weights.session * (ofSession.get(session) ?? 0);
    candidates.push({ id, score: own(id) + context });
  }
  return best(candidates, MAX_RANKED);
}

/** An answer often shares no word with its question: what is related to a good match is a candidate too. */
function withRelated(
  scores: ReadonlyMap<number, number>,
  directory: ChunkDirectory,
  related: readonly RelatedScores[],
): Set<number> {
  const all = new Set([...scores.keys(), ...related.flatMap((others) => [...others.keys()])]);
  for (const id of leading(scores)) {
    for (const offset of [-1, 1]) {
      const beside = directory.neighbour(id, offset);
      if (beside !== undefined) all.add(beside);
    }
  }
  return all;
}

function bestFirst(a: Candidate, b: Candidate): number {
  return b.score - a.score || a.id - b.id;
}

/** BM25 of each session as one document, from the scores of its chunks: their sum stands for the term's frequency. */
function sessionScores(matches: KeywordMatches, directory: ChunkDirectory): Map<number, number> {
  const total = new Map<number, number>();
  const meanSize = directory.meanSessionSize();
  matches.terms.forEach((term, index) => {
    const scale = term.idf * term.weight;
    for (const [session, sum] of sumBySession(matches.byTerm[index], directory)) {
      const length = 1 - SESSION_B + (SESSION_B * directory.sessionSize(session)) / meanSize;
      const frequency = sum / scale;
      const score = (scale * frequency * (SESSION_K1 + 1)) / (frequency + SESSION_K1 * length);
      total.set(session, (total.get(session) ?? 0) + score);
    }
  });
  return total;
}

function sumBySession(
  scores: Map<number, number> | undefined,
  directory: ChunkDirectory,
): Map<number, number> {
  const sums = new Map<number, number>();
  for (const [id, score] of scores ?? []) {
    const session = directory.session(id);
    if (session !== undefined) sums.set(session, (sums.get(session) ?? 0) + score);
  }
  return sums;
}
