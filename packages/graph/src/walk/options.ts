import { InvalidArgumentError } from '@causantic/domain';
import { assertDecayCurve, BACKWARD_DECAY, FORWARD_DECAY, lastLivingHop, type DecayCurve } from '../decay.js';
import type { Edge } from '../edges/edge.js';

/** `backward` follows edges from `to` to `from`, towards the causes; `forward` towards what came of it. */
export type WalkDirection = 'backward' | 'forward';

/** A chunk that search found; `score` on the same scale as `relevance`. */
export interface Seed {
  id: number;
  score: number;
}

export interface WalkOptions {
  /** Where to start: the best search results. Few are better (docs/decisions/0053), more where chains are joined (0055). */
  seeds: readonly Seed[];
  /** How many chunks the search found, for the diagnostics. Default: the number of seeds. */
  searchFound?: number;
  direction: WalkDirection;
  /**
   * Edges that end (`backward`) or start (`forward`) at any of `ids`, in any order. Called at most once for each
   * hop level, never twice for one chunk.
   */
  neighbours: (ids: readonly number[], direction: WalkDirection) => Iterable<Edge>;
  /** Relevance of each chunk to the query, in the order of `ids`, in [0, 1] such as a cosine; NaN counts as 0. */
  relevance: (ids: readonly number[]) => ArrayLike<number>;
  /** Tokens of each chunk, in the order of `ids`; NaN for a chunk that must not be used (gone, or filtered out). */
  tokensOf: (ids: readonly number[]) => ArrayLike<number>;
  /** Session of each chunk, in the order of `ids`. */
  sessionsOf: (ids: readonly number[]) => ArrayLike<string | number>;
  /** Upper bound on the tokens of all returned chains together. */
  budgetTokens: number;
  /** Default: backward 1 − hops/10; forward 1.0 for 5 hops, then to 0 at 20. */
  decay?: DecayCurve;
  /** Whether a chain may leave the session of its seed. Default true. */
  crossSessions?: boolean;
  /** Default 5. */
  maxChains?: number;
  /** Paths kept for each seed after each hop. Default 2: more take longer and find nothing better (decision 0053). */
  beamWidth?: number;
  /** Minimum mean score of a chain's chunks; its far end is cut back to a chunk of at least this score. Default 0.1. */
  qualifyingThreshold?: number;
}

export interface ResolvedWalkOptions extends Required<WalkOptions> {
  /** Edge steps from a seed: as long as `decay` leaves weight. */
  maxHops: number;
}

/** How far `recall` and `explain` reach. */
export type WalkRange = 'short' | 'long';

/**
 * The settings of a walk by range. `short`: within the session, dead at 10 hops. `long`: across sessions, with the
 * slow curve, so that the first mention of a topic stays in reach. Without a range: the direction's own curve,
 * across agents and sessions.
 */
export function rangeSettings(range?: WalkRange): Pick<WalkOptions, 'decay' | 'crossSessions'> {
  if (range === 'short') return { decay: BACKWARD_DECAY, crossSessions: false };
  return range === 'long' ? { decay: FORWARD_DECAY } : {};
}

/** @throws InvalidArgumentError for a number out of range */
export function resolveOptions(options: WalkOptions): ResolvedWalkOptions {
  const decay = options.decay ?? (options.direction === 'backward' ? BACKWARD_DECAY : FORWARD_DECAY);
  assertDecayCurve(decay);
  const resolved = {
    searchFound: options.seeds.length,
    crossSessions: true,
    maxChains: 5,
    beamWidth: 2,
    qualifyingThreshold: 0.1,
    ...options,
    decay,
    maxHops: lastLivingHop(decay),
  };
  assertAtLeast('budgetTokens', resolved.budgetTokens, 0);
  assertAtLeast('maxChains', resolved.maxChains, 1);
  assertAtLeast('beamWidth', resolved.beamWidth, 1);
  return resolved;
}

function assertAtLeast(name: string, value: number, least: number): void {
  if (!(value >= least)) throw new InvalidArgumentError(name, value, `a number of at least ${least}`);
}
