import { describe, expect, it } from 'vitest';
import { chunkClocks, compareClocks, type ClockedRun, type CountedChunk } from '../src/index.js';
import { forSeeds, type SeededRandom } from '../../../test/seeded-random.js';

const chunk = (id: number, agentId: string | null, prompts: number, cycles: number): CountedChunk => ({
  id,
  agentId,
  prompts,
  cycles,
});

interface Story {
  chunks: CountedChunk[];
  runs: ClockedRun[];
}

/** A main stream in which agents are started and report, each chunk with any number of events. */
function randomStory(random: SeededRandom): Story {
  const main = Array.from({ length: 3 + random.below(8) }, (_, id) =>
    chunk(id, null, random.below(2), random.below(3)),
  );
  const chunks = [...main];
  const runs: Story['runs'] = [];
  for (let agent = 0; agent < random.below(4); agent++) {
    const spawn = random.below(main.length - 1);
    const result = spawn + 1 + random.below(main.length - spawn - 1);
    const own = Array.from({ length: 1 + random.below(3) }, (_, i) =>
      chunk(100 * (agent + 1) + i, `a${agent}`, 0, 1 + random.below(3)),
    );
    chunks.push(...own);
    const lastChunkId = random.pick(own).id;
    runs.push({ agentId: `a${agent}`, spawnChunkId: spawn, lastChunkId, resultChunkId: result });
  }
  return { chunks, runs };
}

describe('the clocks of chunks', () => {
  it('a sub-agent starts with what its parent knew, and its parent learns what it did', () => {
    const chunks = [
      chunk(1, null, 1, 2),
      chunk(2, null, 0, 1),
      chunk(3, null, 1, 1),
      chunk(11, 'x', 0, 2),
      chunk(12, 'x', 0, 1),
    ];
    const clocks = chunkClocks(chunks, [
      { agentId: 'x', spawnChunkId: 1, lastChunkId: 12, resultChunkId: 3 },
    ]);
    expect(Object.fromEntries(clocks)).toEqual({
      1: { human: 1, ui: 2 },
      11: { human: 1, ui: 2, 'agent-x': 2 },
      12: { human: 1, ui: 2, 'agent-x': 3 },
      2: { human: 1, ui: 3 },
      3: { human: 2, ui: 4, 'agent-x': 3 },
    });
  });

  it.each([
    [100, 102],
    [101, 2],
  ])('after %d agents the main agent knows of %d streams', (agents, streams) => {
    const keys = Array.from({ length: agents }, (_, n) => `${n}`);
    const chunks = [
      chunk(1, null, 1, 1),
      ...keys.map((key, n) => chunk(n + 10, key, 0, 1)),
      chunk(2, null, 0, 1),
    ];
    const clocks = chunkClocks(
      chunks,
      keys.map((agentId, n) => ({ agentId, spawnChunkId: 1, lastChunkId: n + 10, resultChunkId: 2 })),
    );
    expect(clocks.get(10)).toEqual({ human: 1, ui: 1, 'agent-0': 1 });
    expect(clocks.get(2)).toMatchObject({ human: 1, ui: 2 });
    expect(Object.keys(clocks.get(2)!)).toHaveLength(streams);
  });

  it('an agent that starts agents hands on what they did', () => {
    const chunks = [chunk(1, null, 1, 1), chunk(2, null, 0, 1), chunk(11, 'x', 0, 1), chunk(12, 'x', 0, 1)];
    const inner = chunk(21, 'y', 0, 4);
    const clocks = chunkClocks(
      [inner, ...chunks],
      [
        { agentId: 'x', spawnChunkId: 1, lastChunkId: 12, resultChunkId: 2 },
        { agentId: 'y', spawnChunkId: 11, lastChunkId: 21, resultChunkId: 12 },
      ],
    );
    expect(clocks.get(2)).toEqual({ human: 1, ui: 2, 'agent-x': 2, 'agent-y': 4 });
  });

  it('of an agent that goes on after its report do not reach who has only that', () => {
    const chunks = [chunk(1, null, 1, 1), chunk(11, 'x', 0, 2), chunk(12, 'x', 0, 5), chunk(2, null, 0, 1)];
    const clocks = chunkClocks(chunks, [
      { agentId: 'x', spawnChunkId: 1, lastChunkId: 11, resultChunkId: 2 },
    ]);
    expect(clocks.get(2)).toEqual({ human: 1, ui: 2, 'agent-x': 2 });
    expect(clocks.get(12)).toEqual({ human: 1, ui: 1, 'agent-x': 7 });
  });

  it('never go back along a stream, from a start to its agent, or from an agent to its report', () => {
    forSeeds(100, (random) => {
      const { chunks, runs } = randomStory(random);
      const clocks = chunkClocks(chunks, runs);
      const notBefore = (earlier: number, later: number): void => {
        const order = compareClocks(clocks.get(earlier)!, clocks.get(later)!);
        expect(['before', 'equal'], `${earlier} → ${later}`).toContain(order);
      };
      chunks.forEach((one, at) => {
        const next = chunks.slice(at + 1).find(({ agentId }) => agentId === one.agentId);
        if (next) notBefore(one.id, next.id);
      });
      for (const { agentId, spawnChunkId, lastChunkId, resultChunkId } of runs) {
        const own = chunks.filter((one) => one.agentId === agentId);
        notBefore(spawnChunkId!, own[0]!.id);
        notBefore(lastChunkId!, resultChunkId!);
      }
    });
  });

  it('do not depend on how streams are mixed', () => {
    forSeeds(50, (random) => {
      const { chunks, runs } = randomStory(random);
      const streams = random.shuffle([...new Set(chunks.map(({ agentId }) => agentId))]);
      const mixed = streams.flatMap((stream) => chunks.filter(({ agentId }) => agentId === stream));
      expect(chunkClocks(mixed, runs)).toEqual(chunkClocks(chunks, runs));
    });
  });

  it('a start or a report in a chunk that is gone tells nobody anything', () => {
    const chunks = [chunk(1, null, 1, 1), chunk(11, 'x', 0, 2), chunk(2, null, 0, 1)];
    const clocks = chunkClocks(chunks, [
      { agentId: 'x', spawnChunkId: 98, lastChunkId: 97, resultChunkId: 99 },
    ]);
    expect(Object.fromEntries(clocks)).toEqual({
      1: { human: 1, ui: 1 },
      2: { human: 1, ui: 2 },
      11: { 'agent-x': 2 },
    });
  });

  it('runs that contradict each other still give every chunk a clock', () => {
    const chunks = [chunk(1, null, 1, 1), chunk(2, null, 0, 1), chunk(11, 'x', 0, 1)];
    const clocks = chunkClocks(chunks, [
      { agentId: 'x', spawnChunkId: 2, lastChunkId: 11, resultChunkId: 1 },
    ]);
    expect([...clocks.keys()].sort((a, b) => a - b)).toEqual([1, 2, 11]);
  });
});
