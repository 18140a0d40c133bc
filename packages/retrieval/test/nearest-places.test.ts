import { expect, it } from 'vitest';
import { keepPlacesForNearest } from '../src/nearest-places.js';

/** Candidates 100, 101, … by score. */
const ranked = (count: number) =>
  Array.from({ length: count }, (_, rank) => ({ id: 100 + rank, score: 1 - rank / 100, via: [] }));

const idsOf = (candidates: readonly { id: number }[]): number[] => candidates.map(({ id }) => id);

it('the nearest in meaning stand at the seventh place, the tenth and so on, at the latest', () => {
  const order = keepPlacesForNearest(ranked(40), { ids: [139, 1, 138], similarities: [0.7, 0.6, 0.5] }, 0.4);
  expect(order).toHaveLength(41);
  expect([order[6]?.id, order[9]?.id, order[12]?.id]).toEqual([139, 1, 138]);
  const others = idsOf(order).filter((id) => ![139, 1, 138].includes(id));
  expect(others).toEqual(idsOf(ranked(38)));
});

it('what stands before its place stays there', () => {
  const semantic = { ids: [106, 102, 108], similarities: [0.7, 0.6, 0.5] };
  expect(idsOf(keepPlacesForNearest(ranked(40), semantic, 0.4))).toEqual(idsOf(ranked(40)));
});

it('what is hardly like the question, and the sixth nearest, get no place', () => {
  const alike = { ids: [1, 2, 3, 4, 5, 6], similarities: [0.9, 0.9, 0.9, 0.9, 0.9, 0.9] };
  expect(idsOf(keepPlacesForNearest(ranked(40), alike, 0.4))).not.toContain(6);
  const unlike = { ids: [1, 2], similarities: [0.39, 0.1] };
  expect(idsOf(keepPlacesForNearest(ranked(40), unlike, 0.4))).toEqual(idsOf(ranked(40)));
});

it('scores fall from hit to hit', () => {
  const order = keepPlacesForNearest(ranked(40), { ids: [139, 1], similarities: [0.7, 0.6] }, 0.4);
  const scores = order.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
});

it('of few hits it is the last', () => {
  expect(idsOf(keepPlacesForNearest(ranked(2), { ids: [1], similarities: [0.7] }, 0.4))).toEqual([
    100, 101, 1,
  ]);
});
