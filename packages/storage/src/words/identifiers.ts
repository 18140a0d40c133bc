import type { Database } from 'better-sqlite3';
import { camelCaseNames } from './searchable-text.js';

/** Drop those of these names that no chunk holds any more. */
export function dropUnusedIdentifiers(db: Database, names: Iterable<string>): void {
  const holding = db
    .prepare(
      'SELECT c.text FROM chunk_fts f JOIN chunk c ON c.id = f.rowid WHERE chunk_fts MATCH ? AND instr(c.text, ?) > 0',
    )
    .pluck();
  // The index alone takes a plural, or other letter cases, for the name.
  const isUsed = (name: string): boolean => {
    for (const text of holding.iterate(`"${name}"`, name) as IterableIterator<string>)
      if (camelCaseNames(text).includes(name)) return true;
    return false;
  };
  const find = db.prepare('SELECT id FROM identifier WHERE name = ?').pluck();
  const dropFts = db.prepare(
    "INSERT INTO identifier_fts(identifier_fts, rowid, name) VALUES ('delete', ?, ?)",
  );
  const drop = db.prepare('DELETE FROM identifier WHERE id = ?');
  for (const name of names) {
    const id = find.get(name);
    if (id === undefined || isUsed(name)) continue;
    dropFts.run(id, name);
    drop.run(id);
  }
}

/** Of all names: those of texts that were read anew, and say something else now. */
export function dropAllUnusedIdentifiers(db: Database): void {
  dropUnusedIdentifiers(db, db.prepare('SELECT name FROM identifier').pluck().all() as string[]);
}
