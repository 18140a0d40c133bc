import type { Database, Statement } from 'better-sqlite3';

/** Rows read before other work gets a turn: about 5 ms. */
const SLICE_ROWS = 8_000;

/**
 * Where every chunk stands, held in memory: ranking looks up thousands of places a search, and reading them from
 * the chunk table would touch a page each. About 40 bytes a chunk. Chunk ids are never used twice, so entries of
 * deleted chunks do no harm.
 */
export class ChunkDirectory {
  private readonly newer: Statement;
  private readonly sessionOf = new Map<number, number>();
  private readonly continuing = new Set<number>();
  private readonly sizeOf = new Map<number, number>();
  private readonly placeOf = new Map<number, { ids: number[]; seq: number }>();
  private readonly byTranscript = new Map<number, number[]>();
  private lastId = 0;

  constructor(db: Database) {
    this.newer = db
      .prepare(
        `SELECT id, session_id, transcript_id, seq, continues FROM chunk INDEXED BY chunk_place
         WHERE id > ? ORDER BY id LIMIT ${SLICE_ROWS}`,
      )
      .raw();
  }

  /** Take in what was stored since the last call, by any process. */
  async refresh(): Promise<void> {
    while (this.readSlice()) await new Promise((resolve) => setImmediate(resolve));
  }

  private readSlice(): boolean {
    const rows = this.newer.all(this.lastId) as [number, number, number, number, number][];
    for (const [id, session, transcript, seq, continues] of rows) {
      this.sessionOf.set(id, session);
      if (continues) this.continuing.add(id);
      this.sizeOf.set(session, (this.sizeOf.get(session) ?? 0) + 1);
      let ids = this.byTranscript.get(transcript);
      if (!ids) this.byTranscript.set(transcript, (ids = []));
      ids[seq] = id;
      this.placeOf.set(id, { ids, seq });
    }
    this.lastId = rows.at(-1)?.[0] ?? this.lastId;
    return rows.length === SLICE_ROWS;
  }

  /** The session of a chunk; undefined for ids stored after the last refresh. */
  session(id: number): number | undefined {
    return this.sessionOf.get(id);
  }

  /** Number of chunks ever stored for a session. */
  sessionSize(session: number): number {
    return this.sizeOf.get(session) ?? 0;
  }

  /** Mean number of chunks a session. */
  meanSessionSize(): number {
    return this.sizeOf.size === 0 ? 0 : this.sessionOf.size / this.sizeOf.size;
  }

  /** Whether the chunk begins within a message that an earlier chunk began. */
  continuesMessage(id: number): boolean {
    return this.continuing.has(id);
  }

  /** The chunk `offset` places further in the same transcript. */
  neighbour(id: number, offset: number): number | undefined {
    const place = this.placeOf.get(id);
    return place?.ids[place.seq + offset];
  }
}
