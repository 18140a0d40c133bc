import type { Database, Statement } from 'better-sqlite3';
import { madeOnce } from '@causantic/domain';

const statements = new WeakMap<Database, Map<string, Statement>>();

/**
 * For what is asked in every search, or for every session: to prepare a statement anew takes longer than to run it. Not to
 * be iterated.
 */
export function prepared(db: Database, sql: string): Statement {
  const known = madeOnce(statements, db, () => new Map<string, Statement>());
  return madeOnce(known, sql, () => db.prepare(sql));
}
