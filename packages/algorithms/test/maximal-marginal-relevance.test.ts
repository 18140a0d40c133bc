import { describe, expect, it } from 'vitest';
import { maximalMarginalRelevance } from '../src/index.js';
import { SeededRandom } from '../../../test/seeded-random.js';

const unalike = () => 0;

describe('maximalMarginalRelevance', () => {
  it('puts a less relevant but new candidate before a repetition', () => {
    const alike = (a: number, b: number) => (a + b === 1 ? 1 : 0);
    const input = { relevance: [0.9, 0.89, 0.5], similarity: alike, cost: [1, 1, 1], budget: 3 };
    expect(maximalMarginalRelevance(input)).toEqual([0, 2, 1]);
    expect(maximalMarginalRelevance({ ...input, lambda: 1 })).toEqual([0, 1, 2]);
  });

  it('compares with the nearest of all that are picked, not with the last', () => {
    const twins = [
      [0, 2],
      [2, 0],
    ];
    const similarity = (a: number, b: number) => (twins.some(([x, y]) => x === a && y === b) ? 1 : 0);
    const input = { relevance: [0.9, 0.8, 0.7, 0.6], similarity, cost: [1, 1, 1, 1], budget: 4 };
    expect(maximalMarginalRelevance({ ...input, lambda: 0.5 })).toEqual([0, 1, 3, 2]);
  });

  it('passes over what exceeds the remaining budget and goes on with what fits', () => {
    const input = { relevance: [3, 2, 1], similarity: unalike, cost: [6, 5, 4], budget: 10 };
    expect(maximalMarginalRelevance(input)).toEqual([0, 2]);
  });

  it('breaks ties by index', () => {
    const input = { relevance: [1, 1, 1], similarity: unalike, cost: [0, 0, 0], budget: 0 };
    expect(maximalMarginalRelevance(input)).toEqual([0, 1, 2]);
  });

  it('lets negative similarity raise a candidate', () => {
    const opposite = (a: number, b: number) => (a === b ? 1 : Math.max(a, b) === 2 ? -1 : 0);
    const input = { relevance: [1, 0.5, 0.4], similarity: opposite, cost: [1, 1, 1], budget: 3 };
    expect(maximalMarginalRelevance(input)).toEqual([0, 2, 1]);
  });

  it('rejects a missing cost and a lambda that is no share', () => {
    const input = { relevance: [2, 1], similarity: unalike, cost: [1, 1], budget: 2 };
    expect(() => maximalMarginalRelevance({ ...input, cost: [1] })).toThrow(RangeError);
    for (const lambda of [-0.1, 1.1])
      expect(() => maximalMarginalRelevance({ ...input, lambda })).toThrow(RangeError);
    expect(maximalMarginalRelevance({ ...input, lambda: 0 })).toEqual([0, 1]);
  });

  it('never exceeds the budget, never repeats, and leaves nothing out that fits', () => {
    for (let seed = 0; seed < 200; seed++) {
      const random = new SeededRandom(seed);
      const n = random.below(20);
      const relevance = Array.from({ length: n }, () => random.next());
      const cost = Array.from({ length: n }, () => random.below(50));
      const budget = random.below(200);
      const similarity = (a: number, b: number) => 1 - Math.abs(relevance[a]! - relevance[b]!);
      const picks = maximalMarginalRelevance({ relevance, similarity, cost, budget });
      const left = budget - picks.reduce((sum, pick) => sum + cost[pick]!, 0);
      expect(left).toBeGreaterThanOrEqual(0);
      expect(new Set(picks).size).toBe(picks.length);
      cost.forEach((price, candidate) => expect(picks.includes(candidate) || price > left).toBe(true));
    }
  });
});
