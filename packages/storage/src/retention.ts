import type { Database } from 'better-sqlite3';
import { BEFORE } from './chunks.js';

/** What is oldest, and how much room everything takes. */
export class Retention {
  constructor(private readonly db: Database) {}

  /** Ids of the chunks of a time before this one, in milliseconds since the epoch; of some no time is known. */
  before(timeMs: number): number[] {
    return this.db.prepare(`SELECT id FROM chunk WHERE ${BEFORE}`).pluck().all(timeMs) as number[];
  }

  /** Ids of the oldest chunks. */
  oldest(limit: number): number[] {
    const sql = 'SELECT id FROM chunk ORDER BY order_time, id LIMIT ?';
    return this.db.prepare(sql).pluck().all(limit) as number[];
  }

  /** Bytes of the database that hold something. */
  usedBytes(): number {
    const pragma = (name: string): number => this.db.pragma(name, { simple: true }) as number;
    return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  }
}
