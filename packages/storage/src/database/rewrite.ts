import type { Database } from 'better-sqlite3';
import { dirname } from 'node:path';
import { removeAbandonedCopies } from '../archive/abandoned-copies.js';
import { openDatabase } from './connection.js';

/** Rewrites everything stored. Afterwards, no page, word index segment, log or abandoned copy contains deleted text. */
export function rewrite(db: Database): void {
  db.exec("INSERT INTO chunk_fts(chunk_fts) VALUES ('optimize')");
  db.exec("INSERT INTO identifier_fts(identifier_fts) VALUES ('optimize')");
  if (db.memory) return;
  removeAbandonedCopies(dirname(db.name));
  // In memory the copy would take as much of it as the file is long. Where copies lie is settled once for each
  // connection: changed later, its temporary tables are gone.
  const other = openDatabase(db.name);
  try {
    other.pragma('temp_store = FILE');
    other.exec('VACUUM');
    other.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    other.close();
  }
}
