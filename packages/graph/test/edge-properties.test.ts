import { describe, expect, it } from 'vitest';
import {
  adjacentEdges,
  agentEdges,
  chunkClocks,
  compareClocks,
  compareTimelinePoints,
  diffEdges,
  edgeKey,
  filePathEdges,
  hopDistance,
  type CountedChunk,
  type Edge,
} from '../src/index.js';
import { chunk, keys, randomSessions, timelinePoints, type PlacedChunk } from './chunk-fixtures.js';
import { forSeeds, type SeededRandom } from '../../../test/seeded-random.js';

/** A stored graph that is fed piece by piece, as ingestion does. */
class StoredGraph {
  readonly chunks = new Map<number, PlacedChunk>();
  readonly edges = new Map<string, Edge>();

  /** Adds a piece of one session and updates what this changes. */
  add(piece: readonly PlacedChunk[]): void {
    for (const facts of piece) this.chunks.set(facts.id, facts);
    this.#relink(piece.map((facts) => facts.sessionId));
    this.#relinkFiles();
  }

  remove(ids: readonly number[]): void {
    const sessions = ids.map((id) => this.chunks.get(id)!.sessionId);
    for (const id of ids) this.chunks.delete(id);
    for (const [key, { from, to }] of this.edges)
      if (ids.includes(from) || ids.includes(to)) this.edges.delete(key);
    this.#relink(sessions);
    this.#relinkFiles();
  }

  #relink(sessionIds: readonly string[]): void {
    const facts = [...this.chunks.values()].filter((one) => sessionIds.includes(one.sessionId));
    const ids = new Set(facts.map((one) => one.id));
    const stored = [...this.edges.values()].filter((edge) => edge.type === 'adjacent' && ids.has(edge.from));
    this.#apply(diffEdges(stored, adjacentEdges(facts)));
  }

  #relinkFiles(): void {
    const stored = [...this.edges.values()].filter((edge) => edge.type === 'file-path');
    this.#apply(diffEdges(stored, filePathEdges(timelinePoints(this.chunks.values()))));
  }

  #apply({ add, remove }: { add: Edge[]; remove: Edge[] }): void {
    for (const edge of remove) expect(this.edges.delete(edgeKey(edge))).toBe(true);
    for (const edge of add) {
      expect(this.edges.has(edgeKey(edge))).toBe(false);
      this.edges.set(edgeKey(edge), edge);
    }
  }
}

function inPieces(random: SeededRandom, session: readonly PlacedChunk[]): PlacedChunk[][] {
  const pieces: PlacedChunk[][] = [];
  for (let start = 0; start < session.length;) {
    const end = start + 1 + random.below(6);
    pieces.push(session.slice(start, end));
    start = end;
  }
  return pieces;
}

/** Sessions in any order, their pieces interleaved, each session's pieces in order. */
function interleaved(random: SeededRandom, sessions: readonly PlacedChunk[][]): PlacedChunk[][] {
  const queues = sessions.map((session) => inPieces(random, session));
  const order: PlacedChunk[][] = [];
  while (queues.some((queue) => queue.length > 0)) {
    order.push(random.pick(queues.filter((queue) => queue.length > 0)).shift()!);
  }
  return order;
}

function allEdges(chunks: readonly PlacedChunk[]): string[] {
  return keys([...adjacentEdges(chunks), ...filePathEdges(timelinePoints(chunks))]);
}

