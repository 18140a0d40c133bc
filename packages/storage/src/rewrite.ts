import type { Database } from 'better-sqlite3';

/** Write all that is stored anew: what was deleted is in no page, no segment of a word index, and no log after it. */
export function rewrite(db: Database): void {
  db.exec("INSERT INTO chunk_fts(chunk_fts) VALUES ('optimize')");
  db.exec("INSERT INTO identifier_fts(identifier_fts) VALUES ('optimize')");
  // In memory the copy would take as much of it as the file is long.
  db.pragma('temp_store = FILE');
  try {
    db.exec('VACUUM');
  } finally {
    db.pragma('temp_store = MEMORY');
  }
  db.pragma('wal_checkpoint(TRUNCATE)');
}
