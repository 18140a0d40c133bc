import { expect, it } from 'vitest';
import { searchKeywords } from '../src/matching/keyword-search.js';
import { scoresInContext } from '../src/ranking/context-scores.js';
import type { Evidence } from '../src/ranking/evidence.js';
import { RANKING_WEIGHTS } from '../src/ranking/ranking-weights.js';
import { Memory } from './memory.js';

/** Of a question with words that memory has not. */
function ofMeaning({ store }: Memory, ids: number[], similarities: number[]): Evidence {
  return {
    matches: searchKeywords(store, 'nobody says this', {}),
    semantic: { ids, similarities },
    entities: new Map(),
    circumstances: new Map(),
    sessions: new Map(),
    asksForPersonsWords: false,
    wishes: undefined,
    asksForFailure: false,
    asksForCommand: false,
    pastedFailures: new Set(),
  };
}

it('of several chunks of a session, the one nearest in meaning tells how near the session is', async () => {
  const memory = new Memory();
  const { store } = memory;
  const [near, far, beside] = memory.session('mill', ['The wheel', 'The sack', 'The door']);
  const [between, besideIt] = memory.session('mill', ['The stone', 'The roof']);
  await store.directory.refresh();
  const evidence = ofMeaning(memory, [near!, between!, far!], [0.9, 0.5, 0.1]);
  const weights = { ...RANKING_WEIGHTS, similarity: 0 };
  const { ids, scores } = scoresInContext(store, evidence, weights);
  const scoreOf = (id: number): number => scores[ids.indexOf(id)]!;
  const ofNearest = weights.session * weights.sessionSimilarity;
  for (const id of [near!, far!, beside!]) expect(scoreOf(id)).toBeCloseTo(ofNearest, 12);
  for (const id of [between!, besideIt!]) expect(scoreOf(id)).toBeCloseTo(ofNearest / 2, 12);
});

it('a chunk that was stored a moment ago, of a session that nobody knows yet, is not ranked', async () => {
  const memory = new Memory();
  const [known] = memory.session('mill', ['The wheel']);
  await memory.store.directory.refresh();
  const [unknown] = memory.session('mill', ['The sack']);
  const evidence = ofMeaning(memory, [unknown!, known!], [0.9, 0.5]);
  const { ids, scores } = scoresInContext(memory.store, evidence, RANKING_WEIGHTS);
  expect(ids).toEqual([known]);
  // Nor does it count for what has no neighbour.
  expect(scores).toEqual([0]);
});

it('what stands before and what stands behind a chunk have their share of it', async () => {
  const memory = new Memory();
  const [before, found, behind] = memory.session('mill', ['The wheel', 'The sack', 'The door']);
  const [other] = memory.session('mill', ['The stone']);
  await memory.store.directory.refresh();
  const evidence = ofMeaning(memory, [found!, other!], [0.9, 0.1]);
  const weights = { ...RANKING_WEIGHTS, session: 0 };
  const { ids, scores } = scoresInContext(memory.store, evidence, weights);
  const share = weights.similarity * weights.neighbour;
  for (const id of [before!, behind!]) expect(scores[ids.indexOf(id)]).toBeCloseTo(share, 12);
});
