import type { Database } from 'better-sqlite3';
import { prepared } from './prepared.js';

const reading = new WeakSet<Database>();

/**
 * Runs `read`, which is synchronous and writes nothing, as of one moment. A short statement in a transaction of its own
 * takes twice as long.
 */
export function readTransaction<T>(db: Database, read: () => T): T {
  if (db.inTransaction) return read();
  prepared(db, 'BEGIN').run();
  reading.add(db);
  try {
    return read();
  } finally {
    reading.delete(db);
    // An error of the disk may have ended it.
    if (db.inTransaction) prepared(db, 'COMMIT').run();
  }
}

/** Whether what this connection has written may still be taken back. */
export function mayRollBack(db: Database): boolean {
  return db.inTransaction && !reading.has(db);
}
