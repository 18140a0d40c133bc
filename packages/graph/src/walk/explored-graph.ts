import type { ResolvedWalkOptions } from './options.js';

/** One step from a chunk to another. */
export interface Step {
  id: number;
  /** The heaviest edge to it. */
  weight: number;
}

/** What a walk has to know of a chunk. */
export interface WalkChunk {
  id: number;
  relevance: number;
  tokens: number;
  session: string | number | undefined;
}

/** Steps tried from one chunk, heaviest first: a hub with thousands of edges would use up the whole walk. */
const MAX_FAN_OUT = 64;

/**
 * The part of the graph that a walk has seen. Asks the caller once per hop level for edges and for chunk data, and
 * never twice for the same chunk.
 */
export class ExploredGraph {
  private readonly chunks = new Map<number, WalkChunk>();
  private readonly stepsOf = new Map<number, Step[]>();

  constructor(private readonly options: ResolvedWalkOptions) {}

  /** The chunk if the walk may use it: known, with a token count that fits the whole budget. */
  chunk(id: number): WalkChunk | undefined {
    const chunk = this.chunks.get(id);
    return chunk && chunk.tokens <= this.options.budgetTokens ? chunk : undefined;
  }

  /** Steps from `id`; empty before {@link explore} was called with it. */
  steps(id: number): readonly Step[] {
    return this.stepsOf.get(id) ?? [];
  }

  /** @param knownScores relevance that need not be asked for */
  load(ids: Iterable<number>, knownScores?: ReadonlyMap<number, number>): void {
    const fresh = [...new Set(ids)].filter((id) => !this.chunks.has(id));
    if (fresh.length === 0) return;
    const { relevance, tokensOf, sessionsOf } = this.options;
    const tokens = tokensOf(fresh);
    const sessions = sessionsOf(fresh);
    const scores = knownScores ? fresh.map((id) => knownScores.get(id)!) : relevance(fresh);
    fresh.forEach((id, i) => {
      // NaN and a missing score both mean no relevance.
      const relevance = scores[i] || 0;
      this.chunks.set(id, { id, relevance, tokens: tokens[i] ?? NaN, session: sessions[i] });
    });
  }

  /** Loads the steps from `ids`, and the chunks they lead to. */
  explore(ids: Iterable<number>): void {
    const fresh = [...new Set(ids)].filter((id) => !this.stepsOf.has(id));
    if (fresh.length === 0) return;
    const found = this.readSteps(fresh);
    const targets: number[] = [];
    for (const [id, steps] of found) {
      const kept = heaviestFirst(steps);
      this.stepsOf.set(id, kept);
      for (const step of kept) targets.push(step.id);
    }
    this.load(targets);
  }

  private readSteps(ids: readonly number[]): Map<number, Step[]> {
    const { neighbours, direction } = this.options;
    const found = new Map<number, Step[]>(ids.map((id) => [id, []]));
    for (const { from, to, weight } of neighbours(ids, direction)) {
      const backward = direction === 'backward';
      if (from !== to) found.get(backward ? to : from)?.push({ id: backward ? from : to, weight });
    }
    return found;
  }
}

/** Each target once, with its heaviest edge. */
function heaviestFirst(steps: Step[]): Step[] {
  steps.sort((a, b) => b.weight - a.weight || a.id - b.id);
  const kept = new Map<number, Step>();
  for (const step of steps) {
    if (kept.size === MAX_FAN_OUT) break;
    if (!kept.has(step.id)) kept.set(step.id, step);
  }
  return [...kept.values()];
}
