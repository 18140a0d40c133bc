import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite, Store } from '../src/index.js';

/** Else each row that is deleted makes SQLite look through the whole of another table. */
it('what refers to a row is found by an index', () => {
  const folder = mkdtempSync(join(tmpdir(), 'causantic-schema-'));
  const path = join(folder, 'memory.db');
  Store.open(path).close();
  const db = openSqlite(path);
  const references = db
    .prepare(
      `SELECT t.name AS "table", f."from" AS "column" FROM sqlite_schema t, pragma_foreign_key_list(t.name) f
       WHERE t.type = 'table'`,
    )
    .all() as { table: string; column: string }[];
  const scanned = references.filter(({ table, column }) => {
    const plan = db.prepare(`EXPLAIN QUERY PLAN SELECT 1 FROM ${table} WHERE ${column} = ?`).all(1);
    return (plan as { detail: string }[]).some(({ detail }) => detail.startsWith('SCAN'));
  });
  db.close();
  rmSync(folder, { recursive: true });
  expect(references.length).toBeGreaterThan(10);
  expect(scanned).toEqual([]);
});
