import { expect, it } from 'vitest';
import { diversify } from '../src/ranking/diversity.js';
import { Memory } from './memory.js';

function remembered() {
  const memory = new Memory();
  const ids = memory.session('shop', [
    'The till rounds',
    'The till is rounding',
    'The door squeaks',
    'No vector',
  ]);
  memory.store.vectors.put('m', ids.slice(0, 3), Float32Array.of(1, 0, 0.99, 0.14, 0, 1));
  const ranked = ids.map((id, rank) => ({ id, score: 1 - rank / 10, via: [] }));
  return { store: memory.store, ids, ranked };
}

it('of two chunks that say the same the second comes later', () => {
  const { store, ids, ranked } = remembered();
  const order = diversify(store, ranked, { modelId: 'm', lambda: 0.5 }).map(({ id }) => id);
  expect(order).toEqual([ids[0], ids[2], ids[3], ids[1]]);
});

it('relevance alone, or vectors of another model, leave the order as it is', () => {
  const { store, ranked } = remembered();
  expect(diversify(store, ranked, { modelId: 'm', lambda: 1 })).toEqual(ranked);
  expect(diversify(store, ranked, { modelId: 'other', lambda: 0.5 })).toEqual(ranked);
  expect(diversify(store, [], { modelId: 'm', lambda: 0.5 })).toEqual([]);
});
