import type { Database } from 'better-sqlite3';
import { RANKED } from '../chunks/chunks.js';
import { writeStatement } from '../database/write-transaction.js';

/** Which models' vectors are made and searched. They differ while a switch is under way. */
export interface EmbeddingState {
  /** The model whose vectors are made; null for the built-in one. */
  chosen: string | null;
  /** The model whose vectors are searched; null before all chunks had vectors for the first time. */
  serving: string | null;
  /** Goes up with every change of the above, by any process. */
  revision: number;
}

/** The right to make vectors: of several processes on one store, one does the work. */
export interface EmbeddingLease {
  owner: string;
  /** Milliseconds since the epoch. After that anybody may take it, because its owner has died. */
  untilMs: number;
}

/** Reads the revision. An imported archive changes it, too, because then the same ids are other chunks. */
export function revisionQuery(db: Database): () => number {
  const query = db.prepare<[], number>('SELECT revision FROM embedding').pluck();
  return () => query.get()!;
}

/** Says which embedding model is in use, and who computes its vectors. One row, the same for all processes. */
export class EmbeddingUse {
  constructor(private readonly db: Database) {}

  state(): EmbeddingState {
    return this.db
      .prepare('SELECT chosen_model AS chosen, serving_model AS serving, revision FROM embedding')
      .get() as EmbeddingState;
  }

  /** Changes whenever a chunk was added, topics need another pass, or another model was chosen; read in microseconds. */
  changeMark(): string {
    return this.db
      .prepare(
        `SELECT revision || '/' || coalesce((SELECT max(id) FROM chunk INDEXED BY chunk_ranked WHERE ${RANKED}), 0)
           || '/' || coalesce((SELECT group_concat(project_id) FROM cluster_pass), '')
         FROM embedding`,
      )
      .pluck()
      .get() as string;
  }

  /** Has vectors of this model made from now on; a process that is making vectors stops. */
  choose(modelId: string | null): void {
    const sql =
      'UPDATE embedding SET chosen_model = ?, revision = revision + 1, lease_owner = NULL, lease_until = 0';
    writeStatement(this.db, sql, modelId);
  }

  /** Search this model's vectors, which are complete, from now on. */
  serve(modelId: string): void {
    const sql = `UPDATE embedding SET serving_model = @modelId, remaking_model = NULL, revision = revision + 1
      WHERE serving_model IS NOT @modelId OR remaking_model IS NOT NULL`;
    writeStatement(this.db, sql, { modelId });
  }

  /** The model whose vectors are being rebuilt: all were dropped, and some are still missing. */
  remaking(): string | null {
    return this.db.prepare('SELECT remaking_model FROM embedding').pluck().get() as string | null;
  }

  /** Records that all vectors of the model were dropped to be rebuilt, until all exist again. */
  noteRemaking(modelId: string): void {
    const sql = 'UPDATE embedding SET remaking_model = ?, revision = revision + 1';
    writeStatement(this.db, sql, modelId);
  }

  /** Takes the right to make vectors, or renews it. False while another process has it. */
  acquire(lease: EmbeddingLease, nowMs: number): boolean {
    const sql = `UPDATE embedding SET lease_owner = @owner, lease_until = @untilMs
      WHERE lease_owner IS NULL OR lease_owner = @owner OR lease_until < @nowMs`;
    return writeStatement(this.db, sql, { ...lease, nowMs }) > 0;
  }

  /** The process that has the right, or had it last. */
  leaseOwner(): string | null {
    return this.db.prepare('SELECT lease_owner FROM embedding').pluck().get() as string | null;
  }

  /** Takes it from the process that has it, for a program that somebody is waiting for. */
  seize(lease: EmbeddingLease): void {
    const sql = 'UPDATE embedding SET lease_owner = @owner, lease_until = @untilMs';
    writeStatement(this.db, sql, lease);
  }

  release(owner: string): void {
    const sql = 'UPDATE embedding SET lease_owner = NULL, lease_until = 0 WHERE lease_owner = ?';
    writeStatement(this.db, sql, owner);
  }
}

/** False when the lease was taken away. */
export function prolongLease(db: Database, lease: EmbeddingLease): boolean {
  const { changes } = db
    .prepare('UPDATE embedding SET lease_until = @untilMs WHERE lease_owner = @owner')
    .run(lease);
  return changes > 0;
}
