import { rmSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { threadId } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { pause } from '@causantic/domain';
import { isSqliteError, openSqlite, readOnce } from './sqlite.js';

/**
 * Gives a database a write-ahead log, with which readers and writers do not wait for each other. It keeps SQLite's older
 * journal where the file system cannot share memory between processes, as the log needs it (some folders that a virtual
 * machine shares with its host, some FUSE file systems), and where other machines may use the file, which share no memory.
 * @throws SqliteError, see {@link cannotShareMemory}
 */
export function chooseJournal(db: Database, busyTimeoutMs: number, isShared = mayBeElsewhere): void {
  const hadLog = db.pragma('journal_mode', { simple: true }) === 'wal';
  if (isShared(dirname(db.name))) {
    if (hadLog) endLog(db);
  } else if (!hadLog && canHaveLog(`${db.name}-probe-${process.pid}-${threadId}`)) {
    startLog(db, busyTimeoutMs);
  }
  const hasLog = db.pragma('journal_mode', { simple: true }) === 'wal';
  // With the log, NORMAL loses at most the last transactions on power failure, never the database; a lost transaction is
  // ingested again, since its checkpoint is lost with it.
  db.pragma(`synchronous = ${hasLog ? 'NORMAL' : 'FULL'}`);
}

/** Whether opening a database failed because of its log, and it can be opened after {@link leaveWriteAheadLog}. */
export function cannotShareMemory(error: unknown): boolean {
  return isSqliteError(error) && /^SQLITE_IOERR_SHM(OPEN|MAP)$/.test(error.code);
}

/** A log that one process alone uses needs no shared memory. */
export function leaveWriteAheadLog(path: string, busyTimeoutMs: number): void {
  const db = openSqlite(path, { timeout: busyTimeoutMs });
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/** Linux's numbers of NFS, SMB (three), Ceph, AFS, Lustre, GPFS, 9p, and FUSE, which does not say what is behind it. */
const SHARED_FILE_SYSTEMS = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x00c36400, 0x5346414f, 0x0bd00bd0, 0x47504653, 0x01021997,
  0x65735546,
]);

/** Whether other machines may use a folder, too: what a container or a virtual machine shares with its host among them. */
export function mayBeElsewhere(folder: string): boolean {
  return process.platform === 'linux' && SHARED_FILE_SYSTEMS.has(statfsSync(folder).type);
}

/** Not while other processes use it; the next to open it alone does. */
function endLog(db: Database): void {
  try {
    db.pragma('journal_mode = DELETE');
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/** Tried with a file of its own, which no other thread has: the database may be in use without a log. */
function canHaveLog(probe: string): boolean {
  const db = openSqlite(probe);
  try {
    db.pragma('synchronous = OFF');
    db.pragma('journal_mode = WAL');
    readOnce(db);
    return true;
  } catch (error) {
    if (cannotShareMemory(error)) return false;
    throw error;
  } finally {
    db.close();
    for (const file of [probe, `${probe}-wal`, `${probe}-shm`]) rmSync(file, { force: true });
  }
}

const PAUSE_MS = 10;

/** Of two processes that make a memory at the same moment, SQLite refuses one at once, whatever it is told to wait. */
function startLog(db: Database, withinMs: number): void {
  const untilMs = performance.now() + withinMs;
  for (;;) {
    try {
      db.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > untilMs) throw error;
      pause(PAUSE_MS);
    }
  }
}

function isBusy(error: unknown): boolean {
  return isSqliteError(error) && error.code === 'SQLITE_BUSY';
}
