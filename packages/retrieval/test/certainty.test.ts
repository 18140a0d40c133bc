import { expect, it } from 'vitest';
import { FoundChunks } from '../src/matching/found-chunks.js';
import { certaintyOf } from '../src/ranking/certainty.js';

it('where words could not be looked up, meaning alone decides', () => {
  const matches = {
    found: new FoundChunks(0),
    terms: [],
    byTerm: [],
    entityIds: new Set<number>(),
    literalIds: new Set<number>(),
    problem: 'The word index cannot be read.',
  };
  const certaintyAt = (similarity: number) =>
    certaintyOf([], { matches, semantic: { ids: [1], similarities: [similarity] } }, 'English');
  expect([0.2, 0.35, 0.4].map(certaintyAt)).toEqual(['none', 'doubtful', 'clear']);
});
