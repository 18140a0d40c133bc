import { describe, expect, it } from 'vitest';
import { reciprocalRankFusion } from '../src/index.js';
import { SeededRandom } from '../../../test/seeded-random.js';

describe('reciprocalRankFusion', () => {
  it('adds 1 / (k + rank) over the lists', () => {
    expect(
      reciprocalRankFusion([
        ['a', 'b'],
        ['b', 'c'],
      ]),
    ).toEqual([
      { item: 'b', score: 1 / 62 + 1 / 61 },
      { item: 'a', score: 1 / 61 },
      { item: 'c', score: 1 / 62 },
    ]);
  });

  it('damps the first ranks by k', () => {
    expect(reciprocalRankFusion([['a', 'b']], 0).map(({ score }) => score)).toEqual([1, 1 / 2]);
    expect(() => reciprocalRankFusion([['a']], -1)).toThrow(RangeError);
  });

  it('counts an item that a list repeats once, and closes the gap it leaves', () => {
    expect(reciprocalRankFusion([[7, 7, 8]])).toEqual(reciprocalRankFusion([[7, 8]]));
  });

  it('puts the smaller of two equal items first', () => {
    const itemsOf = (lists: (string | number)[][]) => reciprocalRankFusion(lists).map(({ item }) => item);
    expect(itemsOf([['b'], ['a']])).toEqual(['a', 'b']);
    expect(itemsOf([[9], [10]])).toEqual([9, 10]);
  });

  it('does not depend on the order of the lists', () => {
    for (let seed = 0; seed < 100; seed++) {
      const random = new SeededRandom(seed);
      const items = Array.from({ length: 12 }, (_, i) => i);
      const lists = Array.from({ length: 5 }, () => random.shuffle(items).slice(0, random.below(12)));
      expect(reciprocalRankFusion(random.shuffle(lists))).toEqual(reciprocalRankFusion(lists));
    }
  });

  it('gives nothing for nothing', () => {
    expect(reciprocalRankFusion([])).toEqual([]);
  });
});
