import { isLinked } from '@causantic/graph';
import type { KeywordScope, Store } from '@causantic/storage';
import { bestScore } from '../ranking/best-scored.js';
import type { Candidate, Evidence } from '../ranking/evidence.js';
import type { AnswerSoFar } from './assembly.js';
import type { Hit, Source } from './presentation.js';

/**
 * Beyond this many tokens an answer takes only hits with at least this share of the best relevance, and none if it is
 * doubtful that memory has an answer. Evidence: docs/decisions/0070-ranking.md.
 */
export const FULL_TOKENS = 5_000;
const MIN_RELATIVE_RELEVANCE = 0.5;
/** A similarity below this is chance: the chunk does not count as found by its meaning. */
const MIN_VECTOR_SIMILARITY = 0.3;
/** Chunks read from the store at once: an answer takes about 50, and reading more wastes time. */
const HIT_BATCH = 24;

interface RatedCandidate extends Candidate {
  /** Similarity to the question; 0 if it is not among the nearest. */
  similarity: number;
  /** 0 to 1, as shown in the answer. */
  relevance: number;
}

function rate(ranked: readonly Candidate[], { matches, semantic }: Evidence): RatedCandidate[] {
  const similarities = new Map(semantic.ids.map((id, index) => [id, semantic.similarities[index]!]));
  const top = bestScore(ranked) || 1;
  // Field by field: copying a thousand objects takes a thirtieth of a search.
  return ranked.map(({ id, score, via }) => {
    const similarity = similarities.get(id) ?? 0;
    const likeness = Math.max(matches.found.coverageOf(id), similarity);
    return { id, score, via, similarity, relevance: Math.min(1, (likeness + score / top) / 2) };
  });
}

/** The ranked chunks as hits, read as they are asked for. */
export function* toHits(
  store: Store,
  ranked: readonly Candidate[],
  evidence: Evidence,
  { projectId }: KeywordScope,
  answer: AnswerSoFar,
): Generator<Hit> {
  const rated = rate(ranked, evidence);
  const least = MIN_RELATIVE_RELEVANCE * rated.reduce((most, { relevance }) => Math.max(most, relevance), 0);
  const isWanted = ({ relevance }: RatedCandidate): boolean =>
    answer.tokens <= FULL_TOKENS || relevance >= least;
  let rest = rated;
  while (rest.length > 0) {
    const batch = new Map(rest.slice(0, HIT_BATCH).map((candidate) => [candidate.id, candidate]));
    for (const chunk of store.chunks.get([...batch.keys()])) {
      const candidate = batch.get(chunk.id)!;
      // An edge may lead to another project, and the neighbour of a good chunk may be a thought, or text of the client.
      const isElsewhere = projectId !== undefined && chunk.projectId !== projectId;
      if (!isWanted(candidate) || isElsewhere || !isLinked(chunk)) continue;
      const { score, relevance, similarity, via } = candidate;
      yield { chunk, score, relevance, sources: sourcesOf(chunk.id, evidence, similarity, via) };
    }
    rest = rest.slice(HIT_BATCH).filter(isWanted);
  }
}

function sourcesOf(
  id: number,
  { matches, entities }: Evidence,
  similarity: number,
  via: Candidate['via'],
): Source[] {
  const sources: Source[] = [];
  if (similarity >= MIN_VECTOR_SIMILARITY) sources.push('vector');
  if (matches.found.has(id)) sources.push('keyword');
  sources.push(...via);
  if (matches.entityIds.has(id) || entities.has(id)) sources.push('entity');
  // Found because of the chunk beside it.
  return sources.length > 0 ? sources : ['graph'];
}
