import { searchPaths, type PathNode } from './beam-search.js';
import { WALK_FAILURES, type WalkDiagnostics, type WalkFailure } from './diagnostics.js';
import { ExploredGraph, type WalkChunk } from './explored-graph.js';
import { resolveOptions, type ResolvedWalkOptions, type Seed, type WalkOptions } from './options.js';
import { MIN_CHAIN_LENGTH, selectChains, type Chain } from './select-chains.js';

export interface WalkResult {
  /** Best first; chunks within a chain from the earliest to the latest. No chunk occurs twice. */
  chains: Chain[];
  diagnostics: WalkDiagnostics;
}

/**
 * Unfolds seeds into ordered episodes along causal edges (specification 000, `recall` and `predict`).
 *
 * A bounded search follows several paths from every seed. Each chunk is scored by its own relevance, decayed by its
 * hops and never multiplied along the path; chains are ranked by aggregate relevance per token and hold at least
 * two chunks. Equal input gives equal output. Synchronous, like the storage it is given.
 * @throws InvalidArgumentError for options out of range
 */
export function walkChains(options: WalkOptions): WalkResult {
  const resolved = resolveOptions(options);
  const graph = new ExploredGraph(resolved);
  const seeds = usableSeeds(resolved.seeds, graph);
  const paths = searchPaths(seeds, graph, resolved);
  const chains = selectChains(paths, resolved);
  const attempted = seeds.some((seed) => graph.steps(seed.id).length > 0) ? paths : [];
  return { chains, diagnostics: diagnose(resolved, seeds, attempted, chains) };
}

/** Seeds by score, each once, that exist and fit the budget. */
function usableSeeds(seeds: readonly Seed[], graph: ExploredGraph): WalkChunk[] {
  const ranked = seeds.toSorted((a, b) => b.score - a.score || a.id - b.id);
  const scores = new Map(ranked.toReversed().map((seed) => [seed.id, seed.score]));
  const ids = [...new Set(ranked.map((seed) => seed.id))];
  graph.load(ids, scores);
  return ids.map((id) => graph.chunk(id)).filter((chunk) => chunk !== undefined);
}

function diagnose(
  { searchFound }: ResolvedWalkOptions,
  seeds: readonly WalkChunk[],
  attempted: readonly PathNode[][],
  chains: readonly Chain[],
): WalkDiagnostics {
  const lengths = longestPerSeed(attempted);
  const reason = chains.length > 0 ? null : failure(searchFound, seeds.length, lengths);
  return { searchFound, seeds: seeds.length, chainsAttempted: lengths.length, lengths, reason };
}

/** Chunks in the longest path of each seed, the longest first. */
function longestPerSeed(paths: readonly PathNode[][]): number[] {
  // Shorter paths end first: the last of a seed is its longest.
  const longest = new Map(paths.map((path) => [path[0]!.chunk.id, path.length]));
  return [...longest.values()].sort((a, b) => b - a);
}

function failure(searchFound: number, seeds: number, lengths: readonly number[]): WalkFailure {
  if (searchFound === 0) return WALK_FAILURES.noMatch;
  if (seeds === 0) return WALK_FAILURES.noSeed;
  if (lengths.length === 0) return WALK_FAILURES.noEdges;
  return lengths[0]! < MIN_CHAIN_LENGTH ? WALK_FAILURES.tooShort : WALK_FAILURES.belowThreshold;
}
