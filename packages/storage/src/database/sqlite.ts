import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';
import { loadNative } from '@causantic/domain';

const nodeMajor = Number(process.versions.node.split('.')[0]);

/**
 * The better-sqlite3 package for this version of Node: version 13 crashes Node 20, and version 12 crashes Node 24.19 and
 * later, whenever a statement is garbage-collected (decision 0096).
 */
export const SQLITE_PACKAGE = nodeMajor < 22 ? 'better-sqlite3-node20' : 'better-sqlite3';

const require = createRequire(import.meta.url);

/**
 * A plain connection, without the product's schema and settings; for those use `Store.open`.
 * @param source path of a database, or the bytes of one
 * @throws SqliteError, NativeModuleError
 */
export function openSqlite(source: string | Buffer, options: Sqlite.Options = {}): Sqlite.Database {
  return loadNative(SQLITE_PACKAGE, () => {
    const Database = require(SQLITE_PACKAGE) as typeof Sqlite;
    return new Database(source, options);
  });
}

/** Reads something, because SQLite opens a file only then. */
export function readOnce(db: Sqlite.Database): void {
  db.prepare('SELECT count(*) FROM sqlite_schema').get();
}

export function isSqliteError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && error.name === 'SqliteError';
}
