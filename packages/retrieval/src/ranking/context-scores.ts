import type { ChunkDirectory, Postings, Store } from '@causantic/storage';
import type { KeywordMatches } from '../matching/keyword-search.js';
import type { SemanticMatches } from '../matching/semantic-search.js';
import { bestScored, type Scored } from './best-scored.js';
import { CandidateList } from './candidate-list.js';
import type { Candidate, Evidence } from './evidence.js';
import type { RankingWeights } from './ranking-weights.js';
import { scoresOverClusters, scoresOverEdges } from './related-chunks.js';

/** Saturation and length normalisation of a term in a whole session, as in BM25 (k1, b). */
const SESSION_K1 = 0.8;
const SESSION_B = 0.4;

/** Number of entries of each list that take part in rank fusion, and whose neighbours become candidates. */
export const LEADING_ENTRIES = 300;

/** Candidates, with and without evidence of their own, unordered; parallel arrays. */
interface ScoresInContext {
  ids: number[];
  scores: number[];
  via: (id: number) => Candidate['via'];
}

/**
 * Each candidate's own score with its context: that of the better neighbour, of what it is related to, and of its session as one
 * document.
 */
export function scoresInContext(store: Store, evidence: Evidence, weights: RankingWeights): ScoresInContext {
  const { directory } = store;
  const candidates = new CandidateList(directory);
  candidates.add(evidence.matches.found.ids);
  candidates.add(evidence.semantic.ids);
  candidates.add(evidence.entities.keys());
  const ofFound = ownScores(evidence, weights, candidates);
  const leading = bestScored(candidates.ids, ofFound.subarray(1), LEADING_ENTRIES);
  const overEdges = scoresOverEdges(store, leading, weights.edges);
  const overClusters = scoresOverClusters(store, leading, weights.cluster);
  // An answer often shares no word with its question: what is related to a good match is a candidate too.
  candidates.add(overEdges.keys());
  candidates.add(overClusters.keys());
  candidates.add(neighboursOf(leading, directory));

  const { allowed } = evidence;
  // Before any is cut off: many better ones of other agents must not take their places.
  const ids = allowed ? candidates.ids.filter((id) => allowed.has(id)) : candidates.ids;
  const own = candidates.emptyScores();
  own.set(ofFound);
  const around = (id: number, offset: -1 | 1): number =>
    own[candidates.placeOf(directory.neighbour(id, offset) ?? 0)]!;
  const atNeighbour = (id: number): number => weights.neighbour * Math.max(around(id, -1), around(id, 1));
  const ofSession = sessionScores(evidence, directory, weights);
  const edge = candidates.scoresOf(overEdges);
  const cluster = candidates.scoresOf(overClusters);
  const scores = ids.map((id) => {
    const place = candidates.placeOf(id);
    const related = Math.max(atNeighbour(id), edge[place]!) + cluster[place]!;
    const session = directory.session(id)!;
    const score = own[place]! + related + weights.session * ofSession[session]!;
    const wanted = (evidence.circumstances.get(id) ?? 0) + (evidence.sessions.get(session) ?? 0);
    return score * (1 + weights.circumstance * wanted);
  });
  const via = (id: number): Candidate['via'] =>
    relations(overClusters.has(id), (overEdges.get(id) ?? 0) > atNeighbour(id));
  return { ids, scores, via };
}

function* neighboursOf(leading: readonly Scored[], directory: ChunkDirectory): Generator<number> {
  for (const { id } of leading) {
    for (const offset of [-1, 1] as const) {
      const neighbour = directory.neighbour(id, offset);
      if (neighbour !== undefined) yield neighbour;
    }
  }
}

function relations(isOverCluster: boolean, isOverEdge: boolean): Candidate['via'] {
  if (isOverCluster) return isOverEdge ? ['cluster', 'graph'] : ['cluster'];
  return isOverEdge ? ['graph'] : [];
}

/** By session, its score as a whole: by its words, and by its chunk that is nearest in meaning. */
function sessionScores(
  { matches, semantic }: Evidence,
  directory: ChunkDirectory,
  weights: RankingWeights,
): Float64Array {
  const scores = sessionWordScores(matches, directory);
  const top = greatest(scores);
  const shareOf = similarityShares(semantic);
  const nearest = new Map<number, number>();
  semantic.ids.forEach((id, index) => {
    const session = directory.session(id);
    // The list is in order: the first of a session is its nearest.
    if (session !== undefined && !nearest.has(session)) nearest.set(session, shareOf(index));
  });
  for (const [session, share] of nearest) scores[session]! += weights.sessionSimilarity * top * share;
  return scores;
}

/** BM25 of each session as one document, from the scores of its chunks: their sum approximates the term's frequency. */
function sessionWordScores(matches: KeywordMatches, directory: ChunkDirectory): Float64Array {
  const total = new Float64Array(directory.sessionsBelow);
  const sums = new Float64Array(directory.sessionsBelow);
  const meanSize = directory.meanSessionSize();
  for (const { term, postings } of matches.byTerm) {
    const scale = term.idf * term.weight;
    for (const session of sumBySession(postings, directory, sums)) {
      const length = 1 - SESSION_B + (SESSION_B * directory.sessionSize(session)) / meanSize;
      const frequency = sums[session]! / scale;
      total[session]! += (scale * frequency * (SESSION_K1 + 1)) / (frequency + SESSION_K1 * length);
      sums[session] = 0;
    }
  }
  return total;
}

/** Adds the scores up in `sums`, and says in which of its sessions. */
function sumBySession(postings: Postings, directory: ChunkDirectory, sums: Float64Array): number[] {
  const changed: number[] = [];
  for (let i = 0; i < postings.ids.length; i++) {
    const session = directory.session(postings.ids[i]!);
    if (session === undefined) continue;
    if (sums[session] === 0) changed.push(session);
    sums[session]! += postings.scores[i]!;
  }
  return changed;
}

/**
 * By a candidate's place: BM25 scores, bonuses for named entities, and similarities mapped to the scale of BM25, from the
 * last of the list (0) to the first (a share of the best). An array, because it is read three times for each of thousands.
 */
function ownScores(
  { matches: { found }, semantic, entities }: Evidence,
  weights: RankingWeights,
  candidates: CandidateList,
): Float64Array {
  const own = candidates.emptyScores();
  const add = (id: number, score: number): void => void (own[candidates.placeOf(id)]! += score);
  found.ids.forEach((id, position) => add(id, found.scores[position]!));
  const top = greatest(found.scores);
  const shareOf = similarityShares(semantic);
  semantic.ids.forEach((id, index) => add(id, weights.similarity * top * shareOf(index)));
  entities.forEach((idf, id) => add(id, weights.entity * idf));
  own[0] = 0; // The directory does not know these.
  return own;
}

/** The position of a similarity between the last of the list (0) and the first (1). */
function similarityShares({ similarities }: SemanticMatches): (index: number) => number {
  const [first, last] = [similarities[0] ?? 1, similarities.at(-1) ?? 0];
  return (index) => (first > last ? (similarities[index]! - last) / (first - last) : 0);
}

/** The greatest value, or 1 if there is none. */
function greatest(scores: Iterable<number>): number {
  let most = 0;
  for (const score of scores) most = Math.max(most, score);
  return most || 1;
}
