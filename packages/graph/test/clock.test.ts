import { InvalidArgumentError } from '@causantic/domain';
import { describe, expect, it } from 'vitest';
import {
  compareClocks,
  decodeClock,
  encodeClock,
  hopDistance,
  mergeClocks,
  streamOf,
  tick,
  type VectorClock,
} from '../src/index.js';
import { forSeeds, type SeededRandom } from '../../../test/seeded-random.js';

const STREAMS = ['human', 'ui', 'agent-a', 'agent-b'];

function randomClock(random: SeededRandom): VectorClock {
  return Object.fromEntries(STREAMS.filter(() => random.next() < 0.7).map((s) => [s, random.below(4)]));
}

describe('vector clocks', () => {
  it('gives every agent a stream of its own', () => {
    expect([null, 'abc', 'agent-abc', 'human', 'ui'].map(streamOf)).toEqual([
      'ui',
      'agent-abc',
      'agent-abc',
      'agent-human',
      'agent-ui',
    ]);
  });

  it.each([
    [{}, {}, 'equal'],
    [{ ui: 0 }, {}, 'equal'],
    [{ ui: 1 }, { ui: 2 }, 'before'],
    [{ ui: 2, human: 1 }, { ui: 2 }, 'after'],
    [{ ui: 2, 'agent-a': 1 }, { ui: 1, 'agent-a': 2 }, 'concurrent'],
  ] as const)('compares %j with %j: %s', (left, right, order) => {
    expect(compareClocks(left, right)).toBe(order);
  });

  it.each([
    [{ human: 1 }, { human: 1, ui: 3 }, 3, 'the main stream counts from 0'],
    [{ ui: 1 }, { human: 2, ui: 1 }, 2, 'so do prompts'],
    [{ human: 1, ui: 5 }, { human: 2, ui: 7 }, 3, 'sums the streams'],
    [
      { human: 1, ui: 5 },
      { human: 1, ui: 6, 'agent-a': 9 },
      1,
      'an agent one side never heard of adds nothing',
    ],
    [{ human: 1, ui: 5, 'agent-a': 2 }, { human: 1, ui: 5, 'agent-a': 6 }, 4, 'a shared agent counts'],
  ] as [VectorClock, VectorClock, number, string][])(
    'hop distance from %j to %j is %i: %s',
    (from, to, hops) => {
      expect(hopDistance(from, to)).toBe(hops);
      expect(hopDistance(to, from)).toBe(hops);
    },
  );

  it('counts in any stream, whatever it is named', () => {
    expect(tick({}, 'constructor', 1)).toEqual({ constructor: 1 });
  });

  it('refuses cycles that are no count', () => {
    expect(() => tick({}, 'ui', -1)).toThrow(InvalidArgumentError);
    expect(() => tick({}, 'ui', 0.5)).toThrow(InvalidArgumentError);
  });

  it.each(['', '[]', 'null', '3', '{"ui":-1}', '{"ui":1.5}', '{"ui":1e300}', '{"ui":"1"}'])(
    'refuses the text %j',
    (text) => {
      expect(() => decodeClock(text)).toThrow(InvalidArgumentError);
    },
  );

  it('writes equal clocks as equal text and reads them back', () => {
    expect(encodeClock({ ui: 5, human: 3, 'agent-b': 0 })).toBe('{"human":3,"ui":5}');
    forSeeds(100, (random) => {
      const clock = randomClock(random);
      const text = encodeClock(clock);
      expect(compareClocks(decodeClock(text), clock)).toBe('equal');
      expect(encodeClock(decodeClock(text))).toBe(text);
    });
  });
});

describe('properties of clocks', () => {
  it('merging never loses a count, and order and repetition do not matter', () => {
    forSeeds(300, (random) => {
      const [a, b, c] = [randomClock(random), randomClock(random), randomClock(random)];
      const merged = mergeClocks(a, b);
      for (const stream of STREAMS) {
        expect(merged[stream] ?? 0).toBe(Math.max(a[stream] ?? 0, b[stream] ?? 0));
      }
      expect(encodeClock(mergeClocks(b, a))).toBe(encodeClock(merged));
      expect(encodeClock(mergeClocks(merged, b))).toBe(encodeClock(merged));
      expect(encodeClock(mergeClocks(merged, c))).toBe(encodeClock(mergeClocks(a, mergeClocks(b, c))));
    });
  });

  it('comparing is antisymmetric, and equal clocks are no hop apart', () => {
    const opposite = { before: 'after', after: 'before', equal: 'equal', concurrent: 'concurrent' };
    forSeeds(300, (random) => {
      const [a, b] = [randomClock(random), randomClock(random)];
      const order = compareClocks(a, b);
      expect(compareClocks(b, a)).toBe(opposite[order]);
      if (order === 'equal') expect(hopDistance(a, b)).toBe(0);
    });
  });
});
