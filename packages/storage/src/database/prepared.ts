import type { Database, Statement } from 'better-sqlite3';

const statements = new WeakMap<Database, Map<string, Statement>>();

/**
 * For what is asked in every search, or for every session: to prepare a statement anew takes longer than to run it. Not to
 * be iterated.
 */
export function prepared(db: Database, sql: string): Statement {
  let known = statements.get(db);
  if (known === undefined) statements.set(db, (known = new Map<string, Statement>()));
  let statement = known.get(sql);
  if (statement === undefined) known.set(sql, (statement = db.prepare(sql)));
  return statement;
}
