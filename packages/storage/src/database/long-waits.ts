import type { Database } from 'better-sqlite3';
import { isSqliteError } from './sqlite.js';
import { writingProcess } from './writing-process.js';

export interface Patience {
  busyTimeoutMs: number;
  /** Called with the writing process, if the system can tell. */
  onWait(writer: string | null): void;
}

/** A wait that a person notices. */
export const LONG_WAIT_MS = 2_000;

const patience = new WeakMap<Database, Patience>();

/** Reports when a transaction of this connection has to wait for long. */
export function tellOfLongWaits(db: Database, options: Patience): void {
  patience.set(db, options);
}

export function tellOfLongWait(db: Database): void {
  patience.get(db)?.onWait(writingProcess(db.name));
}

/** Call this before a transaction: SQLite waits silently, and no timer of this thread runs meanwhile. */
export function waitForWriter(db: Database): void {
  const known = patience.get(db);
  if (!known || db.inTransaction) return;
  const { busyTimeoutMs } = known;
  db.pragma(`busy_timeout = ${Math.min(LONG_WAIT_MS, busyTimeoutMs)}`);
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
  } catch (error) {
    if (!isSqliteError(error) || !error.code.startsWith('SQLITE_BUSY')) throw error;
    tellOfLongWait(db);
  } finally {
    db.pragma(`busy_timeout = ${busyTimeoutMs}`);
  }
}
