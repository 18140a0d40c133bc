import { expect, it } from 'vitest';
import { openSqlite, Store } from '../src/index.js';
import { memoryPath } from './sessions.js';

/** Else each row that is deleted makes SQLite look through the whole of another table. */
it('what refers to a row is found by an index', () => {
  const path = memoryPath();
  Store.open(path).close();
  const db = openSqlite(path);
  const references = db
    .prepare(
      `SELECT t.name AS "table", f."from" AS "column" FROM sqlite_schema t, pragma_foreign_key_list(t.name) f
       WHERE t.type = 'table'`,
    )
    .all() as { table: string; column: string }[];
  // Of which transcript a record is, though no foreign key: transcripts are dropped, and records stay.
  references.push({ table: 'record', column: 'transcript_id' });
  const scanned = references.filter(({ table, column }) => {
    const plan = db.prepare(`EXPLAIN QUERY PLAN SELECT 1 FROM ${table} WHERE ${column} = ?`).all(1);
    return (plan as { detail: string }[]).some(({ detail }) => detail.startsWith('SCAN'));
  });
  db.close();
  expect(references.length).toBeGreaterThan(10);
  expect(scanned).toEqual([]);
});
