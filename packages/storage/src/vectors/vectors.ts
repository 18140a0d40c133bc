import type { Database } from 'better-sqlite3';
import type { Span } from '@causantic/domain';
import { RANKED } from '../chunks/chunks.js';
import { decodeSpans } from '../chunks/stored-spans.js';
import { prepared } from '../database/prepared.js';
import { writeStatement, writeTransaction } from '../database/write-transaction.js';
import { type EmbeddingLease, prolongLease } from './embedding-use.js';

/** A chunk that has no vector of a model yet. */
export interface PendingChunk {
  id: number;
  text: string;
  spans: Span[];
}

const DROPPED_AT_ONCE = 1_000;

/** Embeddings of chunks, by model. They are the source of truth; every index over them is derived. */
export class Vectors {
  constructor(private readonly db: Database) {}

  /** Ranked chunks without a vector of this model, in the order of ids, from the one after `afterId`. */
  pending(modelId: string, afterId: number, limit: number): PendingChunk[] {
    const pending = prepared(
      this.db,
      `SELECT c.id, c.text, c.spans FROM chunk c INDEXED BY chunk_ranked
       WHERE c.id > ? AND c.${RANKED}
         AND NOT EXISTS (SELECT 1 FROM chunk_vector v WHERE v.chunk_id = c.id AND v.model_id = ?)
       ORDER BY c.id LIMIT ?`,
    );
    const rows = pending.all(afterId, modelId, limit) as (Omit<PendingChunk, 'spans'> & { spans: string })[];
    return rows.map((row) => ({ ...row, spans: decodeSpans(row.spans) }));
  }

  countPending(modelId: string): number {
    return this.db
      .prepare(
        `SELECT (SELECT count(*) FROM chunk INDEXED BY chunk_ranked WHERE ${RANKED})
           - (SELECT count(*) FROM chunk_vector INDEXED BY vector_by_project WHERE model_id = ?)`,
      )
      .pluck()
      .get(modelId) as number;
  }

  /** How many of these chunks wait for a vector of this model. */
  countPendingOf(modelId: string, ids: readonly number[]): number {
    if (this.countPending(modelId) === 0) return 0;
    return this.db
      .prepare(
        `SELECT count(*) FROM chunk c WHERE c.id IN (SELECT value FROM json_each(?)) AND c.${RANKED}
         AND NOT EXISTS (SELECT 1 FROM chunk_vector v WHERE v.chunk_id = c.id AND v.model_id = ?)`,
      )
      .pluck()
      .get(JSON.stringify(ids), modelId) as number;
  }

  /** Models that have vectors, found without reading the entries of each. */
  models(): string[] {
    return this.db
      .prepare(
        `WITH RECURSIVE model(id) AS (
           SELECT min(model_id) FROM chunk_vector
           UNION ALL SELECT (SELECT min(model_id) FROM chunk_vector WHERE model_id > id) FROM model WHERE id IS NOT NULL
         )
         SELECT id FROM model WHERE id IS NOT NULL`,
      )
      .pluck()
      .all() as string[];
  }

  /** How many chunks have a vector, by model. */
  countByModel(): Record<string, number> {
    const rows = this.db
      .prepare('SELECT model_id, count(*) FROM chunk_vector INDEXED BY vector_by_project GROUP BY model_id')
      .raw()
      .all() as [string, number][];
    return Object.fromEntries(rows);
  }

  /**
   * Store vectors, n × dim row-major, in the order of the ids; one transaction. Returns how many were new.
   *
   * @param lease renewed in the same transaction; if it was taken away, nothing is stored and null returned
   */
  put(modelId: string, ids: readonly number[], vectors: Float32Array, lease?: EmbeddingLease): number | null {
    const dim = vectors.length / ids.length;
    // A chunk may have been deleted or replaced while its vector was computed.
    const insert = prepared(
      this.db,
      'INSERT INTO chunk_vector SELECT ?, project_id, id, ? FROM chunk WHERE id = ? ON CONFLICT DO NOTHING',
    );
    return writeTransaction(this.db, () => {
      if (lease && !prolongLease(this.db, lease)) return null;
      return ids.reduce((stored, id, row) => {
        const bytes = Buffer.from(vectors.buffer, vectors.byteOffset + row * dim * 4, dim * 4);
        return stored + insert.run(modelId, bytes, id).changes;
      }, 0);
    });
  }

  /** Drop all vectors of a model, in transactions of a thousand. Returns how many. */
  dropAll(modelId: string, onProgress?: (dropped: number) => void): number {
    let dropped = 0;
    for (let some = 1; some > 0; dropped += some) {
      some = this.drop(modelId, DROPPED_AT_ONCE);
      onProgress?.(dropped + some);
    }
    return dropped;
  }

  /** Drops at most `limit` vectors of a model, so that other writers get a turn in between. Returns how many. */
  drop(modelId: string, limit: number): number {
    const sql = `DELETE FROM chunk_vector WHERE model_id = @modelId AND (project_id, chunk_id) IN (
      SELECT project_id, chunk_id FROM chunk_vector INDEXED BY vector_by_project
      WHERE model_id = @modelId LIMIT @limit)`;
    return writeStatement(this.db, sql, { modelId, limit });
  }

  /** A number that changes with every vector added to or removed from a project, by any process. */
  version(modelId: string, projectId: number): number | undefined {
    const sql = 'SELECT version FROM vector_version WHERE model_id = ? AND project_id = ?';
    return prepared(this.db, sql).pluck().get(modelId, projectId) as number | undefined;
  }

  /** Number of dimensions of a model's vectors; 0 if there are none. */
  dimensions(modelId: string): number {
    const bytes = this.db
      .prepare('SELECT length(vector) FROM chunk_vector WHERE model_id = ? LIMIT 1')
      .pluck()
      .get(modelId) as number | undefined;
    return (bytes ?? 0) / Float32Array.BYTES_PER_ELEMENT;
  }

  /** Projects that have vectors of this model, or had some. */
  projects(modelId: string): number[] {
    const sql = 'SELECT project_id FROM vector_version WHERE model_id = ?';
    return prepared(this.db, sql).pluck().all(modelId) as number[];
  }

  /** Ids of a project's chunks that have a vector, ascending. */
  ids(modelId: string, projectId: number): Float64Array {
    const ids = this.db
      .prepare(
        `SELECT chunk_id FROM chunk_vector INDEXED BY vector_by_project
         WHERE model_id = ? AND project_id = ? ORDER BY chunk_id`,
      )
      .pluck()
      .all(modelId, projectId) as number[];
    return Float64Array.from(ids);
  }

  /**
   * Vectors of these chunks, n × dim row-major, in the order of the ids; zeros for an id that has none.
   *
   * @param memory where they are put, at least as large as they are; memory of their own when left out
   */
  get(
    modelId: string,
    ids: ArrayLike<number>,
    dim: number,
    memory: ArrayBufferLike = new ArrayBuffer(ids.length * dim * 4),
  ): Float32Array {
    const find = this.db
      .prepare('SELECT vector FROM chunk_vector WHERE chunk_id = ? AND model_id = ?')
      .pluck();
    const vectors = new Float32Array(memory, 0, ids.length * dim);
    const bytes = new Uint8Array(memory);
    for (let row = 0; row < ids.length; row++) {
      const blob = find.get(ids[row], modelId) as Buffer | undefined;
      if (blob?.length === dim * 4) bytes.set(blob, row * dim * 4);
      else vectors.fill(0, row * dim, (row + 1) * dim);
    }
    return vectors;
  }
}
