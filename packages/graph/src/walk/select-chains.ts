import type { PathNode } from './beam-search.js';
import type { ResolvedWalkOptions, WalkDirection } from './options.js';

/** An episode: chunks along edges, earliest first, in whichever direction the walk went. */
export interface Chain {
  ids: number[];
  seedId: number;
  /** Sum of the decayed relevance of its chunks. */
  score: number;
  tokens: number;
  /** `score` per token, counting a minimum number of tokens for each chunk. */
  scorePerToken: number;
}

export const MIN_CHAIN_LENGTH = 2;

/**
 * In the ranking a chunk counts at least this many tokens. Otherwise "yes, go on" with a trace of relevance would
 * outrank every real episode. Assumption: chunks are cut to at least about 100 tokens.
 */
const MIN_RANKED_TOKENS = 100;

interface Candidate {
  path: readonly PathNode[];
  score: number;
  tokens: number;
  scorePerToken: number;
}

/**
 * The best chains by aggregate relevance per token that fit the budget together. They share no chunks: a chain ends
 * where it meets one chosen before it, and is ranked again by what is left of it.
 */
export function selectChains(paths: readonly PathNode[][], options: ResolvedWalkOptions): Chain[] {
  const used = new Set<number>();
  const chains: Chain[] = [];
  let budgetTokens = options.budgetTokens;
  while (chains.length < options.maxChains) {
    const best = bestOf(paths.map((path) => qualify(path, used, budgetTokens, options)));
    if (!best) break;
    for (const { chunk } of best.path) used.add(chunk.id);
    budgetTokens -= best.tokens;
    chains.push(toChain(best, options.direction));
  }
  return chains;
}

/** The part of a path that can be shown, or null if it is too short for a chain. */
function qualify(
  path: readonly PathNode[],
  used: ReadonlySet<number>,
  budgetTokens: number,
  { qualifyingThreshold }: ResolvedWalkOptions,
): Candidate | null {
  const meeting = path.findIndex((node) => used.has(node.chunk.id));
  const free = meeting < 0 ? path : path.slice(0, meeting);
  const shown = withoutWeakEnd(fitting(free, budgetTokens), qualifyingThreshold);
  if (shown.length < MIN_CHAIN_LENGTH) return null;
  const score = sum(shown, (node) => node.score);
  // Not `<`: a threshold of 0 must not let chains through that have no relevance at all.
  if (score <= 0 || score / shown.length < qualifyingThreshold) return null;
  const scorePerToken = score / sum(shown, (node) => Math.max(node.chunk.tokens, MIN_RANKED_TOKENS));
  return { path: shown, score, tokens: sum(shown, (node) => node.chunk.tokens), scorePerToken };
}

/** Whole chunks only: one that does not fit is left out, and later ones may still fit. The seed must. */
function fitting(path: readonly PathNode[], budgetTokens: number): PathNode[] {
  if (path.length === 0 || path[0]!.chunk.tokens > budgetTokens) return [];
  let left = budgetTokens;
  return path.filter(({ chunk }) => {
    if (chunk.tokens > left) return false;
    left -= chunk.tokens;
    return true;
  });
}

/** A walk continues as far as it can; the episode stops at the last chunk that is relevant to the query. */
function withoutWeakEnd(path: readonly PathNode[], threshold: number): readonly PathNode[] {
  let length = path.length;
  while (length > MIN_CHAIN_LENGTH && path[length - 1]!.score < threshold) length--;
  return path.slice(0, length);
}

function toChain({ path, score, tokens, scorePerToken }: Candidate, direction: WalkDirection): Chain {
  const ids = path.map((node) => node.chunk.id);
  const seedId = ids[0]!;
  return { ids: direction === 'backward' ? ids.reverse() : ids, seedId, score, tokens, scorePerToken };
}

/**
 * Seeds compete by their best path per token; the winner shows its path with the highest sum of scores. Showing the
 * best path per token instead would nearly always prefer a short one over the whole story, because the seed is its own
 * best chunk (docs/decisions/0053).
 */
function bestOf(candidates: readonly (Candidate | null)[]): Candidate | null {
  const qualified = candidates.filter((candidate) => candidate !== null);
  const densest = maxBy(qualified, (candidate) => candidate.scorePerToken);
  if (!densest) return null;
  const ofSameSeed = qualified.filter((candidate) => seedOf(candidate) === seedOf(densest));
  return maxBy(ofSameSeed, (candidate) => candidate.score);
}

/** The first of the largest; paths come in the order of their seeds, so ties are settled the same way each time. */
function maxBy(
  candidates: readonly Candidate[],
  valueOf: (candidate: Candidate) => number,
): Candidate | null {
  return candidates.reduce<Candidate | null>(
    (best, one) => (best && valueOf(best) >= valueOf(one) ? best : one),
    null,
  );
}

function seedOf({ path }: Candidate): number {
  return path[0]!.chunk.id;
}

function sum(path: readonly PathNode[], valueOf: (node: PathNode) => number): number {
  return path.reduce((total, node) => total + valueOf(node), 0);
}
