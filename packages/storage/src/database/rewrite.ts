import type { Database } from 'better-sqlite3';
import { dirname } from 'node:path';
import { pause, StorageError } from '@causantic/domain';
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
  const busyTimeoutMs = db.pragma('busy_timeout', { simple: true }) as number;
  const other = openDatabase(db.name, { busyTimeoutMs });
  try {
    other.pragma('temp_store = FILE');
    // Not among the system's temporary files, which may lie on a disk that is not encrypted, or on a small one.
    other.pragma(`temp_store_directory = '${dirname(db.name).replaceAll("'", "''")}'`);
    other.exec('VACUUM');
    emptyLog(other, busyTimeoutMs);
  } finally {
    other.close();
  }
}

const PAUSE_MS = 20;

/**
 * SQLite waits for readers, but not for a connection that is copying the log into the file, and takes it for no error when
 * the log has to stay. Whoever writes next after a rewriting copies all of it, which takes seconds in a large memory.
 */
function emptyLog(db: Database, withinMs: number): void {
  const untilMs = performance.now() + withinMs;
  while (db.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 1) {
    if (performance.now() >= untilMs)
      throw new StorageError('BUSY', `Another process is reading ${db.name} as it was before.`);
    pause(PAUSE_MS);
  }
}
