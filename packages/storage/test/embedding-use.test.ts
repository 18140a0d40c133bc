import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { Store } from '../src/index.js';

let store: Store;

beforeEach(() => {
  store = Store.open(':memory:');
  onTestFinished(() => store.close());
});

test('the right to make vectors is that of one process, until it gives it back or its time is over', () => {
  const { embedding } = store;
  const lease = (owner: string, untilMs = 100) => ({ owner, untilMs });
  expect(embedding.acquire(lease('a'), 0)).toBe(true);
  expect(embedding.acquire(lease('a', 200), 50)).toBe(true);
  expect(embedding.acquire(lease('b'), 200)).toBe(false);
  embedding.release('b');
  expect(embedding.leaseOwner()).toBe('a');
  expect(embedding.acquire(lease('b', 300), 201)).toBe(true);
  expect(store.vectors.put('m', [], new Float32Array(), lease('a'))).toBeNull();
  expect(store.vectors.put('m', [], new Float32Array(), lease('b'))).toBe(0);
  embedding.seize(lease('c'));
  embedding.release('c');
  expect(embedding.leaseOwner()).toBeNull();
});

test('vectors that are rebuilt are complete once they are searched; each change moves the revision once', () => {
  const { embedding } = store;
  const moved = (change: () => void): number => {
    const before = embedding.state().revision;
    change();
    return embedding.state().revision - before;
  };
  expect(moved(() => embedding.serve('m'))).toBe(1);
  expect(moved(() => embedding.serve('m'))).toBe(0);
  expect(moved(() => embedding.noteRemaking('m'))).toBe(1);
  expect(embedding.remaking()).toBe('m');
  expect(moved(() => embedding.serve('m'))).toBe(1);
  expect(embedding.remaking()).toBeNull();
  expect(moved(() => embedding.choose('n'))).toBe(1);
  expect(embedding.state()).toMatchObject({ chosen: 'n', serving: 'm' });
});
