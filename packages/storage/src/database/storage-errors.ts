import { statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { StorageError, errorMessage } from '@causantic/domain';
import { isSqliteError } from './sqlite.js';
import { writingProcess } from './writing-process.js';

type Code = Exclude<StorageError['code'], 'MIGRATION_FAILED'>;

/** By SQLite's primary result code, such as CANTOPEN of SQLITE_CANTOPEN_ISDIR. */
const CODES: Record<string, Code> = {
  BUSY: 'BUSY',
  LOCKED: 'BUSY',
  CORRUPT: 'CORRUPT',
  NOTADB: 'CORRUPT',
  CANTOPEN: 'NO_ACCESS',
  READONLY: 'NO_ACCESS',
  FULL: 'NO_ROOM',
  IOERR: 'DISK_FAILED',
};

/** System calls on the folder and the files, other than opening them. */
const FILE_CALLS = new Set(['mkdir', 'chmod', 'stat']);
/** Of a disk, or of the connection to it. */
const DISK_FAILURES = new Set(['EIO', 'ENOTCONN', 'ESTALE', 'EHOSTDOWN', 'ETIMEDOUT', 'ENODEV', 'ENXIO']);

const EXPLANATIONS: Record<Code, (path: string) => string> = {
  BUSY: (path) => {
    const writer = writingProcess(path);
    const who = writer === null ? 'another process' : `process ${writer}`;
    return `The database ${path} is locked by ${who} and did not become free in time. Try again when that is done.`;
  },
  CORRUPT: (path) =>
    `The database ${path} is damaged or not a Causantic database. Move it away and read the transcripts again, or import an export with --replace.`,
  NO_ACCESS: (path) =>
    `The database ${path} cannot be opened: it must be a file of yours in a folder that you can write to.`,
  NO_ROOM: (path) => `There is no space left on the disk for ${path}.`,
  DISK_FAILED: (path) =>
    `Reading or writing ${path} failed: the disk is faulty, not connected or a network drive that cannot hold a database, or file sizes are limited.`,
};

/**
 * Translates errors of SQLite and of creating its file. Any other error passes through, such as one with a file that
 * was read meanwhile.
 */
export function asStorageError(cause: unknown, path: string): unknown {
  const code = codeOf(cause, path);
  if (!code) return cause;
  return new StorageError(code, `${EXPLANATIONS[code](path)} (${errorMessage(cause)})`, {
    cause,
    data: { path },
  });
}

/** Of copies in memory, which SQLite calls `:memory:`, the files that they were made of. */
const copied = new WeakMap<Database, string>();

export function noteCopyOf(db: Database, path: string): void {
  copied.set(db, path);
}

/** The file of a database, for an error. */
export function fileOf(db: Database): string {
  return copied.get(db) ?? db.name;
}

function codeOf(cause: unknown, path: string): Code | undefined {
  if (isSqliteError(cause)) {
    const code = CODES[cause.code.split('_')[1] ?? ''];
    // The files beside the database fail in this way where there is no room for them.
    return code === 'DISK_FAILED' && isDiskFull(path) ? 'NO_ROOM' : code;
  }
  const { syscall, code, path: file } = (cause ?? {}) as NodeJS.ErrnoException;
  if (syscall === undefined || !FILE_CALLS.has(syscall)) return undefined;
  if (file !== undefined && !isOfDatabase(resolve(file), resolve(path))) return undefined;
  if (code === 'ENOSPC') return 'NO_ROOM';
  return code !== undefined && DISK_FAILURES.has(code) ? 'DISK_FAILED' : 'NO_ACCESS';
}

/** Whether this is the database, a file beside it or a folder above it. */
const isOfDatabase = (file: string, path: string): boolean => file.startsWith(path) || path.startsWith(file);

/** Less than SQLite needs to open a database. */
const LEAST_ROOM_BYTES = 64 * 1024;

function isDiskFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < LEAST_ROOM_BYTES;
  } catch {
    return false;
  }
}
