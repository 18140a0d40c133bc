import { afterEach, beforeEach, expect, it } from 'vitest';
import { Store } from '../src/index.js';
import { holding, memoryPath, storeSession } from './sessions.js';

let store: Store;
let other: Store;

beforeEach(() => {
  const path = memoryPath();
  store = Store.open(path);
  other = Store.open(path);
  storeSession(store, 'a', 'the mill grinds corn');
});
afterEach(() => {
  store.close();
  other.close();
});

it('what is read at once is as of one moment, and what others wrote meanwhile is there afterwards', () => {
  store.reading(() => {
    expect(holding(store, 'mill')).toEqual([1]);
    storeSession(other, 'b', 'another mill');
    expect(holding(store, 'mill')).toEqual([1]);
    expect(store.reading(() => store.chunks.find(2))).toBeUndefined();
  });
  expect(store.chunks.find(2)?.text).toBe('another mill');
  expect(holding(store, 'mill')).toEqual([2, 1]);
});

it('reading that fails is over', () => {
  const failing = (): void =>
    store.reading(() => {
      expect(holding(store, 'mill')).toEqual([1]);
      throw new Error('not readable');
    });
  expect(failing).toThrow('not readable');
  storeSession(other, 'b', 'another mill');
  expect(holding(store, 'mill')).toEqual([2, 1]);
  storeSession(store, 'c', 'no more mills');
  expect(holding(store, 'mills')).toEqual([3, 2, 1]);
});
