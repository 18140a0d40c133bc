import { reciprocalRankFusion } from '@causantic/algorithms';
import type { ChunkDirectory } from '@causantic/storage';
import type { KeywordMatches } from './keyword-search.js';
import type { SemanticMatches } from './semantic-search.js';

/** A chunk on its way to the answer. */
export interface Candidate {
  id: number;
  score: number;
}

/** How what stands around a chunk counts beside its own score; see docs/decisions/0070-ranking.md. */
const CONTEXT_WEIGHTS = {
  /** Share of the better neighbour's score. */
  neighbour: 0.4,
  /** Share of the session's score. */
  session: 0.35,
};

/** Saturation and length normalisation of a term in a whole session, as in BM25 (k1, b). */
const SESSION_K1 = 0.8;
const SESSION_B = 0.4;

/** How much the chunk nearest in meaning counts beside the one with the best words. */
const SIMILARITY_WEIGHT = 0.3;
/** How much agreement of the two lists counts beside the scores; decides among what scores alike. */
const FUSION_WEIGHT = 0.1;
const RANK_FUSION_K = 60;
/** Far more than any answer holds; the rest cannot rise into it. */
const MAX_RANKED = 1_000;
const SESSION_REPEAT_DISCOUNT = 0.98;
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
  directory: ChunkDirectory,
): Candidate[] {
  const inContext = rankInContext(ownScores(matches.scores, semantic), matches, directory);
  const top = inContext[0]?.score || 1;
  const agreement = fusedRanks(matches.scores, semantic);
  const candidates = inContext.map(({ id, score }) => ({
    id,
    score: score / top + FUSION_WEIGHT * (agreement.get(id) ?? 0),
  }));
  return spreadOverSessions(candidates.sort(bestFirst), directory);
}

/** Each further chunk of a session counts a little less, so that one long session does not fill the answer. */
function spreadOverSessions(ranked: readonly Candidate[], directory: ChunkDirectory): Candidate[] {
  const before = new Map<number | undefined, number>();
  const spread = ranked.map(({ id, score }) => {
    const session = directory.session(id);
    const rank = before.get(session) ?? 0;
    before.set(session, rank + 1);
    return { id, score: score * SESSION_REPEAT_DISCOUNT ** rank };
  });
  return spread.sort(bestFirst);
}

/** BM25 scores, and similarities on their scale: from the last of the list (0) to the first (a share of the best). */
function ownScores(
  bm25: ReadonlyMap<number, number>,
  { ids, similarities }: SemanticMatches,
): Map<number, number> {
  const scores = new Map(bm25);
  const top = [...bm25.values()].reduce((most, score) => Math.max(most, score), 0) || 1;
  const [first, last] = [similarities[0] ?? 1, similarities.at(-1) ?? 0];
  const scale = first > last ? (SIMILARITY_WEIGHT * top) / (first - last) : 0;
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
  directory: ChunkDirectory,
): Candidate[] {
  const ofSession = sessionScores(matches, directory);
  const own = (id: number | undefined): number => (id === undefined ? 0 : (scores.get(id) ?? 0));
  const candidates: Candidate[] = [];
  for (const id of withNeighbours(scores, directory)) {
    const session = directory.session(id);
    if (session === undefined) continue;
    const beside = Math.max(own(directory.neighbour(id, -1)), own(directory.neighbour(id, 1)));
    const context =
      CONTEXT_WEIGHTS.neighbour * beside + CONTEXT_WEIGHTS.session * (ofSession.get(session) ?? 0);
    candidates.push({ id, score: own(id) + context });
  }
  return best(candidates, MAX_RANKED);
}

/** An answer often shares no word with its question: what stands beside a good match is a candidate too. */
function withNeighbours(scores: ReadonlyMap<number, number>, directory: ChunkDirectory): Set<number> {
  const all = new Set(scores.keys());
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
