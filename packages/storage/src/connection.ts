import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { StorageError, errorMessage } from '@causantic/domain';
import { migrate } from './migrations.js';

export interface OpenOptions {
  /** How long a writer waits for another process's transaction. A batch program can wait longer than a server. */
  busyTimeoutMs?: number;
}

/** One ingest transaction of a very large transcript may hold the lock for seconds; waiting beats failing. */
const DEFAULT_BUSY_TIMEOUT_MS = 60_000;

/**
 * Open (and create or migrate) the database at `path`; `:memory:` serves tests. Folder 0700, files 0600.
 * @throws StorageError CORRUPT when the file is not a database, MIGRATION_FAILED, BUSY
 */
export function openDatabase(path: string, options: OpenOptions = {}): Database.Database {
  const onDisk = path !== ':memory:';
  if (onDisk) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const db = new Database(path, { timeout: options.busyTimeoutMs ?? DEFAULT_BUSY_TIMEOUT_MS });
    if (onDisk) restrictPermissions(path);
    configure(db);
    migrate(db);
    if (onDisk) restrictPermissions(path);
    return db;
  } catch (cause) {
    throw asStorageError(cause, path);
  }
}

function configure(db: Database.Database): void {
  db.pragma('journal_mode = WAL');
  // In WAL mode NORMAL loses at most the last transactions on power failure, never the database; a lost
  // transaction is ingested again, since its checkpoint is lost with it.
  db.pragma('synchronous = NORMAL');
  db.pragma('foreign_keys = ON');
  // Overwrites what was deleted in pages that stay in use; `Forgetting` sees to those that become free.
  db.pragma('secure_delete = FAST');
  db.pragma('cache_size = -32000');
  db.pragma('temp_store = MEMORY');
}

function restrictPermissions(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (existsSync(file)) chmodSync(file, 0o600);
  }
}

const CODES: Record<string, 'BUSY' | 'CORRUPT'> = {
  SQLITE_BUSY: 'BUSY',
  SQLITE_BUSY_SNAPSHOT: 'BUSY',
  SQLITE_LOCKED: 'BUSY',
  SQLITE_CORRUPT: 'CORRUPT',
  SQLITE_NOTADB: 'CORRUPT',
};

/** SQLite's own errors in the product's words; anything else is passed through. */
export function asStorageError(cause: unknown, path: string): unknown {
  const sqliteCode = cause instanceof Database.SqliteError ? cause.code : '';
  const code = CODES[sqliteCode];
  if (!code) return cause;
  const explanation =
    code === 'BUSY'
      ? `The database ${path} is in use by another process and did not become free in time.`
      : `The database ${path} is damaged or not a Causantic database. Move it away and ingest again.`;
  return new StorageError(code, `${explanation} (${errorMessage(cause)})`, { cause, data: { path } });
}
