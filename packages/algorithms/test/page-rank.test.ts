import { describe, expect, it } from 'vitest';
import { pageRank, type CsrGraph } from '../src/index.js';
import { SeededRandom } from '../../../test/seeded-random.js';

function graphOf(nodes: number, edges: readonly (readonly [number, number, number?])[]): CsrGraph {
  const sorted = [...edges].sort((a, b) => a[0] - b[0]);
  const offsets = new Int32Array(nodes + 1);
  for (const [source] of sorted) offsets[source + 1]!++;
  for (let i = 0; i < nodes; i++) offsets[i + 1]! += offsets[i]!;
  return {
    offsets,
    targets: Int32Array.from(sorted, (edge) => edge[1]),
    weights: Float64Array.from(sorted, (edge) => edge[2] ?? 1),
  };
}

function randomGraph(seed: number): CsrGraph {
  const random = new SeededRandom(seed);
  const nodes = 1 + random.below(40);
  const edges = Array.from({ length: random.below(120) }, () => {
    return [random.below(nodes), random.below(nodes), random.next() < 0.1 ? 0 : random.next()] as const;
  });
  return graphOf(nodes, edges);
}

/** Solves r = d·Mᵀr + (1 − d + d·dangling)/n by Gauss-Jordan elimination on the full transition matrix. */
function solvePageRank(graph: CsrGraph, damping: number): number[] {
  const n = graph.offsets.length - 1;
  const rows = Array.from({ length: n }, (_, i) => {
    return Array.from({ length: n + 1 }, (_, j) => (j === n ? (1 - damping) / n : i === j ? 1 : 0));
  });
  for (let u = 0; u < n; u++) {
    const edges = Array.from(
      { length: graph.offsets[u + 1]! - graph.offsets[u]! },
      (_, e) => graph.offsets[u]! + e,
    );
    const total = edges.reduce((sum, e) => sum + graph.weights[e]!, 0);
    if (total === 0) for (let v = 0; v < n; v++) rows[v]![u]! -= damping / n;
    else for (const e of edges) rows[graph.targets[e]!]![u]! -= (damping * graph.weights[e]!) / total;
  }
  for (let pivot = 0; pivot < n; pivot++) {
    for (let row = 0; row < n; row++) {
      if (row === pivot) continue;
      const factor = rows[row]![pivot]! / rows[pivot]![pivot]!;
      for (let column = pivot; column <= n; column++) rows[row]![column]! -= factor * rows[pivot]![column]!;
    }
  }
  return rows.map((row, i) => row[n]! / row[i]!);
}

describe('pageRank', () => {
  it('gives equal ranks on a ring', () => {
    const ring = graphOf(4, [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 0],
    ]);
    for (const rank of pageRank(ring)) expect(rank).toBeCloseTo(0.25, 9);
  });

  it('follows heavier edges', () => {
    const [, light, heavy] = pageRank(
      graphOf(3, [
        [0, 1, 1],
        [0, 2, 3],
        [1, 0],
        [2, 0],
      ]),
    );
    expect(heavy).toBeGreaterThan(light!);
  });

  it('gives restarts and dangling rank to the personalized nodes only', () => {
    const ranks = pageRank(
      graphOf(4, [
        [0, 1],
        [2, 3],
      ]),
      { personalization: [1, 0, 0, 0] },
    );
    expect(ranks[0]).toBeCloseTo(1 / 1.85, 8);
    expect(ranks[1]).toBeCloseTo(0.85 / 1.85, 8);
    expect([ranks[2], ranks[3]]).toEqual([0, 0]);
  });

  it('sums to 1 and equals the solution of the linear system on random graphs', () => {
    for (let seed = 0; seed < 60; seed++) {
      const graph = randomGraph(seed);
      const ranks = pageRank(graph, { tolerance: 1e-13 });
      expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 12);
      solvePageRank(graph, 0.85).forEach((rank, node) => expect(ranks[node]).toBeCloseTo(rank, 9));
    }
  });

  it('lets a node whose edges weigh little give on that much less', () => {
    const graph = graphOf(3, [
      [0, 1, 1],
      [1, 2, 4],
    ]);
    const restarting = graphOf(3, [
      [0, 1, 1],
      ...[0, 1, 2].map((node) => [0, node, 1 / 3] as const),
      [1, 2, 4],
    ]);
    const ranks = pageRank(graph, { leastWeight: 2 });
    solvePageRank(restarting, 0.85).forEach((rank, node) => expect(ranks[node]).toBeCloseTo(rank, 8));
  });

  it('comes as near to the solution as it is told to', () => {
    for (const tolerance of [1e-2, 1e-4, 1e-6]) {
      const errors = Array.from({ length: 60 }, (_, seed) => {
        const graph = randomGraph(seed);
        const ranks = pageRank(graph, { tolerance });
        const solution = solvePageRank(graph, 0.85);
        return solution.reduce((sum, rank, node) => sum + Math.abs(rank - ranks[node]!), 0) / tolerance;
      });
      expect(Math.max(...errors)).toBeLessThan((2 * 0.85) / 0.15);
    }
  });

  it('refuses sums that are no number any more', () => {
    const edges = [
      [0, 1, 1e308],
      [0, 2, 1e308],
    ] as const;
    expect(() => pageRank(graphOf(3, edges))).toThrow(RangeError);
    expect(() => pageRank(graphOf(2, []), { personalization: [1e308, 1e308] })).toThrow(RangeError);
  });

  it('takes weights that are nearly 0 for none', () => {
    const ranks = pageRank(graphOf(2, [[0, 1, 5e-324]]));
    expect([...ranks]).toEqual([0.5, 0.5].map((rank) => expect.closeTo(rank, 9)));
  });

  it('gives a node at which hardly anything begins its small rank', () => {
    expect(pageRank(graphOf(2, []), { personalization: [1, 1e-12] })[1]! * 1e12).toBeCloseTo(1, 6);
  });

  it('accepts an empty graph', () => {
    expect(pageRank(graphOf(0, []))).toHaveLength(0);
    expect(pageRank(graphOf(0, []), { personalization: [] })).toHaveLength(0);
  });

  it('rejects malformed input', () => {
    const graph = graphOf(2, [[0, 1]]);
    for (const target of [-1, 2])
      expect(() => pageRank({ ...graph, targets: new Int32Array([target]) })).toThrow(RangeError);
    for (const offsets of [[], [1, 1, 1], [0, 0, 0]])
      expect(() => pageRank({ ...graph, offsets: new Int32Array(offsets) })).toThrow(RangeError);
    const twice = { offsets: new Int32Array([0, 2, 1, 2]), targets: new Int32Array([1, 2]) };
    expect(() => pageRank({ ...twice, weights: new Float64Array(2) })).toThrow(RangeError);
    for (const weights of [[-1], [NaN], [Infinity], [1, 1]])
      expect(() => pageRank({ ...graph, weights: new Float64Array(weights) })).toThrow(RangeError);
    for (const option of ['tolerance', 'leastWeight'])
      for (const value of [-1, NaN]) expect(() => pageRank(graph, { [option]: value })).toThrow(option);
    for (const personalization of [[0, 0], [1], [1, Infinity], [1, -1], [1, NaN]])
      expect(() => pageRank(graph, { personalization })).toThrow(RangeError);
    for (const damping of [-0.1, 1]) expect(() => pageRank(graph, { damping })).toThrow(RangeError);
    expect([...pageRank(graph, { damping: 0 })]).toEqual([0.5, 0.5]);
  });
});
