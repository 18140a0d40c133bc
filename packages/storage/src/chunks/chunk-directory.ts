import { setImmediate } from 'node:timers/promises';
import type { Database, Statement } from 'better-sqlite3';
import { madeOnce } from '@causantic/domain';
import { grown } from '@causantic/domain/grown-array';
import { numbersOf } from '../database/number-list.js';
import { revisionQuery } from '../vectors/embedding-use.js';

/** Rows read before other work gets a turn: about 5 ms. */
const SLICE_ROWS = 8_000;

/** Numbers of a row. */
const FIELDS = 4;

/**
 * The position of every chunk, held in memory: ranking looks up thousands of positions per search, and reading each
 * from the chunk table would touch a page. It takes 16 bytes per chunk id. Chunk ids are never reused, so entries of
 * deleted chunks do no harm, until an imported archive replaces the memory.
 */
export class ChunkDirectory {
  private readonly newer: Statement;
  private readonly askRevision: () => number;
  private revision: number | undefined;
  /** By chunk id; 0 for ids that are not known. */
  private sessions = new Int32Array(0);
  /** By chunk id: the chunks before and after it in its transcript; 0 if there is none. */
  private before = new Int32Array(0);
  private after = new Int32Array(0);
  /** By transcript, chunk ids in their order. */
  private readonly transcripts = new Map<number, number[]>();
  private readonly sizeOf = new Map<number, number>();
  private count = 0;
  private lastId = 0;
  private lastSession = 0;

  constructor(db: Database) {
    this.newer = db
      .prepare(
        `SELECT group_concat(id || ',' || session_id || ',' || transcript_id || ',' || seq) FROM
           (SELECT id, session_id, transcript_id, seq FROM chunk INDEXED BY chunk_place
            WHERE id > ? ORDER BY id LIMIT ${SLICE_ROWS})`,
      )
      .pluck();
    this.askRevision = revisionQuery(db);
  }

  /** Adds what any process has stored since the last call. */
  async refresh(): Promise<void> {
    const revision = this.askRevision();
    if (revision !== this.revision) this.clear();
    this.revision = revision;
    while (this.readSlice()) await setImmediate();
  }

  /** An imported archive changes the revision, and brings other chunks under the same ids. */
  private clear(): void {
    for (const array of [this.sessions, this.before, this.after]) array.fill(0);
    this.transcripts.clear();
    this.sizeOf.clear();
    this.count = 0;
    this.lastId = 0;
  }

  private readSlice(): boolean {
    const fields = numbersOf(this.newer.get(this.lastId) as string | null);
    this.lastId = fields.at(-FIELDS) ?? this.lastId;
    this.growTo(this.lastId + 1);
    for (let at = 0; at < fields.length; at += FIELDS) {
      const [id, session, transcript] = [fields[at]!, fields[at + 1]!, fields[at + 2]!];
      const seq = fields[at + 3]!;
      this.sessions[id] = session;
      this.lastSession = Math.max(this.lastSession, session);
      this.sizeOf.set(session, (this.sizeOf.get(session) ?? 0) + 1);
      this.put(id, transcript, seq);
    }
    const rows = fields.length / FIELDS;
    this.count += rows;
    return rows === SLICE_ROWS;
  }

  private put(id: number, transcript: number, seq: number): void {
    const chunks = madeOnce(this.transcripts, transcript, (): number[] => []);
    const replaced = chunks[seq];
    if (replaced !== undefined) this.drop(replaced);
    chunks[seq] = id;
    this.link(chunks[seq - 1], id);
    this.link(id, chunks[seq + 1]);
  }

  /** Its turn was read again, as that of a session that goes on is many times: no chunk counts twice. */
  private drop(id: number): void {
    const session = this.sessions[id]!;
    const left = this.sessionSize(session) - 1;
    if (left > 0) this.sizeOf.set(session, left);
    else this.sizeOf.delete(session);
    this.sessions[id] = 0;
    this.count--;
  }

  private link(id: number | undefined, next: number | undefined): void {
    if (id === undefined || next === undefined) return;
    this.after[id] = next;
    this.before[next] = id;
  }

  private growTo(capacity: number): void {
    this.sessions = grown(this.sessions, capacity);
    this.before = grown(this.before, capacity);
    this.after = grown(this.after, capacity);
  }

  /** All known ids are below. */
  get idsBelow(): number {
    return this.lastId + 1;
  }

  /** All known sessions are below. */
  get sessionsBelow(): number {
    return this.lastSession + 1;
  }

  /** The session of a chunk; undefined for one stored after the last refresh, or replaced before it. */
  session(id: number): number | undefined {
    return this.sessions[id] || undefined;
  }

  /** Number of chunks of a session, with those that were forgotten since this process first saw them. */
  sessionSize(session: number): number {
    return this.sizeOf.get(session) ?? 0;
  }

  /** Mean number of chunks per session. */
  meanSessionSize(): number {
    return this.sizeOf.size === 0 ? 0 : this.count / this.sizeOf.size;
  }

  /** The chunk before (−1) or after (1) this one in the same transcript. */
  neighbour(id: number, offset: -1 | 1): number | undefined {
    return (offset === 1 ? this.after : this.before)[id] || undefined;
  }
}
