import type { Database } from 'better-sqlite3';

/** Drop those of these names that no chunk holds any more. */
export function dropUnusedIdentifiers(db: Database, names: Iterable<string>): void {
  const isUsed = db.prepare('SELECT 1 FROM chunk_fts WHERE chunk_fts MATCH ? LIMIT 1');
  const find = db.prepare('SELECT id FROM identifier WHERE name = ?').pluck();
  const dropFts = db.prepare(
    "INSERT INTO identifier_fts(identifier_fts, rowid, name) VALUES ('delete', ?, ?)",
  );
  const drop = db.prepare('DELETE FROM identifier WHERE id = ?');
  for (const name of names) {
    const id = find.get(name);
    if (id === undefined || isUsed.get(`"${name}"`) !== undefined) continue;
    dropFts.run(id, name);
    drop.run(id);
  }
}

/** Of all names: those of texts that were read anew, and say something else now. */
export function dropAllUnusedIdentifiers(db: Database): void {
  dropUnusedIdentifiers(db, db.prepare('SELECT name FROM identifier').pluck().all() as string[]);
}
