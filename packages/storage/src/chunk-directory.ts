import type { Database, Statement } from 'better-sqlite3';
import { FIRST_CAPACITY, grown } from './grown-array.js';
import { numbersOf } from './number-list.js';

/** Rows read before other work gets a turn: about 5 ms. */
const SLICE_ROWS = 8_000;

/** Numbers of a row. */
const FIELDS = 5;

/**
 * Where every chunk stands, held in memory: ranking looks up thousands of places a search, and reading them from
 * the chunk table would touch a page each. 17 bytes a chunk id. Chunk ids are never used twice, so entries of
 * deleted chunks do no harm.
 */
export class ChunkDirectory {
  private readonly newer: Statement;
  /** By chunk id; 0 for ids that are not known. */
  private sessions = new Int32Array(FIRST_CAPACITY);
  private continuing = new Uint8Array(FIRST_CAPACITY);
  /** By chunk id: its transcript's position in `transcripts`, and its own place in there. */
  private transcriptOf = new Int32Array(FIRST_CAPACITY);
  private seqOf = new Int32Array(FIRST_CAPACITY);
  /** Chunk ids in their order. */
  private readonly transcripts: number[][] = [];
  private readonly positions = new Map<number, number>();
  private readonly sizeOf = new Map<number, number>();
  private count = 0;
  private lastId = 0;

  constructor(db: Database) {
    this.newer = db
      .prepare(
        `SELECT group_concat(id || ',' || session_id || ',' || transcript_id || ',' || seq || ',' || continues) FROM
           (SELECT id, session_id, transcript_id, seq, continues FROM chunk INDEXED BY chunk_place
            WHERE id > ? ORDER BY id LIMIT ${SLICE_ROWS})`,
      )
      .pluck();
  }

  /** Take in what was stored since the last call, by any process. */
  async refresh(): Promise<void> {
    while (this.readSlice()) await new Promise((resolve) => setImmediate(resolve));
  }

  private readSlice(): boolean {
    const fields = numbersOf(this.newer.get(this.lastId) as string | null);
    this.lastId = fields.at(-FIELDS) ?? this.lastId;
    this.growTo(this.lastId + 1);
    for (let at = 0; at < fields.length; at += FIELDS) {
      const [id, session, transcript] = [fields[at]!, fields[at + 1]!, fields[at + 2]!];
      const seq = fields[at + 3]!;
      this.sessions[id] = session;
      this.continuing[id] = fields[at + 4]!;
      this.sizeOf.set(session, (this.sizeOf.get(session) ?? 0) + 1);
      const position = this.positionOf(transcript);
      this.transcripts[position]![seq] = id;
      this.transcriptOf[id] = position;
      this.seqOf[id] = seq;
    }
    const rows = fields.length / FIELDS;
    this.count += rows;
    return rows === SLICE_ROWS;
  }

  private positionOf(transcript: number): number {
    let position = this.positions.get(transcript);
    if (position === undefined) {
      position = this.transcripts.push([]) - 1;
      this.positions.set(transcript, position);
    }
    return position;
  }

  private growTo(capacity: number): void {
    this.sessions = grown(this.sessions, capacity);
    this.continuing = grown(this.continuing, capacity);
    this.transcriptOf = grown(this.transcriptOf, capacity);
    this.seqOf = grown(this.seqOf, capacity);
  }

  /** All known ids are below. */
  get idsBelow(): number {
    return this.lastId + 1;
  }

  /** The session of a chunk; undefined for ids stored after the last refresh. */
  session(id: number): number | undefined {
    return this.sessions[id] || undefined;
  }

  /** Number of chunks ever stored for a session. */
  sessionSize(session: number): number {
    return this.sizeOf.get(session) ?? 0;
  }

  /** Mean number of chunks a session. */
  meanSessionSize(): number {
    return this.sizeOf.size === 0 ? 0 : this.count / this.sizeOf.size;
  }

  /** Whether the chunk begins within a message that an earlier chunk began. */
  continuesMessage(id: number): boolean {
    return this.continuing[id] === 1;
  }

  /** The chunk `offset` places further in the same transcript. */
  neighbour(id: number, offset: number): number | undefined {
    return this.sessions[id]
      ? this.transcripts[this.transcriptOf[id]!]![this.seqOf[id]! + offset]
      : undefined;
  }
}
