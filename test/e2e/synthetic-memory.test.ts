import { join } from 'node:path';
import { Store } from '@causantic/storage';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { writeSyntheticMemory } from '../../tools/bench/synthetic-memory.mjs';

it('the memory that the benchmark of vectors writes past the product is one of this version', () => {
  const path = join(temporaryFolder(), 'memory.db');
  writeSyntheticMemory(path, { vectors: 600, model: { id: 'random', dim: 4 } });
  const store = Store.open(path);
  onTestFinished(() => store.close());
  expect(store.integrityIssues()).toEqual([]);
  expect(store.statistics()).toMatchObject({ chunks: 600, sessions: 2 });
  expect(store.vectors.countByModel()).toEqual({ random: 600 });
});
