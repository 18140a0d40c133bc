import type { Database, Statement } from 'better-sqlite3';
import { grown } from '@causantic/domain/grown-array';

/** Rows read ahead before other work gets a turn: about 5 ms. */
const SLICE_ROWS = 4_000;

/** As the index declares its columns. */
const PROMPT_COLUMN = 1;

/**
 * How long a chunk is, in words of the index, and whether a person said some of them, held in memory: scoring asks for
 * thousands of them a search. 5 bytes a chunk id. Read when first asked for; a chunk never changes, and no id is used twice.
 */
export class IndexedChunks {
  private readonly find: Statement;
  private readonly newer: Statement;
  /** By chunk id; 0 for those not yet read. */
  private lengths = new Int32Array(0);
  private prompts = new Uint8Array(0);
  /** All up to it were read ahead. */
  private lastId = 0;

  constructor(db: Database) {
    const fields = `d.id || ',' || hex(d.sz)`;
    this.find = db
      .prepare(
        `SELECT group_concat(${fields}) FROM json_each(?) wanted JOIN chunk_fts_docsize d ON d.id = wanted.value`,
      )
      .pluck();
    this.newer = db
      .prepare(
        `SELECT group_concat(fields) FROM
           (SELECT ${fields} AS fields FROM chunk_fts_docsize d WHERE d.id > ? ORDER BY d.id LIMIT ${SLICE_ROWS})`,
      )
      .pluck();
  }

  /** Reads some that were not read ahead, in a third of the time that each takes when asked for; false for the last ones. */
  readAhead(): boolean {
    const [count, lastId] = this.take(this.newer.get(this.lastId) as string | null);
    this.lastId = lastId ?? this.lastId;
    return count === SLICE_ROWS;
  }

  /** Read what is not known of these. What no longer is in the index keeps the length 0. */
  load(ids: Iterable<number>): void {
    const unknown: number[] = [];
    for (const id of ids) {
      this.lengths = grown(this.lengths, id + 1);
      if (this.lengths[id] === 0 && unknown.at(-1) !== id) unknown.push(id);
    }
    if (unknown.length > 0) this.take(this.find.get(JSON.stringify(unknown)) as string | null);
  }

  /** @returns how many these are, and the last one's id */
  private take(found: string | null): [count: number, lastId?: number] {
    if (found === null) return [0];
    const fields = found.split(',');
    const lastId = Number(fields.at(-2));
    this.lengths = grown(this.lengths, lastId + 1);
    this.prompts = grown(this.prompts, this.lengths.length);
    for (let i = 0; i < fields.length; i += 2) {
      const id = Number(fields[i]);
      const lengths = varints(Buffer.from(fields[i + 1]!, 'hex'));
      this.lengths[id] = sumOf(lengths);
      this.prompts[id] = Math.sign(lengths[PROMPT_COLUMN]!);
    }
    return [fields.length / 2, lastId];
  }

  /** Words in all columns together; only after `load`. */
  length(id: number): number {
    return this.lengths[id] ?? 0;
  }

  /** Whether the index has words of it that a person said; only after `load`. */
  isSaidByPerson(id: number): boolean {
    return this.prompts[id] === 1;
  }

  /** Ids mean other chunks now. */
  clear(): void {
    this.lengths.fill(0);
    this.lastId = 0;
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
