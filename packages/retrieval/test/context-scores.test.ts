import { expect, it } from 'vitest';
import { searchKeywords } from '../src/matching/keyword-search.js';
import { scoresInContext } from '../src/ranking/context-scores.js';
import { RANKING_WEIGHTS } from '../src/ranking/ranking-weights.js';
import { Memory } from './memory.js';

it('of several chunks of a session, the one nearest in meaning tells how near the session is', async () => {
  const memory = new Memory();
  const { store } = memory;
  const [near, far, beside] = memory.session('mill', ['The wheel', 'The sack', 'The door']);
  const [between, besideIt] = memory.session('mill', ['The stone', 'The roof']);
  await store.directory.refresh();
  const evidence = {
    matches: searchKeywords(store, 'nobody says this', {}),
    semantic: { ids: [near!, between!, far!], similarities: [0.9, 0.5, 0.1] },
    entities: new Map(),
    circumstances: new Map(),
    sessions: new Map(),
    asksForPersonsWords: false,
    wishes: undefined,
    asksForFailure: false,
    asksForCommand: false,
    pastedFailures: new Set<number>(),
  };
  const weights = { ...RANKING_WEIGHTS, similarity: 0 };
  const { ids, scores } = scoresInContext(store, evidence, weights);
  const scoreOf = (id: number): number => scores[ids.indexOf(id)]!;
  const ofNearest = weights.session * weights.sessionSimilarity;
  for (const id of [near!, far!, beside!]) expect(scoreOf(id)).toBeCloseTo(ofNearest, 12);
  for (const id of [between!, besideIt!]) expect(scoreOf(id)).toBeCloseTo(ofNearest / 2, 12);
});
