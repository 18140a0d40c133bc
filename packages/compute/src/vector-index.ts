import type { Rows } from './rows.js';

export interface ScoredIds {
  ids: number[];
  scores: number[];
}

/** Rows under the ids of the chunks they stand for. */
export class VectorIndex {
  private capacity: Float64Array;
  /** Changes since the file was written or read, in rows. */
  unsavedRows = 0;
  lastUsed = 0;

  constructor(
    readonly modelId: string,
    public rows: Rows,
    ids: Float64Array = new Float64Array(0),
  ) {
    this.capacity = ids;
  }

  get ids(): Float64Array {
    return this.capacity.subarray(0, this.rows.count);
  }

  add(ids: Float64Array, vectors: Float32Array): void {
    const start = this.rows.count;
    this.rows.append(vectors);
    if (this.rows.count > this.capacity.length) {
      const larger = new Float64Array(Math.max(this.rows.count, 2 * start));
      larger.set(this.capacity.subarray(0, start));
      this.capacity = larger;
    }
    this.capacity.set(ids, start);
    this.unsavedRows += ids.length;
  }

  /** Drops every id that is not wanted and gives the wanted ones that are not here. */
  reconcile(wanted: Float64Array): { missing: Float64Array; dropped: number } {
    if (sameNumbers(wanted, this.ids)) return { missing: new Float64Array(0), dropped: 0 };
    const wantedIds = new Set(wanted);
    const present = new Set<number>();
    const kept: number[] = [];
    this.ids.forEach((id, row) => {
      if (!wantedIds.has(id)) return;
      present.add(id);
      kept.push(row);
    });
    const dropped = this.rows.count - kept.length;
    if (dropped > 0) this.keep(Uint32Array.from(kept));
    return { missing: Float64Array.from([...wantedIds].filter((id) => !present.has(id))), dropped };
  }

  /** @param allowed the only ids that may be found */
  search(query: Float32Array, k: number, allowed: ReadonlySet<number> | undefined): ScoredIds {
    const { ids } = this;
    const { rows, scores } = this.rows.search(query, k, allowed && maskOf(ids, allowed));
    return { ids: rows.map((row) => ids[row]!), scores };
  }

  private keep(rows: Uint32Array): void {
    const ids = Float64Array.from(rows, (row) => this.capacity[row]!);
    this.unsavedRows += this.rows.count - rows.length;
    this.rows.keep(rows);
    this.capacity = ids;
  }
}

/** A loop: `Uint8Array.from` would take longer than the search. */
function maskOf(ids: Float64Array, allowed: ReadonlySet<number>): Uint8Array {
  const mask = new Uint8Array(ids.length);
  for (let row = 0; row < ids.length; row++) if (allowed.has(ids[row]!)) mask[row] = 1;
  return mask;
}

function sameNumbers(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
