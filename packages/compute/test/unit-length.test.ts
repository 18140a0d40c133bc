import { expect, it } from 'vitest';
import { scaleToUnitLength } from '../src/models/unit-length.js';

it.each([
  [
    [3, 4],
    [0.6, 0.8],
  ],
  [
    [0, 0],
    [0, 0],
  ],
  [
    [NaN, 1],
    [0, 0],
  ],
  [
    [Infinity, 1],
    [0, 0],
  ],
])('of %j it makes %j', (components, expected) => {
  const vector = Float32Array.from(components);
  scaleToUnitLength(vector);
  expect(vector).toEqual(Float32Array.from(expected));
});
