import { groupBy } from '@causantic/domain';
import { HUMAN_STREAM, MAIN_STREAM, mergeClocks, streamOf, tick, type VectorClock } from './clock.js';

/** A chunk of one session, for the clocks. */
export interface CountedChunk {
  id: number;
  agentId: string | null;
  /** Prompts of a person that begin in it. */
  prompts: number;
  /** Answers and tool calls that begin in it. */
  cycles: number;
}

/** Between which chunks of the session a sub-agent ran. */
export interface ClockedRun {
  agentId: string;
  spawnChunkId: number | null;
  /** With which its report ends. */
  lastChunkId: number | null;
  resultChunkId: number | null;
}

/** Of more agents' work nobody is told: each of the later chunks would have a count for every one of them. */
const MOST_AGENTS_TOLD = 100;

/**
 * The vector clock of each chunk of a session, after the chunk's last event. A sub-agent starts with its parent's clock,
 * and the parent knows what the sub-agent did for its report from the chunk that holds the result. In a session of more
 * than a hundred agents each stream knows of itself, the person and the main agent alone.
 *
 * @param chunks in order within each stream; across streams only the runs count, since clocks of machines may differ
 */
export function chunkClocks(
  chunks: readonly CountedChunk[],
  runs: readonly ClockedRun[],
): Map<number, VectorClock> {
  const byId = new Map<number, VectorClock>();
  const spawnedAt = groupBy(runs, ({ spawnChunkId }) => spawnChunkId);
  const returnedAt = groupBy(runs, ({ resultChunkId }) => resultChunkId);
  const clocks = new Map<string, VectorClock>();
  const clockOf = (stream: string): VectorClock => clocks.get(stream) ?? {};
  const count = (stream: string, cycles: number) => clocks.set(stream, tick(clockOf(stream), stream, cycles));
  const told = runs.length > MOST_AGENTS_TOLD ? ofPersonAndMain : (known: VectorClock) => known;
  const tell = (known: VectorClock, to: string) => clocks.set(to, mergeClocks(clockOf(to), told(known)));
  for (const chunk of causalOrder(chunks, runs)) {
    const stream = streamOf(chunk.agentId);
    for (const { lastChunkId } of returnedAt.get(chunk.id) ?? []) tell(byId.get(lastChunkId!) ?? {}, stream);
    if (chunk.prompts > 0) {
      count(HUMAN_STREAM, chunk.prompts);
      tell(clockOf(HUMAN_STREAM), stream);
    }
    count(stream, chunk.cycles);
    for (const { agentId } of spawnedAt.get(chunk.id) ?? []) tell(clockOf(stream), streamOf(agentId));
    byId.set(chunk.id, clockOf(stream));
  }
  return byId;
}

function ofPersonAndMain({ [HUMAN_STREAM]: human = 0, [MAIN_STREAM]: main = 0 }: VectorClock): VectorClock {
  return { [HUMAN_STREAM]: human, [MAIN_STREAM]: main };
}

/** Orders the chunks so that each follows those it knows of; if the runs contradict each other, the given order decides. */
function causalOrder(chunks: readonly CountedChunk[], runs: readonly ClockedRun[]): CountedChunk[] {
  const before = knownBefore(chunks, runs);
  const byId = new Map(chunks.map((chunk) => [chunk.id, chunk]));
  const seen = new Set<number>();
  const order: CountedChunk[] = [];
  for (const { id } of chunks) if (!seen.has(id)) visit(id);
  return order;

  function visit(start: number): void {
    const path = [start];
    while (path.length > 0) {
      const id = path.at(-1)!;
      seen.add(id);
      const next = (before.get(id) ?? []).find(({ known }) => !seen.has(known));
      if (next === undefined) order.push(byId.get(path.pop()!)!);
      else path.push(next.known);
    }
  }
}

/** The chunks that a chunk directly follows: its predecessor, its agent's start, the ends of agents it hears of. */
function knownBefore(chunks: readonly CountedChunk[], runs: readonly ClockedRun[]) {
  const before: { id: number; known: number }[] = [];
  const add = (id: number, known: number) => before.push({ id, known });
  const streams = groupBy(chunks, ({ agentId }) => streamOf(agentId));
  for (const stream of streams.values())
    for (let at = 1; at < stream.length; at++) add(stream[at]!.id, stream[at - 1]!.id);
  const known = new Set<number | null>(chunks.map(({ id }) => id));
  const isKnown = (id: number | null): id is number => known.has(id);
  for (const { agentId, spawnChunkId, lastChunkId, resultChunkId } of runs) {
    const [first] = streams.get(streamOf(agentId)) ?? [];
    if (first && isKnown(spawnChunkId)) add(first.id, spawnChunkId);
    if (isKnown(lastChunkId) && isKnown(resultChunkId)) add(resultChunkId, lastChunkId);
  }
  return groupBy(before, ({ id }) => id);
}
