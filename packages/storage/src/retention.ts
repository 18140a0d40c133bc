import type { Database } from 'better-sqlite3';

/** The oldest chunks, and the space that all take. */
export class Retention {
  constructor(private readonly db: Database) {}

  /** Ids of the oldest chunks. */
  oldest(limit: number): number[] {
    const sql = 'SELECT id FROM chunk ORDER BY order_time, id LIMIT ?';
    return this.db.prepare(sql).pluck().all(limit) as number[];
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
