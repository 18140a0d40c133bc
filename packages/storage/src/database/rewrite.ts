import type { Database } from 'better-sqlite3';
import { dirname } from 'node:path';
import { StorageError } from '@causantic/domain';
import { removeAbandonedCopies } from '../archive/abandoned-copies.js';
import { openDatabase } from './connection.js';

/**
 * Rewrites everything stored. Afterwards, no page, word index segment, log or abandoned copy contains deleted text.
 * @throws StorageError BUSY where another process goes on reading what was there before
 */
export function rewrite(db: Database): void {
  db.exec("INSERT INTO chunk_fts(chunk_fts) VALUES ('optimize')");
  db.exec("INSERT INTO identifier_fts(identifier_fts) VALUES ('optimize')");
  if (db.memory) return;
  removeAbandonedCopies(dirname(db.name));
  // In memory the copy would take as much of it as the file is long. Where copies lie is settled once for each
  // connection: changed later, its temporary tables are gone.
  const other = openDatabase(db.name, {
    busyTimeoutMs: db.pragma('busy_timeout', { simple: true }) as number,
  });
  try {
    other.pragma('temp_store = FILE');
    other.exec('VACUUM');
    // SQLite takes it for no error when the log has to stay for a reader.
    const isLogKept = other.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 1;
    if (isLogKept) throw new StorageError('BUSY', `Another process is reading ${db.name} as it was before.`);
  } finally {
    other.close();
  }
}