describe('properties of edge building', () => {
  it('gives the same edges for every order and every cutting of ingestion, and again when repeated', () => {
    forSeeds(40, (random) => {
      const sessions = randomSessions(random, 5);
      const graph = new StoredGraph();
      for (const piece of interleaved(random, sessions)) graph.add(piece);
      expect(keys(graph.edges.values())).toEqual(allEdges(sessions.flat()));
      for (const session of random.shuffle(sessions)) graph.add(session);
      expect(keys(graph.edges.values())).toEqual(allEdges(sessions.flat()));
    });
  });

  it('gives the same edges whatever row ids the chunks got', () => {
    forSeeds(40, (random) => {
      const chunks = randomSessions(random, 6).flat();
      const ids = random.shuffle(chunks.map((facts) => facts.id));
      const renumbered = chunks.map((facts, i) => ({ ...facts, id: ids[i]! }));
      const named = (from: readonly PlacedChunk[]) => {
        const names = new Map(from.map((facts) => [facts.id, `${facts.sessionId}/${facts.position}`]));
        const edges = filePathEdges(timelinePoints(from));
        return edges.map((edge) => `${names.get(edge.from)}>${names.get(edge.to)}`).sort();
      };
      expect(named(renumbered)).toEqual(named(chunks));
    });
  });

  it('closes the gap that removed chunks leave', () => {
    forSeeds(40, (random) => {
      const sessions = randomSessions(random, 4);
      const graph = new StoredGraph();
      for (const session of sessions) graph.add(session);
      // From the end of a stream, as when the last turns of a grown transcript are read anew.
      const removed = random.pick(sessions).slice(-1 - random.below(4));
      graph.remove(removed.map((facts) => facts.id));
      expect(keys(graph.edges.values())).toEqual(
        allEdges(sessions.flat().filter((facts) => !removed.includes(facts))),
      );
    });
  });

  it('leads from earlier to later, one to one in a stream and for a file, never all pairs', () => {
    forSeeds(60, (random) => {
      const chunks = randomSessions(random, 6).flat();
      const points = new Map(timelinePoints(chunks).map((point) => [point.id, point]));
      const adjacent = adjacentEdges(chunks);
      expect(new Set(adjacent.map((edge) => edge.from)).size).toBe(adjacent.length);
      expect(new Set(adjacent.map((edge) => edge.to)).size).toBe(adjacent.length);
      const filePath = filePathEdges([...points.values()]);
      for (const { from, to } of [...adjacent, ...filePath]) {
        expect(compareTimelinePoints(points.get(from)!, points.get(to)!)).toBeLessThan(0);
      }
      for (const { id, files } of points.values()) {
        expect(filePath.filter((edge) => edge.from === id).length).toBeLessThanOrEqual(files.length);
        expect(filePath.filter((edge) => edge.to === id).length).toBeLessThanOrEqual(files.length);
      }
    });
  });
});

/** A session of the main agent and sub-agents, each chunk with the clock of its stream, and its agents' runs. */
function clockedSession(random: SeededRandom) {
  const chunks: PlacedChunk[] = [];
  const counted: CountedChunk[] = [];
  const put = (agentId: string | null, turn: number, prompts = 0): number => {
    const id = chunks.length + 1;
    chunks.push(chunk(id, { agentId, turn }));
    counted.push({ id, agentId, prompts, cycles: 1 + random.below(2) });
    return id;
  };
  const runs = Array.from({ length: 6 }, (_, turn) => {
    const spawnChunkId = put(null, turn, 1);
    const agentId = `a${turn}`;
    let lastChunkId: number | null = null;
    for (let i = random.below(4); i > 0; i--) {
      const id = put(agentId, turn);
      if (lastChunkId === null || random.next() < 0.7) lastChunkId = id;
      if (random.next() < 0.5) put(null, turn);
    }
    const resultChunkId = put(null, turn);
    return { sessionId: 's1', agentId, team: false, spawnChunkId, lastChunkId, resultChunkId };
  });
  return { chunks, runs, clockAt: chunkClocks(counted, runs) };
}

describe('clocks along edges', () => {
  it('are monotone along adjacent, brief and debrief edges, and so along every chain of them', () => {
    forSeeds(60, (random) => {
      const { chunks, runs, clockAt } = clockedSession(random);
      const edges = [...adjacentEdges(chunks), ...agentEdges({ chunks, runs })];
      expect(edges.length).toBeGreaterThan(chunks.length - 7);
      for (const { from, to } of edges) {
        expect(compareClocks(clockAt.get(from)!, clockAt.get(to)!)).toBe('before');
        expect(hopDistance(clockAt.get(from)!, clockAt.get(to)!)).toBeGreaterThanOrEqual(0);
      }
    });
  });
});
