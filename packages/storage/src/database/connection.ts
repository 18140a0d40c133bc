import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { makeFolder, makePrivate, StorageError } from '@causantic/domain';
import { cannotShareMemory, chooseJournal, leaveWriteAheadLog } from './journal.js';
import { tellOfLongWaits } from './long-waits.js';
import { migrate } from './migrations.js';
import { openSqlite, readOnce } from './sqlite.js';
import { asStorageError, noteCopyOf } from './storage-errors.js';

export interface OpenOptions {
  /** How long a writer waits for another process's transaction. A batch program can wait longer than a server. */
  busyTimeoutMs?: number;
  /**
   * Opens a memory that cannot be written, on a full or read-only disk, for reading: as a copy in memory, if nobody is
   * writing to it. Writing then fails.
   */
  forReading?: boolean;
  /** Called when a transaction has waited for some seconds, with the writing process if the system can tell. */
  onWait?: (writer: string | null) => void;
}

/** One ingest transaction of a very large transcript may hold the lock for seconds; waiting beats failing. */
const DEFAULT_BUSY_TIMEOUT_MS = 60_000;

/**
 * Open (and create or migrate) the database at `path`; `:memory:` serves tests. Folder 0700, files 0600.
 * @throws StorageError CORRUPT when the file is not a database, NO_ACCESS, MIGRATION_FAILED, BUSY
 * @throws NativeModuleError
 */
export function openDatabase(path: string, options: OpenOptions = {}): Database {
  try {
    return openForWriting(path, options);
  } catch (error) {
    const unwritable = options.forReading ? openUnwritable(path, error) : undefined;
    if (!unwritable) throw error;
    noteCopyOf(unwritable, path);
    return unwritable;
  }
}

function openForWriting(
  path: string,
  { busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS, onWait }: OpenOptions,
): Database {
  const onDisk = path !== ':memory:';
  const connect = (): Database => {
    const db = openSqlite(path, { timeout: busyTimeoutMs });
    return madeReady(db, () => {
      if (onWait) tellOfLongWaits(db, { busyTimeoutMs, onWait });
      if (onDisk) restrictPermissions(path);
      if (onDisk) chooseJournal(db, busyTimeoutMs);
      configure(db);
      migrate(db);
      if (onDisk) restrictPermissions(path);
    });
  };
  try {
    if (onDisk) makeFolder(dirname(path));
    try {
      return connect();
    } catch (error) {
      if (!cannotShareMemory(error)) throw error;
      leaveWriteAheadLog(path, busyTimeoutMs);
      return connect();
    }
  } catch (cause) {
    throw asStorageError(cause, path);
  }
}

/** Closes the database if this fails: otherwise Windows would not let a damaged file be moved while this process lives. */
function madeReady(db: Database, prepare: () => void): Database {
  try {
    prepare();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Undefined if the error has another reason, or if the file alone does not hold everything. */
function openUnwritable(path: string, error: unknown): Database | undefined {
  if (!isUnwritable(path, error)) return undefined;
  try {
    return openBesideWriter(path);
  } catch {
    const bytes = bytesOfFile(path);
    return bytes && openBytesForReading(bytes);
  }
}

function openBytesForReading(bytes: Buffer): Database {
  try {
    return openBytes(bytes, { readonly: true });
  } catch {
    // Of an older version: its tables are not those that are read.
    const migrated = openBytes(bytes);
    try {
      return openBytes(migrated.serialize(), { readonly: true });
    } finally {
      migrated.close();
    }
  }
}

function isUnwritable(path: string, error: unknown): boolean {
  const code = error instanceof StorageError ? error.code : undefined;
  if (code !== 'NO_ACCESS') return code === 'NO_ROOM';
  try {
    accessSync(dirname(path), constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

/** Works while another process that can write to the folder has the files beside the database open. */
function openBesideWriter(path: string): Database {
  const db = openSqlite(path, { readonly: true });
  return madeReady(db, () => {
    readOnce(db);
    migrate(db);
  });
}

/** Undefined if part of the data is still in the log beside it, or if the file is missing or too large. */
function bytesOfFile(path: string): Buffer | undefined {
  try {
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
    return log && log.size > 0 ? undefined : readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Of a database's header: with what it is written and read; 1 is a journal, which a database in memory has. */
const JOURNAL_BYTES = [18, 19];

function openBytes(bytes: Buffer, options: { readonly?: boolean } = {}): Database {
  for (const at of JOURNAL_BYTES) bytes[at] = 1;
  const db = openSqlite(bytes, options);
  return madeReady(db, () => {
    configure(db);
    migrate(db);
  });
}

/**
 * A copy of a database in memory, which takes as much memory as the file. Changes to it do not reach the file.
 * @throws StorageError as `openDatabase`
 */
export function copyDatabase(path: string): Database {
  try {
    return openBytes(bytesOf(path));
  } catch (cause) {
    throw asStorageError(cause, path);
  }
}

function bytesOf(path: string): Buffer {
  // Not read-only: such a connection leaves its write-ahead log behind.
  const original = openSqlite(path, { fileMustExist: true, timeout: DEFAULT_BUSY_TIMEOUT_MS });
  try {
    readOnce(original);
    return original.serialize();
  } catch (cause) {
    const error = asStorageError(cause, path);
    const bytes = isUnwritable(path, error) ? bytesOfFile(path) : undefined;
    if (!bytes) throw error;
    return bytes;
  } finally {
    original.close();
  }
}

function configure(db: Database): void {
  db.pragma('foreign_keys = ON');
  // Overwrites what was deleted in pages that stay in use, but for rows that move to other pages; `Forgetting` sees to the rest.
  db.pragma('secure_delete = FAST');
  db.pragma('cache_size = -32000');
  db.pragma('temp_store = MEMORY');
}

function restrictPermissions(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      makePrivate(file);
    } catch (error) {
      // The files beside the database go with the last process that has it open.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
