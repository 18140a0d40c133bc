import type { Database } from 'better-sqlite3';
import { RANKED } from './chunks.js';

/** Which models' vectors are made and searched. They differ while a switch is under way. */
export interface EmbeddingState {
  /** The model whose vectors are made; null: the one that comes with the program. */
  chosen: string | null;
  /** The model whose vectors are searched; null before all chunks had vectors for the first time. */
  serving: string | null;
  /** Goes up with every change of the above, by any process. */
  revision: number;
}

/** The right to make vectors: of several processes on one store, one does the work. */
export interface EmbeddingLease {
  owner: string;
  /** Milliseconds since the epoch; from then on anybody may take it, since its owner has died. */
  untilMs: number;
}

/** Asks for the revision, which an archive that takes the memory's place moves too: the same ids are other chunks then. */
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

  /** Changes whenever a chunk was added, or another model was chosen; read in microseconds. */
  changeMark(): string {
    return this.db
      .prepare(
        `SELECT revision || '/' || coalesce((SELECT max(id) FROM chunk INDEXED BY chunk_ranked WHERE ${RANKED}), 0)
         FROM embedding`,
      )
      .pluck()
      .get() as string;
  }

  /** From now on vectors of this model are made; whoever was making vectors stops. */
  choose(modelId: string | null): void {
    this.db
      .prepare(
        'UPDATE embedding SET chosen_model = ?, revision = revision + 1, lease_owner = NULL, lease_until = 0',
      )
      .run(modelId);
  }

  /** Search this model's vectors, which are complete, from now on. */
  serve(modelId: string): void {
    this.db
      .prepare(
        `UPDATE embedding SET serving_model = @modelId, remaking_model = NULL, revision = revision + 1
         WHERE serving_model IS NOT @modelId OR remaking_model IS NOT NULL`,
      )
      .run({ modelId });
  }

  /** The model whose vectors are being made anew: all of them were dropped, and some are still missing. */
  remaking(): string | null {
    return this.db.prepare('SELECT remaking_model FROM embedding').pluck().get() as string | null;
  }

  /** Note that all vectors of the model were dropped in order to be made anew; until all are there again. */
  noteRemaking(modelId: string): void {
    this.db.prepare('UPDATE embedding SET remaking_model = ?, revision = revision + 1').run(modelId);
  }

  /** Take the right to make vectors, or prolong it. False while another process has it. */
  acquire(lease: EmbeddingLease, nowMs: number): boolean {
    const { changes } = this.db
      .prepare(
        `UPDATE embedding SET lease_owner = @owner, lease_until = @untilMs
         WHERE lease_owner IS NULL OR lease_owner = @owner OR lease_until < @nowMs`,
      )
      .run({ ...lease, nowMs });
    return changes > 0;
  }

  /** Who has it, or had it when it ran out. */
  leaseOwner(): string | null {
    return this.db.prepare('SELECT lease_owner FROM embedding').pluck().get() as string | null;
  }

  /** Take it from whoever has it: for a program that somebody waits for. */
  seize(lease: EmbeddingLease): void {
    this.db.prepare('UPDATE embedding SET lease_owner = @owner, lease_until = @untilMs').run(lease);
  }

  release(owner: string): void {
    this.db
      .prepare('UPDATE embedding SET lease_owner = NULL, lease_until = 0 WHERE lease_owner = ?')
      .run(owner);
  }
}

/** False when the lease was taken away. */
export function prolongLease(db: Database, lease: EmbeddingLease): boolean {
  const { changes } = db
    .prepare('UPDATE embedding SET lease_until = @untilMs WHERE lease_owner = @owner')
    .run(lease);
  return changes > 0;
}
