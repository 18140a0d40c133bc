import { describe, expect, it } from 'vitest';
import { assertDecayCurve, BACKWARD_DECAY, decayWeight, FORWARD_DECAY, lastLivingHop } from '../src/index.js';
import { forSeeds } from '../../../test/seeded-random.js';

describe('decay', () => {
  it.each([
    [0, 1],
    [1, 0.9],
    [5, 0.5],
    [9, 0.1],
    [10, 0],
    [11, 0],
  ])('backward after %i hops: %f', (hops, weight) => {
    expect(decayWeight(hops, BACKWARD_DECAY)).toBeCloseTo(weight, 12);
  });

  it.each([
    [0, 1],
    [5, 1],
    [6, 14 / 15],
    [19, 1 / 15],
    [20, 0],
    [40, 0],
  ])('forward after %i hops: %f', (hops, weight) => {
    expect(decayWeight(hops, FORWARD_DECAY)).toBeCloseTo(weight, 12);
  });

  it('never increases, stays within [0, 1], and lives exactly up to its last living hop', () => {
    forSeeds(200, (random) => {
      const holdHops = random.below(10);
      const curve = { holdHops, diesAtHops: holdHops + 0.5 + random.next() * 20 };
      assertDecayCurve(curve);
      for (let hops = 0; hops < 40; hops++) {
        const weight = decayWeight(hops, curve);
        expect(weight).toBeGreaterThanOrEqual(decayWeight(hops + 1, curve));
        expect(weight >= 0 && weight <= 1).toBe(true);
        expect(weight > 0).toBe(hops <= lastLivingHop(curve));
      }
    });
  });

  it.each([
    { holdHops: 5, diesAtHops: 5 },
    { holdHops: -1, diesAtHops: 5 },
    { holdHops: 0, diesAtHops: Infinity },
    { holdHops: NaN, diesAtHops: 5 },
  ])('refuses %j', (curve) => {
    expect(() => assertDecayCurve(curve)).toThrow(/0 <= holdHops < diesAtHops/);
  });
});
