import type { ChunkDirectory } from '@causantic/storage';
import type { KeywordMatches } from './keyword-search.js';

/** A chunk on its way to the answer. */
export interface Candidate {
  id: number;
  score: number;
}

/** How what stands around a chunk counts beside its own words; see docs/decisions/0070-keyword-ranking.md. */
export interface ContextWeights {
  /** Share of the better neighbour's score. */
  neighbour: number;
  /** Share of the session's score. */
  session: number;
}

export const CONTEXT_WEIGHTS: ContextWeights = { neighbour: 0.4, session: 0.35 };

/** Saturation and length normalisation of a term in a whole session, as in BM25 (k1, b). */
const SESSION_K1 = 0.8;
const SESSION_B = 0.4;

/**
 * Score every matching chunk together with what stands around it: its own BM25 score, the better neighbour's, and
 * that of the session as one document. Best first; equal scores in the order of ids.
 */
export function rankInContext(
  matches: KeywordMatches,
  directory: ChunkDirectory,
  weights: ContextWeights = CONTEXT_WEIGHTS,
): Candidate[] {
  const ofSession = sessionScores(matches, directory);
  const candidates: Candidate[] = [];
  for (const [id, own] of matches.scores) {
    const session = directory.session(id);
    if (session === undefined) continue;
    const before = matches.scores.get(directory.neighbour(id, -1) ?? -1) ?? 0;
    const after = matches.scores.get(directory.neighbour(id, 1) ?? -1) ?? 0;
    const score =
      own + weights.neighbour * Math.max(before, after) + weights.session * (ofSession.get(session) ?? 0);
    candidates.push({ id, score });
  }
  return candidates.sort((a, b) => b.score - a.score || a.id - b.id);
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
