import type { Database, Statement } from 'better-sqlite3';
import { FIRST_CAPACITY, grown } from './grown-array.js';

/**
 * How long a chunk is, in words of the index, and whose it is, held in memory: scoring asks for thousands of them a
 * search. 8 bytes a chunk id. Read when first asked for; a chunk never changes, and no id is used twice.
 */
export class IndexedChunks {
  private readonly find: Statement;
  /** By chunk id; 0 for those not yet read. */
  private lengths = new Int32Array(FIRST_CAPACITY);
  private projects = new Int32Array(FIRST_CAPACITY);

  constructor(db: Database) {
    this.find = db
      .prepare(
        `SELECT group_concat(d.id || ',' || s.project_id || ',' || hex(d.sz)) FROM json_each(?) wanted
         JOIN chunk_fts_docsize d ON d.id = wanted.value
         JOIN chunk c INDEXED BY chunk_place ON c.id = d.id
         JOIN session s ON s.id = c.session_id`,
      )
      .pluck();
  }

  /** Read what is not known of these. What no longer is in the index keeps the length 0. */
  load(ids: Iterable<number>): void {
    const unknown: number[] = [];
    for (const id of ids) {
      if (id >= this.lengths.length) this.lengths = grown(this.lengths, id + 1);
      if (this.lengths[id] === 0 && unknown.at(-1) !== id) unknown.push(id);
    }
    if (unknown.length === 0) return;
    this.projects = grown(this.projects, this.lengths.length);
    const found = this.find.get(JSON.stringify(unknown)) as string | null;
    const fields = found?.split(',') ?? [];
    for (let i = 0; i < fields.length; i += 3) {
      const id = Number(fields[i]);
      this.projects[id] = Number(fields[i + 1]);
      this.lengths[id] = sumOf(varints(Buffer.from(fields[i + 2]!, 'hex')));
    }
  }

  /** Words in all columns together; only after `load`. */
  length(id: number): number {
    return this.lengths[id] ?? 0;
  }

  projectId(id: number): number {
    return this.projects[id] ?? 0;
  }

  /** Ids mean other chunks now. */
  clear(): void {
    this.lengths.fill(0);
  }
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, value) => sum + value, 0);
}

/** SQLite's variable-length integers: seven bits a byte, the first ones first. */
export function varints(bytes: Uint8Array): number[] {
  const values: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 127);
    if (byte < 128) {
      values.push(value);
      value = 0;
    }
  }
  return values;
}
