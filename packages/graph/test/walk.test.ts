import { InvalidArgumentError } from '@causantic/domain';
import { describe, expect, it } from 'vitest';
import {
  BACKWARD_DECAY,
  createEdge,
  FORWARD_DECAY,
  formatWalkDiagnostics,
  rangeSettings,
  WALK_FAILURES,
  walkChains,
  type Edge,
  type WalkDirection,
  type WalkOptions,
} from '../src/index.js';

interface Given extends Partial<WalkOptions> {
  /** `1>2` or, with a type, `1>2 file-path`. */
  arrows?: string[];
  scores?: Record<number, number>;
  tokens?: Record<number, number>;
  sessions?: Record<number, string>;
}

function edge(arrow: string): Edge {
  const [ends, type = 'adjacent'] = arrow.split(' ');
  const [from, to] = ends!.split('>').map(Number);
  return createEdge(type as Edge['type'], from!, to!);
}

/** Walks backward from chunk 9 unless told otherwise; chunks have relevance 0.5, 100 tokens and session `s`. */
function walk({ arrows = [], scores = {}, tokens = {}, sessions = {}, ...options }: Given) {
  const edges = arrows.map(edge);
  return walkChains({
    seeds: [{ id: 9, score: 0.9 }],
    direction: 'backward',
    neighbours: (ids, direction) =>
      edges.filter((e) => ids.includes(direction === 'backward' ? e.to : e.from)),
    relevance: (ids) => ids.map((id) => scores[id] ?? 0.5),
    tokensOf: (ids) => ids.map((id) => tokens[id] ?? 100),
    sessionsOf: (ids) => ids.map((id) => sessions[id] ?? 's'),
    budgetTokens: 20_000,
    ...options,
  });
}

function chainIds(given: Given): number[][] {
  return walk(given).chains.map((chain) => chain.ids);
}

/** Arrows of a straight line `first>…>last`. */
function line(first: number, last: number): string[] {
  return Array.from({ length: last - first }, (_, i) => `${first + i}>${first + i + 1}`);
}

