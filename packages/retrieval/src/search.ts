import type { KeywordScope, Store } from '@causantic/storage';
import { assembleHits, type Assembly } from './assembly.js';
import { type KeywordMatches, searchKeywords } from './keyword-search.js';
import type { Hit, Source } from './presentation.js';
import { type Candidate, rankInContext } from './ranking.js';

export interface SearchRequest {
  query: string;
  scope: KeywordScope;
  budgetTokens: number;
}

export interface SearchDiagnostics {
  /** Terms looked up, with the number of chunks that hold them. */
  terms: { phrase: string; chunks: number }[];
  candidates: number;
  timingsMs: Record<string, number>;
  /** What could not be used and why; empty when all was there. */
  degraded: string[];
}

export interface SearchResult extends Assembly {
  diagnostics: SearchDiagnostics;
}

/** What a search needs; nothing global. */
export interface RetrievalContext {
  store: Store;
  /** Monotonic clock in milliseconds, for timings. */
  now: () => number;
}

/** Chunks considered for an answer: with the smallest chunks this still fills the largest budget. */
const MAX_CANDIDATES = 400;
/**
 * A chunk must carry this share of the question's information, or nothing is the right answer.
 * Evidence: docs/decisions/0070-keyword-ranking.md.
 */
const MIN_COVERAGE = 0.2;
/** Chunks scoring less than this share of the best are noise beside it. */
const MIN_RELATIVE_SCORE = 0.1;

const HEADER_TOKENS = 16;

/** Ranked context for a question. Empty when nothing in the scope is relevant. */
export async function search(context: RetrievalContext, request: SearchRequest): Promise<SearchResult> {
  const { store, now } = context;
  const startMs = now();
  await store.directory.refresh();
  const refreshedMs = now();
  const matches = searchKeywords(store, request.query, request.scope);
  const matchedMs = now();
  const ranked = aboveFloor(rankInContext(matches, store.directory), matches);
  const hits = toHits(store, ranked, matches);
  const assembly = assembleHits(store, hits, {
    budgetTokens: request.budgetTokens,
    overheadTokens: HEADER_TOKENS,
  });
  return {
    ...assembly,
    diagnostics: {
      terms: matches.terms.map((term) => ({ phrase: term.phrase, chunks: term.documentFrequency })),
      candidates: matches.scores.size,
      timingsMs: {
        refresh: refreshedMs - startMs,
        keyword: matchedMs - refreshedMs,
        assembly: now() - matchedMs,
      },
      degraded: [],
    },
  };
}

function aboveFloor(ranked: readonly Candidate[], matches: KeywordMatches): Candidate[] {
  const best = ranked.slice(0, MAX_CANDIDATES);
  const covered = best.reduce((most, { id }) => Math.max(most, matches.coverage.get(id) ?? 0), 0);
  if (covered < MIN_COVERAGE) return [];
  const floor = (best[0]?.score ?? 0) * MIN_RELATIVE_SCORE;
  return best.filter((candidate) => candidate.score >= floor);
}

function toHits(store: Store, ranked: readonly Candidate[], matches: KeywordMatches): Hit[] {
  const scores = new Map(ranked.map((candidate) => [candidate.id, candidate.score]));
  const top = ranked[0]?.score ?? 1;
  return store.chunks.get([...scores.keys()]).map((chunk) => {
    const score = scores.get(chunk.id)!;
    const coverage = matches.coverage.get(chunk.id) ?? 0;
    return {
      chunk,
      score,
      relevance: Math.min(1, (coverage + score / top) / 2),
      sources: sourcesOf(chunk.id, matches),
    };
  });
}

function sourcesOf(id: number, matches: KeywordMatches): Source[] {
  if (!matches.scores.has(id)) return ['graph'];
  return matches.entityIds.has(id) ? ['keyword', 'entity'] : ['keyword'];
}
