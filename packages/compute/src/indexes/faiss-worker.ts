import { IndexShelf, type IndexState, type ShelfConfig } from './index-shelf.js';

/** The worker's one shelf: the first call's configuration holds for its life. */
let shelf: IndexShelf | undefined;

function shelfOf(config: ShelfConfig): IndexShelf {
  return (shelf ??= new IndexShelf(config));
}

export interface ReconcileInput {
  config: ShelfConfig;
  key: string;
  state: IndexState;
  wanted: Float64Array;
}

export function reconcileIndex({ config, key, state, wanted }: ReconcileInput) {
  return shelfOf(config).reconcile(key, state, wanted);
}

export interface AppendInput {
  config: ShelfConfig;
  key: string;
  ids: Float64Array;
  vectors: Float32Array;
}

export function appendToIndex({ config, key, ids, vectors }: AppendInput) {
  return shelfOf(config).append(key, ids, vectors);
}

export interface SearchInput {
  config: ShelfConfig;
  keys: readonly string[];
  query: Float32Array;
  k: number;
  allowed: Float64Array | undefined;
}

export function searchIndexes({ config, keys, query, k, allowed }: SearchInput) {
  return shelfOf(config).search(keys, query, k, allowed?.sort());
}

export function saveIndexes({ config, all }: { config: ShelfConfig; all: boolean }) {
  shelfOf(config).save(all);
}

export function dropIndex({ config, key }: { config: ShelfConfig; key: string }) {
  return shelfOf(config).drop(key);
}

export function describeIndexes({ config }: { config: ShelfConfig }) {
  return shelfOf(config).diagnostics();
}
