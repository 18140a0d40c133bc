import type { Database } from 'better-sqlite3';
import { asStorageError, fileOf } from './storage-errors.js';
import { waitForWriter } from './long-waits.js';

/**
 * Run `work` in one immediate transaction: all of it, or nothing. Waits for other writers up to the connection's busy
 * timeout.
 * @throws StorageError, and whatever `work` throws
 */
export function writeTransaction<T>(db: Database, work: () => T): T {
  try {
    waitForWriter(db);
    return db.transaction(work).immediate();
  } catch (cause) {
    throw asStorageError(cause, fileOf(db));
  }
}

/**
 * Run one statement in a transaction of its own. Returns how many rows it changed.
 * @throws StorageError
 */
export function writeStatement(db: Database, sql: string, ...parameters: unknown[]): number {
  return writeTransaction(db, () => db.prepare(sql).run(...parameters).changes);
}
