import { expect, it } from 'vitest';
import { joinChains, joinTurns } from '../src/episodes/join-chains.js';

const chain = (...ids: number[]) => ({
  ids,
  seedId: ids.at(-1)!,
  score: ids.length,
  tokens: 1,
  scorePerToken: 1,
});
const edge = (from: number, to: number) => ({ from, to });

it.each([
  [
    'nothing to join',
    [chain(1, 2), chain(5, 6)],
    [],
    [
      [1, 2],
      [5, 6],
    ],
  ],
  ['the better part is the later', [chain(3, 4), chain(1, 2)], [edge(2, 3)], [[1, 2, 3, 4]]],
  ['three parts', [chain(7, 8), chain(3, 4), chain(5, 6)], [edge(4, 5), edge(6, 7)], [[3, 4, 5, 6, 7, 8]]],
  [
    'at the place of the better one',
    [chain(1, 2), chain(8, 9), chain(3, 4)],
    [edge(2, 3)],
    [
      [1, 2, 3, 4],
      [8, 9],
    ],
  ],
  [
    'only end to beginning',
    [chain(1, 2), chain(3, 4)],
    [edge(1, 3), edge(2, 4)],
    [
      [1, 2],
      [3, 4],
    ],
  ],
  [
    'one follower each',
    [chain(1, 2), chain(3, 4), chain(5, 6)],
    [edge(2, 5), edge(4, 5)],
    [
      [1, 2, 5, 6],
      [3, 4],
    ],
  ],
  ['edges in a circle', [chain(1, 2), chain(3, 4)], [edge(2, 3), edge(4, 1)], [[1, 2, 3, 4]]],
  [
    'a longer circle',
    [chain(1, 2), chain(5, 6), chain(3, 4)],
    [edge(2, 3), edge(4, 5), edge(6, 1)],
    [[5, 6, 1, 2, 3, 4]],
  ],
])('joins chains: %s', (_what, chains, edges, expected) => {
  const episodes = joinChains(chains, edges);
  expect(episodes.map(({ ids }) => ids)).toEqual(expected);
  expect(episodes.reduce((sum, { score }) => sum + score, 0)).toBe(chains.length * 2);
});

/** A chunk that was deleted a moment ago. */
const GONE = 999;

it.each([
  [
    'of the same turn',
    [[14, 15], [21, 22], [11, 13], [17]],
    [
      [11, 13, 14, 15, 17],
      [21, 22],
    ],
  ],
  ['by way of a third', [[12], [22], [14, 21]], [[12, 14, 21, 22]]],
  [
    'not over transcripts',
    [
      [12, 112],
      [13, 14],
    ],
    [
      [12, 112],
      [13, 14],
    ],
  ],
  ['not where nobody knows of which they are', [[GONE], [GONE]], [[GONE], [GONE]]],
])('what is told of turns is one story: %s', (_what, episodes, expected) => {
  // Ten chunks a turn, ten turns a transcript.
  const placeOf = (id: number) =>
    id === GONE ? undefined : { turnId: Math.floor(id / 10), transcriptId: Math.floor(id / 100), seq: id };
  const joined = joinTurns(
    episodes.map((ids) => ({ ids, score: ids.length })),
    placeOf,
  );
  expect(joined.map(({ ids }) => ids)).toEqual(expected);
  expect(joined.map(({ ids, score }) => score - ids.length)).toEqual(joined.map(() => 0));
});
