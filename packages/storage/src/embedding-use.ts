import type { Database } from 'better-sqlite3';

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

/** Says which embedding model is in use, and who computes its vectors. One row, the same for all processes. */
export class EmbeddingUse {
  constructor(private readonly db: Database) {}

  state(): EmbeddingState {
    return this.db
      .prepare('SELECT chosen_model AS chosen, serving_model AS serving, revision FROM embedding')
      .get() as EmbeddingState;
  }

  /** From now on vectors of this model are made; whoever was making vectors stops. */
  choose(modelId: string | null): void {
    this.db
      .prepare(
        'UPDATE embedding SET chosen_model = ?, revision = revision + 1, lease_owner = NULL, lease_until = 0',
      )
      .run(modelId);
  }

  /** Search this model's vectors from now on. */
  serve(modelId: string): void {
    this.db
      .prepare(
        'UPDATE embedding SET serving_model = ?1, revision = revision + 1 WHERE serving_model IS NOT ?1',
      )
      .run(modelId);
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