describe('walking', () => {
  it('goes backward from the seed and tells the chain from the earliest on', () => {
    expect(chainIds({ arrows: ['7>8', '8>9', '9>10'] })).toEqual([[7, 8, 9]]);
  });

  it('goes forward from the seed', () => {
    expect(chainIds({ arrows: ['8>9', '9>10', '10>11'], direction: 'forward' })).toEqual([[9, 10, 11]]);
  });

  it('ends where its paths do, however far its decay reaches', () => {
    const decay = { holdHops: 0, diesAtHops: Number.MAX_SAFE_INTEGER };
    expect(chainIds({ arrows: ['8>9'], decay })).toEqual([[8, 9]]);
  });

  it('sums decayed relevance without multiplying along the path', () => {
    const [chain] = walk({ arrows: ['7>8', '8>9'], scores: { 8: 0.5, 7: 0.75 } }).chains;
    expect(chain).toMatchObject({ seedId: 9, tokens: 300 });
    expect(chain!.score).toBeCloseTo(0.9 + 0.5 * 0.9 + 0.75 * 0.8, 12);
    expect(chain!.scorePerToken).toBeCloseTo(chain!.score / 300, 12);
  });

  it('goes through a chunk of little relevance to a relevant one', () => {
    expect(chainIds({ arrows: ['7>8', '8>9'], scores: { 8: 0.01, 7: 0.9 } })).toEqual([[7, 8, 9]]);
  });

  it('stops at the last chunk that has to do with the query', () => {
    expect(chainIds({ arrows: line(5, 9), scores: { 5: 0.01, 6: 0.02, 7: 0.9, 8: 0.9 } })).toEqual([
      [7, 8, 9],
    ]);
    // 0.5 after two hops, and 0.5 and 0.45 on average, are just enough.
    expect(chainIds({ arrows: line(7, 9), qualifyingThreshold: 0.4 })).toEqual([[7, 8, 9]]);
    const seeds = [{ id: 9, score: 0.5 }];
    expect(chainIds({ arrows: ['8>9'], seeds, qualifyingThreshold: 0.475 })).toEqual([[8, 9]]);
  });

  it.each([
    ['backward', 10],
    ['forward', 20],
  ] as [WalkDirection, number][])('%s dies at %i hops', (direction, chunks) => {
    const options = { direction, arrows: line(1, 60), seeds: [{ id: 30, score: 1 }], qualifyingThreshold: 0 };
    expect(chainIds(options)[0]).toHaveLength(chunks);
    expect(chainIds({ ...options, decay: { holdHops: 0, diesAtHops: 5 } })[0]).toHaveLength(5);
  });

  it('prefers the continuation with more relevance, and at equal relevance the heavier edge', () => {
    const fork = { arrows: ['7>9', '8>9 file-path'], beamWidth: 1 };
    expect(chainIds(fork)).toEqual([[8, 9]]);
    expect(chainIds({ ...fork, scores: { 7: 0.95 } })).toEqual([[7, 9]]);
    expect(chainIds({ arrows: ['7>9', '7>9 file-path', '8>9 topic'], beamWidth: 1 })).toEqual([[7, 9]]);
  });

  it('takes the more promising of two ways to a chunk', () => {
    const ways = ['7>9', '8>9', '5>7'];
    expect(chainIds({ arrows: [...ways, '5>8'], scores: { 7: 0.9 } })).toEqual([[5, 7, 9]]);
    expect(chainIds({ arrows: [...ways, '5>8 file-path'] })).toEqual([[5, 8, 9]]);
    // As promising, the one over the chunk that was there first.
    expect(chainIds({ arrows: [...ways, '5>8'] })).toEqual([[5, 7, 9]]);
  });

  it('follows as many ways from a seed as the beam is wide, the most promising', () => {
    const ways = { arrows: ['6>9', '7>9', '8>9', '3>6'], scores: { 6: 0.4, 3: 1 } };
    expect(chainIds(ways).flat()).not.toContain(3);
    expect(chainIds({ ...ways, beamWidth: 3 })[0]).toEqual([3, 6, 9]);
  });

  it('tries the 64 heaviest edges of a hub, of equals those to the lower ids, in whichever order they come', () => {
    const hub = Array.from({ length: 80 }, (_, i) => `${i + 100}>9`);
    const toldOf = (relevant: number) =>
      chainIds({ arrows: hub.toReversed(), scores: { [relevant]: 0.9 } })[0];
    expect(toldOf(163)).toEqual([163, 9]);
    expect(toldOf(164)).not.toContain(164);
    const heavier = { arrows: [...hub, '179>9 file-path'], scores: { 179: 0.9 } };
    expect(chainIds(heavier)[0]).toEqual([179, 9]);
  });

  it('survives cycles and repeated edges', () => {
    const arrows = ['8>9', '9>8', '8>9 file-path', '9>9', '7>8', '9>7'];
    expect(chainIds({ arrows })).toEqual([[7, 8, 9]]);
  });

  it('takes a relevance that is no number for none, and the best of several scores of a seed', () => {
    const [chain] = walk({
      arrows: ['7>8', '8>9'],
      scores: { 8: NaN, 7: 0.5 },
      seeds: [0.2, 0.9, 0.3].map((score) => ({ id: 9, score })),
    }).chains;
    expect(chain).toMatchObject({ ids: [7, 8, 9] });
    expect(chain!.score).toBeCloseTo(0.9 + 0 + 0.5 * 0.8, 12);
  });

  it('uses no chunk that is gone', () => {
    expect(chainIds({ arrows: ['7>9', '8>9'], tokens: { 8: NaN } })).toEqual([[7, 9]]);
  });
});

