import type { Database } from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { chunkDraft, turnDraft } from '../../../test/drafts.js';
import { Store } from '../src/index.js';
import { openSqlite } from '../src/database/sqlite.js';
import { VECTORS_IN_SHARED_PAGES } from '../src/database/vector-table.js';
import { memoryPath, storeTurns } from './sessions.js';

const MODEL = 'model';
const DIM = 256;
const CHUNKS = 200;
const IDS = Array.from({ length: CHUNKS }, (_, at) => at + 1);
const VECTORS = Float32Array.from({ length: CHUNKS * DIM }, (_, at) => at / 7);

/** The table of an earlier version with its indexes. */
const AS_BEFORE = `
  CREATE TABLE before (
    model_id TEXT NOT NULL,
    project_id INTEGER NOT NULL,
    chunk_id INTEGER NOT NULL REFERENCES chunk(id) ON DELETE CASCADE,
    vector BLOB NOT NULL,
    PRIMARY KEY (model_id, project_id, chunk_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO before SELECT model_id, project_id, chunk_id, vector FROM chunk_vector;
  DROP TABLE chunk_vector;
  ALTER TABLE before RENAME TO chunk_vector;
  CREATE INDEX vector_by_chunk ON chunk_vector(chunk_id);
  CREATE INDEX vector_by_project ON chunk_vector(model_id, project_id, chunk_id);
`;

function memoryWithVectors(): string {
  const path = memoryPath();
  const store = Store.open(path);
  const chunks = IDS.map((id, seq) => chunkDraft(seq, `Remark ${id}`));
  storeTurns(store, 'a', [turnDraft(0, chunks)]);
  store.vectors.put(MODEL, IDS, VECTORS);
  store.close();
  return path;
}

function bytesOfVectors(path: string): number {
  const db = openSqlite(path);
  const bytes = db.prepare("SELECT sum(pgsize) FROM dbstat WHERE name = 'chunk_vector'").pluck().get();
  db.close();
  return bytes as number;
}

it('vectors share pages', () => {
  expect(bytesOfVectors(memoryWithVectors()) / VECTORS.byteLength).toBeLessThan(1.5);
});

it('vectors of an earlier version are the same in shared pages, and follow their chunks', () => {
  const path = memoryWithVectors();
  const db = openSqlite(path);
  db.exec(AS_BEFORE);
  expect(bytesOfVectors(path) / VECTORS.byteLength).toBeGreaterThan(3);
  db.exec(VECTORS_IN_SHARED_PAGES);
  db.close();
  const store = Store.open(path);
  onTestFinished(() => store.close());
  const project = store.projects.findBySlug('app')!.id;
  const version = store.vectors.version(MODEL, project)!;
  expect(version).toBe(CHUNKS);
  expect(store.vectors.get(MODEL, IDS, DIM)).toEqual(VECTORS);
  expect(store.vectors.put(MODEL, IDS, VECTORS)).toBe(0);
  store.forgetting.delete([IDS[0]!]);
  expect([...store.vectors.ids(MODEL, project)]).toEqual(IDS.slice(1));
  expect(store.vectors.version(MODEL, project)).toBe(version + 1);
  expect(bytesOfVectors(path) / VECTORS.byteLength).toBeLessThan(1.5);
});

it('a disk without room for vectors is said to be full', () => {
  const store = Store.open(memoryWithVectors());
  const { db } = store as unknown as { db: Database };
  db.pragma(`max_page_count = ${String(db.pragma('page_count', { simple: true }))}`);
  expect(() => store.vectors.put('another', IDS, VECTORS)).toThrow(
    expect.objectContaining({ code: 'NO_ROOM' }) as Error,
  );
  store.close();
});

it('models are those that have vectors now', () => {
  const store = Store.open(memoryPath());
  onTestFinished(() => store.close());
  expect(store.vectors.models()).toEqual([]);
  storeTurns(store, 'a', [turnDraft(0, [chunkDraft(0, 'Remark 1'), chunkDraft(1, 'Remark 2')])]);
  for (const model of ['b', 'a', 'c']) store.vectors.put(model, [1, 2], new Float32Array(4));
  expect(store.vectors.models()).toEqual(['a', 'b', 'c']);
  store.vectors.dropAll('b');
  expect(store.vectors.models()).toEqual(['a', 'c']);
});
