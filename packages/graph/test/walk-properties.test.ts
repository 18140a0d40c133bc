import { describe, expect, it } from 'vitest';
import {
  BACKWARD_DECAY,
  createEdge,
  decayWeight,
  walkChains,
  type Edge,
  type WalkDirection,
  type WalkOptions,
} from '../src/index.js';
import { forSeeds, type SeededRandom } from '../../../test/seeded-random.js';

function randomEdges(random: SeededRandom, chunks: number, count: number): Edge[] {
  return Array.from({ length: count }, () =>
    createEdge(random.pick(['adjacent', 'file-path', 'topic']), random.below(chunks), random.below(chunks)),
  );
}

function optionsOver(random: SeededRandom, chunks: number, edges: readonly Edge[]): WalkOptions {
  const scores = Array.from({ length: chunks }, () => random.next());
  const tokens = Array.from({ length: chunks }, () => 1 + random.below(600));
  return {
    seeds: Array.from({ length: 1 + random.below(5) }, () => random.below(chunks)).map((id) => ({
      id,
      score: scores[id]!,
    })),
    direction: random.pick<WalkDirection>(['backward', 'forward']),
    neighbours: (ids, direction) =>
      edges.filter((e) => ids.includes(direction === 'backward' ? e.to : e.from)),
    relevance: (ids) => ids.map((id) => scores[id]!),
    tokensOf: (ids) => ids.map((id) => tokens[id]!),
    sessionsOf: (ids) => ids,
    budgetTokens: random.below(5000),
    maxChains: 1 + random.below(6),
    beamWidth: 1 + random.below(6),
    qualifyingThreshold: random.next() * 0.4,
  };
}

describe('properties of walks over random graphs, cycles included', () => {
  it('never repeats a chunk, keeps the budget, has two chunks or more, and follows time', () => {
    forSeeds(300, (random) => {
      const edges = randomEdges(random, 40, random.below(120));
      const options = { ...optionsOver(random, 40, edges), budgetTokens: 3000 };
      const { chains, diagnostics } = walkChains(options);
      const ids = chains.flatMap((chain) => chain.ids);
      expect(new Set(ids).size).toBe(ids.length);
      expect(chains.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(options.budgetTokens);
      expect(chains.length).toBeLessThanOrEqual(options.maxChains!);
      expect(diagnostics.reason === null).toBe(chains.length > 0);
      for (const chain of chains) {
        expect(chain.ids.length).toBeGreaterThanOrEqual(2);
        expect(options.seeds.map((seed) => seed.id)).toContain(chain.seedId);
        expect(options.direction === 'backward' ? chain.ids.at(-1) : chain.ids[0]).toBe(chain.seedId);
        expect(chain.tokens).toBe(Array.from(options.tokensOf(chain.ids)).reduce((a, b) => a + b));
      }
    });
  });

  it('follows edges from chunk to chunk when the budget leaves nothing out', () => {
    forSeeds(200, (random) => {
      const edges = randomEdges(random, 30, 60);
      const arrows = new Set(edges.map(({ from, to }) => `${from}>${to}`));
      const { chains } = walkChains({ ...optionsOver(random, 30, edges), budgetTokens: 1e6 });
      for (const { ids } of chains) {
        for (let i = 1; i < ids.length; i++) expect(arrows.has(`${ids[i - 1]}>${ids[i]}`)).toBe(true);
      }
    });
  });

  it('does not depend on the order of edges or seeds', () => {
    forSeeds(100, (random) => {
      const edges = randomEdges(random, 30, 60);
      const options = optionsOver(random, 30, edges);
      const shuffled = random.shuffle(edges);
      const neighbours: WalkOptions['neighbours'] = (ids, direction) =>
        shuffled.filter((e) => ids.includes(direction === 'backward' ? e.to : e.from));
      expect(walkChains({ ...options, neighbours, seeds: random.shuffle(options.seeds) })).toEqual(
        walkChains(options),
      );
    });
  });

  it('asks once for each hop level, and never twice for one chunk', () => {
    forSeeds(100, (random) => {
      const options = optionsOver(random, 40, randomEdges(random, 40, 120));
      const expanded: number[] = [];
      const scored: number[] = [];
      let requests = 0;
      walkChains({
        ...options,
        direction: 'backward',
        neighbours: (ids) => {
          requests++;
          expanded.push(...ids);
          return options.neighbours(ids, 'backward');
        },
        relevance: (ids) => {
          scored.push(...ids);
          return options.relevance(ids);
        },
      });
      expect(requests).toBeLessThanOrEqual(9);
      expect(new Set(expanded).size).toBe(expanded.length);
      expect(new Set(scored).size).toBe(scored.length);
    });
  });
});

/** Every path from the root to a leaf of a tree given as parent indices, by brute force. */
function leafPaths(parents: readonly number[]): number[][] {
  const leaves = parents.map((_, id) => id).filter((id) => !parents.includes(id));
  return leaves.map((leaf) => {
    const path = [leaf];
    while (path[0] !== 0) path.unshift(parents[path[0]!]!);
    return path;
  });
}

describe('against a naive model', () => {
  it('finds the path of a tree that tells most, when the beam is wide enough', () => {
    forSeeds(200, (random) => {
      const parents = [-1, ...Array.from({ length: 14 }, (_, i) => random.below(i + 1))];
      const scores = parents.map(() => random.next());
      const naive = leafPaths(parents)
        .map((path) => path.slice(0, 10)) // dead at 10 hops
        .map((path) => ({
          path,
          score: path.reduce((sum, id, hops) => sum + scores[id]! * decayWeight(hops, BACKWARD_DECAY), 0),
        }));
      const best = naive.reduce((a, b) => (b.score > a.score ? b : a));
      const { chains } = walkChains({
        seeds: [{ id: 0, score: scores[0]! }],
        direction: 'backward',
        neighbours: (ids) =>
          parents.flatMap((to, from) => (ids.includes(to) ? [createEdge('adjacent', from, to)] : [])),
        relevance: (ids) => ids.map((id) => scores[id]!),
        tokensOf: (ids) => ids.map(() => 200),
        sessionsOf: (ids) => ids,
        budgetTokens: 1e6,
        beamWidth: 1000,
        qualifyingThreshold: 0,
      });
      expect(chains[0]!.ids.toReversed()).toEqual(best.path);
      expect(chains[0]!.scorePerToken).toBeCloseTo(best.score / (best.path.length * 200), 12);
    });
  });
});