describe('ranges', () => {
  const crossing = { arrows: ['7>8', '8>9'], sessions: { 7: 'earlier' } };

  it('short stays within the session, long and none cross it', () => {
    expect(chainIds({ ...crossing, ...rangeSettings('short') })).toEqual([[8, 9]]);
    expect(chainIds({ ...crossing, ...rangeSettings('long') })).toEqual([[7, 8, 9]]);
    expect(chainIds({ ...crossing, ...rangeSettings() })).toEqual([[7, 8, 9]]);
  });

  it('has the curves of the specification', () => {
    expect(rangeSettings('short').decay).toEqual(BACKWARD_DECAY);
    expect(rangeSettings('long').decay).toEqual(FORWARD_DECAY);
  });
});

describe('choosing chains', () => {
  it('ranks by relevance per token, not by sum', () => {
    const arrows = ['1>2', '3>4', '4>5'];
    const seeds = [
      { id: 2, score: 0.9 },
      { id: 5, score: 0.9 },
    ];
    expect(chainIds({ arrows, seeds, tokens: { 3: 900, 4: 900 }, scores: { 1: 0.5 } })).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it('ranks a path as a whole, not by its dense beginning', () => {
    const seeds = [
      { id: 3, score: 0.9 },
      { id: 5, score: 0.8 },
    ];
    const scores = { 1: 0.5, 2: 0.9, 4: 0.8 };
    expect(chainIds({ arrows: ['1>2', '2>3', '4>5'], seeds, scores, tokens: { 1: 900 } })[0]).toEqual([4, 5]);
  });

  it('takes the lower seed first where two tell equally much, in whichever order they come', () => {
    const seeds = [2, 4, 6].map((id) => ({ id, score: 0.9 }));
    const arrows = ['1>2', '3>4', '5>6'];
    for (const given of [seeds, seeds.toReversed()]) {
      expect(chainIds({ arrows, seeds: given, maxChains: 2 })).toEqual([
        [1, 2],
        [3, 4],
      ]);
    }
  });

  it('tells the story rather than the short cut', () => {
    expect(chainIds({ arrows: ['7>9 file-path', '7>8', '8>9'] })).toEqual([[7, 8, 9]]);
  });

  it('does not let tiny chunks win by their size alone', () => {
    const seeds = [
      { id: 2, score: 0.2 },
      { id: 4, score: 0.9 },
    ];
    const tokens = { 1: 3, 2: 3 };
    expect(chainIds({ arrows: ['1>2', '3>4'], seeds, tokens, scores: { 1: 0.2 } })[0]).toEqual([3, 4]);
  });

  it('ends a chain where it meets one that was chosen before', () => {
    const seeds = [
      { id: 5, score: 0.9 },
      { id: 7, score: 0.4 },
    ];
    expect(chainIds({ arrows: line(3, 7), seeds })).toEqual([
      [3, 4, 5],
      [6, 7],
    ]);
  });

  it('returns at most maxChains, five if not told', () => {
    const seeds = [2, 4, 6, 8, 10, 12].map((id) => ({ id, score: 0.9 }));
    const arrows = seeds.map(({ id }) => `${id - 1}>${id}`);
    expect(chainIds({ arrows, seeds, maxChains: 2 })).toHaveLength(2);
    expect(chainIds({ arrows, seeds })).toHaveLength(5);
  });

  it('tells no chain that is less than a tenth relevant on average', () => {
    const seeds = [{ id: 9, score: 0.11 }];
    expect(chainIds({ arrows: ['8>9'], seeds, scores: { 8: 0.11 } })).toEqual([[8, 9]]);
    expect(chainIds({ arrows: ['8>9'], seeds, scores: { 8: 0.05 } })).toEqual([]);
  });

  it('keeps whole chunks within the budget and leaves out those that do not fit', () => {
    const arrows = line(6, 9);
    expect(chainIds({ arrows, tokens: { 8: 250 }, budgetTokens: 300 })).toEqual([[6, 7, 9]]);
    expect(chainIds({ arrows, budgetTokens: 250 })).toEqual([[8, 9]]);
  });

  it('walks through nothing that exceeds the whole budget', () => {
    expect(chainIds({ arrows: line(6, 9), tokens: { 8: 20_001 } })).toEqual([]);
  });
});

describe('diagnostics', () => {
  it.each([
    ['noMatch', { seeds: [] }],
    ['noSeed', { seeds: [], searchFound: 5 }],
    ['noSeed', { tokens: { 9: 20_001 }, arrows: ['8>9'] }],
    ['noEdges', { tokens: { 9: 20_000 } }],
    ['noEdges', { arrows: [] }],
    ['noEdges', { arrows: ['9>10'] }],
    ['noEdges', { arrows: ['9>9'] }],
    ['noEdges', { arrows: ['8>9'], decay: { holdHops: 0, diesAtHops: 1 } }],
    ['tooShort', { arrows: ['8>9'], tokens: { 8: NaN } }],
    ['tooShort', { arrows: ['8>9'], sessions: { 8: 'other' }, crossSessions: false }],
    ['belowThreshold', { arrows: ['8>9'], qualifyingThreshold: 0.8 }],
    [
      'belowThreshold',
      { arrows: ['8>9'], seeds: [{ id: 9, score: 0 }], scores: { 8: 0 }, qualifyingThreshold: 0 },
    ],
    ['belowThreshold', { arrows: ['8>9'], budgetTokens: 150 }],
  ] as [keyof typeof WALK_FAILURES, Given][])('%s for %j', (reason, given) => {
    const { chains, diagnostics } = walk(given);
    expect(chains).toEqual([]);
    expect(diagnostics.reason).toBe(WALK_FAILURES[reason]);
  });

  it('says the reasons word for word', () => {
    expect(Object.values(WALK_FAILURES)).toEqual([
      'No matching chunks in memory',
      'Search found chunks but none suitable as chain seeds',
      'No edges found from seed chunks',
      'All chains had only 1 chunk (minimum 2 required)',
      'No chain met the qualifying threshold',
    ]);
  });

  it('writes the bracket of the specification', () => {
    const seeds = [1, 2, 3].map((id) => ({ id, score: 0.5 }));
    expect(formatWalkDiagnostics(walk({ seeds, searchFound: 5 }).diagnostics)).toBe(
      '[Chain walk: fell back to search — No edges found from seed chunks. ' +
        'Search found 5 chunks, 3 seeds, 0 chain(s) attempted, lengths: none]',
    );
  });

  it('counts the longest path of each seed', () => {
    const seeds = [4, 6, 8].map((id) => ({ id, score: 0.5 }));
    const { diagnostics } = walk({ arrows: ['1>4', '2>4', '3>2', '5>6'], seeds, qualifyingThreshold: 0.99 });
    expect(diagnostics).toMatchObject({ searchFound: 3, seeds: 3, chainsAttempted: 3, lengths: [3, 2, 1] });
    expect(formatWalkDiagnostics(diagnostics)).toContain('3 chain(s) attempted, lengths: 3, 2, 1]');
  });

  it('shortens a long list of lengths', () => {
    const diagnostics = {
      ...walk({ arrows: ['8>9'], qualifyingThreshold: 0.99 }).diagnostics,
      lengths: Array(12).fill(2),
    };
    expect(formatWalkDiagnostics(diagnostics)).toContain('lengths: 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, …]');
    const ten = { ...diagnostics, lengths: Array(10).fill(2) };
    expect(formatWalkDiagnostics(ten)).toContain('lengths: 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]');
  });

  it('says nothing when there is a chain', () => {
    const { diagnostics } = walk({ arrows: ['8>9'] });
    expect(diagnostics.reason).toBeNull();
    expect(formatWalkDiagnostics(diagnostics)).toBe('');
  });
});

describe('misuse', () => {
  it.each([
    { budgetTokens: -1 },
    { budgetTokens: NaN },
    { beamWidth: 0 },
    { maxChains: 0 },
    { decay: { holdHops: 3, diesAtHops: 2 } },
  ])('refuses %j', (options) => {
    expect(() => walk(options)).toThrow(InvalidArgumentError);
  });
});
