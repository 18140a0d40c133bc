import {
  edgeKey,
  isLinked,
  streamKey,
  type ChunkFacts,
  type Edge,
  type TimelinePoint,
} from '../src/index.js';
import type { SeededRandom } from '../../../test/seeded-random.js';

export const MINUTE_MS = 60_000;

export type PlacedChunk = ChunkFacts & Pick<TimelinePoint, 'projectId'>;

/** A dialogue chunk of the main agent in session `s1`; times in minutes are easier to read in a test. */
export function chunk(id: number, facts: Partial<PlacedChunk> & { startMin?: number } = {}): PlacedChunk {
  const { startMin = id, ...rest } = facts;
  return {
    id,
    sessionId: 's1',
    projectId: 'p1',
    agentId: null,
    turn: 0,
    position: id,
    startTimeMs: startMin * MINUTE_MS,
    endTimeMs: startMin * MINUTE_MS,
    files: [],
    kind: 'dialogue',
    ...rest,
  };
}

/** Linked chunks with the latest start time so far in their stream, as storage orders them. */
export function timelinePoints(chunks: Iterable<PlacedChunk>): TimelinePoint[] {
  const latest = new Map<string, number>();
  const linked = [...chunks].filter(isLinked).sort((a, b) => a.position - b.position);
  return linked.map((one) => {
    const orderTimeMs = Math.max(latest.get(streamKey(one)) ?? 0, one.startTimeMs ?? 0);
    latest.set(streamKey(one), orderTimeMs);
    return { ...one, orderTimeMs };
  });
}

/** Edges as `1>2`, sorted, to compare sets at a glance. */
export function arrows(edges: readonly Edge[]): string[] {
  return edges.map(({ from, to }) => `${from}>${to}`).sort();
}

export function keys(edges: Iterable<Edge>): string[] {
  return [...edges].map(edgeKey).sort();
}

const FILES = ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts'];

/** Sessions of one or two streams whose times overlap, repeat, run backwards or are missing after the first. */
export function randomSessions(random: SeededRandom, sessionCount: number): PlacedChunk[][] {
  let id = 0;
  return Array.from({ length: sessionCount }, (_, session) => {
    const chunks: PlacedChunk[] = [];
    let minute = random.below(60);
    let turn = 0;
    for (let position = 0; position < 3 + random.below(12); position++) {
      if (random.next() < 0.4) turn++;
      minute += random.pick([0, 1, 2, 40, -3]);
      const timed = position === 0 || random.next() < 0.8;
      chunks.push(
        chunk(++id, {
          sessionId: `s${session}`,
          projectId: session % 3 === 0 ? 'p2' : 'p1',
          agentId: position > 0 && random.next() < 0.2 ? 'helper' : null,
          turn,
          position,
          ...(timed ? { startMin: minute } : { startTimeMs: null, endTimeMs: null }),
          files: FILES.filter(() => random.next() < 0.25),
          kind: random.next() < 0.1 ? 'thinking' : 'dialogue',
          text: random.next() < 0.2 ? 'Now let us do something else' : 'go on',
        }),
      );
    }
    return chunks;
  });
}
