import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite } from '@causantic/storage';
import { ingestTree } from '../src/index.js';
import { TestStore } from './ingested.js';
import { Recording, sessionId, temporaryFolder } from './recording.js';

/** In how many pieces the index of words is. */
function pieces(memory: TestStore): unknown {
  const db = openSqlite(memory.path, { readonly: true });
  const count = db.prepare('SELECT count(DISTINCT segid) FROM chunk_fts_idx').pluck().get();
  db.close();
  return count;
}

it('a first reading leaves the index of words in one piece, and little more of it as it is', () => {
  const folder = temporaryFolder();
  const add = (n: number): void =>
    void new Recording(sessionId(n))
      .user(`the heron of pier ${n}`)
      .answer('It stays.')
      .writeTo(join(folder, `${sessionId(n)}.jsonl`));
  for (let n = 1; n <= 6; n++) add(n);
  const memory = new TestStore();
  ingestTree(memory.store, [folder]);
  expect(pieces(memory)).toBe(1);
  add(7);
  ingestTree(memory.store, [folder]);
  expect(pieces(memory)).toBe(2);
  ingestTree(memory.store, [folder]);
  expect(pieces(memory)).toBe(2);
});
