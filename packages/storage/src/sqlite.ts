import { createRequire } from 'node:module';
import type Sqlite from 'better-sqlite3';
import { loadNative } from '@causantic/domain';

const nodeMajor = Number(process.versions.node.split('.')[0]);

/**
 * The package of better-sqlite3 that serves this Node: version 13 ends a process of Node 20, and version 12 one of
 * Node 24.19 and later, whenever a statement is collected (decision 0096).
 */
export const SQLITE_PACKAGE = nodeMajor < 22 ? 'better-sqlite3-node20' : 'better-sqlite3';

const require = createRequire(import.meta.url);

/**
 * A connection as it is, without the product's schema and settings; for those there is `Store.open`.
 * @param source path of a database, or the bytes of one
 * @throws SqliteError, NativeModuleError
 */
export function openSqlite(source: string | Buffer, options: Sqlite.Options = {}): Sqlite.Database {
  return loadNative(SQLITE_PACKAGE, () => {
    const Database = require(SQLITE_PACKAGE) as typeof Sqlite;
    return new Database(source, options);
  });
}

export function isSqliteError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && error.name === 'SqliteError';
}
