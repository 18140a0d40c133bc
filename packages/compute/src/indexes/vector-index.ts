import { grown } from '@causantic/domain/grown-array';
import type { Rows } from './rows.js';

export interface ScoredIds {
  ids: number[];
  scores: number[];
}

/** Rows, addressed by the ids of their chunks. */
export class VectorIndex {
  private capacity: Float64Array;
  /** Changes since the file was written or read, in rows. */
  unsavedRows = 0;
  /** Of that file, see index-file.ts. */
  fileStamp: string | undefined;
  /** Until they were added, an index that is made again is not searched. */
  awaitedRows = 0;
  lastUsed = 0;
  /** Undefined when it must be looked at again. */
  private idsAscend: boolean | undefined;

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
    this.capacity = grown(this.capacity, this.rows.count);
    this.capacity.set(ids, start);
    this.idsAscend = undefined;
    this.unsavedRows += ids.length;
    this.awaitedRows = Math.max(0, this.awaitedRows - ids.length);
  }

  /** Drops every unwanted id, and returns the wanted ids that are missing. */
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

  /**
   * @param options.allowed the only ids that may be found, ascending
   * @param options.least ids with lower scores may be left out
   */
  search(
    query: Float32Array,
    k: number,
    { allowed, least }: { allowed: Float64Array | undefined; least: number },
  ): ScoredIds {
    const { ids } = this;
    this.idsAscend ??= isAscending(ids);
    const mask = allowed && maskOf(ids, this.idsAscend, allowed);
    const { rows, scores } = this.rows.search(query, k, { allowed: mask, least });
    return { ids: rows.map((row) => ids[row]!), scores };
  }

  private keep(rows: Uint32Array): void {
    const ids = Float64Array.from(rows, (row) => this.capacity[row]!);
    this.unsavedRows += this.rows.count - rows.length;
    this.rows.keep(rows);
    this.capacity = ids;
    this.idsAscend = undefined;
  }
}

/**
 * One byte a row, 1 for what is allowed. Ids mostly ascend, as they were given out; then a few allowed ones
 * are found without looking at every row.
 *
 * @param allowed ascending
 */
function maskOf(ids: Float64Array, idsAscend: boolean, allowed: Float64Array): Uint8Array {
  const mask = new Uint8Array(ids.length);
  if (idsAscend) {
    for (const id of allowed) {
      const row = indexIn(ids, id);
      if (row >= 0) mask[row] = 1;
    }
  } else {
    for (let row = 0; row < ids.length; row++) if (indexIn(allowed, ids[row]!) >= 0) mask[row] = 1;
  }
  return mask;
}

/** Where a value is in ascending values, −1 when it is not. */
function indexIn(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle - 1;
  }
  return ascending[low] === value ? low : -1;
}

function isAscending(values: Float64Array): boolean {
  for (let i = 1; i < values.length; i++) if (values[i - 1]! > values[i]!) return false;
  return true;
}

function sameNumbers(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
