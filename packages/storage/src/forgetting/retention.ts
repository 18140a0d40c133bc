import type { Database } from 'better-sqlite3';
import { filterSql } from '../chunks/chunk-filter.js';

/** A client's notes are as old as their last change, and hold as long as their files are there. */
const MAY_EXPIRE = `c.transcript_id NOT IN (SELECT t.id FROM transcript t JOIN session s ON s.id = t.session_id
  WHERE s.source = 'claude-code-notes' AND t.checkpoint IS NOT NULL)`;

/** The oldest chunks, and the space that all take. */
export class Retention {
  constructor(private readonly db: Database) {}

  /** Ids of the oldest chunks that may be deleted. */
  oldest(limit: number): number[] {
    const sql = `SELECT c.id FROM chunk c WHERE ${MAY_EXPIRE} ORDER BY c.order_time, c.id LIMIT ?`;
    return this.db.prepare(sql).pluck().all(limit) as number[];
  }

  /** Ids of the chunks that start before this time. */
  before(timeMs: number): number[] {
    const { where, parameters } = filterSql({ beforeMs: timeMs });
    const sql = `SELECT c.id FROM chunk c WHERE ${MAY_EXPIRE} AND ${where} ORDER BY c.id`;
    return this.db
      .prepare(sql)
      .pluck()
      .all(...parameters) as number[];
  }

  /** Bytes of the database that are in use, without what stays when all chunks are deleted: what was read, and deleted. */
  usedBytes(): number {
    const pragma = (name: string): number => this.db.pragma(name, { simple: true }) as number;
    const used = (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
    const staying = this.db
      .prepare(
        `SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE aggregate = TRUE AND name IN
           (SELECT name FROM sqlite_schema WHERE tbl_name IN ('record', 'forgotten', 'transcript'))`,
      )
      .pluck()
      .get() as number;
    return used - staying;
  }
}
