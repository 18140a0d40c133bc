import { hash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { errorMessage, makeFolder } from '@causantic/domain';
import { BlockMemory } from './block-memory.js';
import { loadFaiss, type Faiss } from './faiss-binding.js';
import { FaissRows } from './faiss-rows.js';
import { FloatRows } from './float-rows.js';
import { IndexFile, stampAt, writeIndexFile, type FileProblem } from './index-file.js';
import { Int8Rows } from './int8-rows.js';
import { OWN_NAME } from './own-files.js';
import type { Precision, Rows } from './rows.js';
import { TopK } from './top-k.js';
import { VectorIndex } from './vector-index.js';

export interface ShelfConfig {
  directory: string;
  memoryBudgetBytes: number;
  /** Indexes are exact as long as all exact ones together take no more; others are held with 8 bits per component. */
  exactBytes: number;
  /** False if another worker of the process has FAISS, or it is not wanted. */
  useFaiss: boolean;
}

export interface IndexState {
  /** Identifies the origin of the vectors; an index from another origin is rebuilt. */
  modelId: string;
  dim: number;
}

/** Where an index came from: it was in memory, was read from its file, or starts empty (and why). */
export type Origin = 'memory' | 'file' | FileProblem | 'stale';

export interface ShelfDiagnostics {
  backend: 'faiss' | 'exact-scan';
  /** Why it is not FAISS. */
  backendReason: string | undefined;
  bytes: number;
  indexes: { key: string; count: number; precision: Precision; bytes: number; unsavedRows: number }[];
}

/** How many rows, or which share of an index, may stay unsaved for long: after a crash they are read again. */
const TOLERATED_ROWS = 1000;
const TOLERATED_SHARE = 0.05;

const LOAD_PAGE_ROWS = 4096;

const PROBE_BYTES = 4096;

/** What queries may cost for ever before FAISS is left, see {@link FaissRows.lostBytes}. */
const MOST_LOST_BYTES = 64 * 1024 * 1024;

/** The indexes that are in memory, within a budget; the others wait in their files. Lives in one worker. */
export class IndexShelf {
  private readonly indexes = new Map<string, VectorIndex>();
  /** The files of those that were put away, by their stamps: other processes write files of their own. */
  private readonly putAway = new Map<string, string | undefined>();
  private readonly memory = new BlockMemory();
  private faiss: Faiss | undefined;
  private backendReason: string | undefined;
  /** False if the folder is read-only or the disk is full: then indexes live as long as the process. */
  private readonly writes: boolean;
  private clock = 0;

  constructor(private readonly config: ShelfConfig) {
    const problem = writingProblem(config.directory);
    this.writes = problem === undefined;
    const loaded = config.useFaiss ? loadFaiss() : { reason: 'not asked for, or in use by another worker' };
    // FAISS takes vectors in by way of a file.
    if (problem !== undefined) this.backendReason = `indexes cannot be written: ${problem}`;
    else if ('reason' in loaded) this.backendReason = loaded.reason;
    else this.faiss = loaded;
  }

  /** Loads an index, removes unwanted ids from it, and returns what must be added. */
  async reconcile(key: string, state: IndexState, wanted: Float64Array) {
    const { index, origin } = this.bring(key, state, wanted.length);
    const { missing, dropped } = index.reconcile(wanted);
    // One that was whole lacks only what is new.
    if (origin !== 'memory' || index.awaitedRows > 0) index.awaitedRows = missing.length;
    await this.evictOthers(key);
    return { origin, missing, dropped };
  }

  async append(key: string, ids: Float64Array, vectors: Float32Array): Promise<boolean> {
    const index = this.indexes.get(key);
    if (!index) return false;
    index.add(ids, vectors);
    if (index.rows.precision === 'float32' && this.exactBytes() > this.config.exactBytes)
      this.compress(key, index);
    await this.evictOthers(key);
    return true;
  }

  /**
   * The best hits of all indexes; `absent` are keys that are neither whole in memory nor in a file as this shelf wrote it.
   */
  async search(keys: readonly string[], query: Float32Array, k: number, allowed: Float64Array | undefined) {
    const absent: string[] = [];
    const best = new TopK(k);
    for (const key of this.inMemoryFirst(keys)) {
      const known = this.indexes.get(key);
      const index = known ?? this.readFile(key, (file) => this.isPutAway(key, file, query.length));
      if (typeof index === 'string' || index.rows.dim !== query.length || index.awaitedRows > 0) {
        absent.push(key);
        continue;
      }
      this.put(key, index);
      const { ids, scores } = index.search(query, k, { allowed, least: best.floor });
      for (let i = 0; i < ids.length && scores[i]! >= best.floor; i++) best.offer(ids[i]!, scores[i]!);
      if (known === undefined) await this.evictOthers(key);
    }
    if (this.faiss && FaissRows.lostBytes > MOST_LOST_BYTES) await this.leaveFaiss();
    const { rows: ids, scores } = best.ranked();
    return { ids: Float64Array.from(ids), scores: Float32Array.from(scores), absent };
  }

  private isPutAway(key: string, { description, stamp }: IndexFile, dim: number): boolean {
    return description.dim === dim && stamp === this.putAway.get(key);
  }

  /** If not all fit, loading one after the other would evict each before it is searched. */
  private inMemoryFirst(keys: readonly string[]): string[] {
    return keys.toSorted((a, b) => Number(this.indexes.has(b)) - Number(this.indexes.has(a)));
  }

  /** Writes what changed: everything, or only what would take long to redo after a crash. */
  save(all: boolean): void {
    for (const [key, index] of this.indexes) {
      const tolerated = all ? 0 : Math.max(TOLERATED_ROWS, TOLERATED_SHARE * index.rows.count);
      if (index.unsavedRows > tolerated) this.saveOne(key, index);
    }
  }

  async drop(key: string): Promise<void> {
    const rows = this.indexes.get(key)?.rows;
    rows?.free();
    this.indexes.delete(key);
    rmSync(this.pathOf(key), { force: true });
    if (rows instanceof FaissRows) await releaseFaissMemory();
  }

  diagnostics(): ShelfDiagnostics {
    const indexes = [...this.indexes].map(([key, { rows, unsavedRows }]) => {
      return { key, count: rows.count, precision: rows.precision, bytes: rows.bytes, unsavedRows };
    });
    const { backendReason } = this;
    return { backend: this.faiss ? 'faiss' : 'exact-scan', backendReason, bytes: this.bytes(), indexes };
  }

  private bring(key: string, state: IndexState, wantedRows: number): { index: VectorIndex; origin: Origin } {
    const isWanted = ({ modelId, dim }: IndexState): boolean =>
      modelId === state.modelId && dim === state.dim;
    const known = this.indexes.get(key);
    if (known && isWanted({ modelId: known.modelId, dim: known.rows.dim })) {
      this.put(key, known);
      return { index: known, origin: 'memory' };
    }
    known?.rows.free();
    const read = known ? 'stale' : this.readFile(key, ({ description }) => isWanted(description));
    const index =
      typeof read === 'string'
        ? new VectorIndex(state.modelId, this.newRows(state.dim, this.precisionFor(wantedRows, state.dim)))
        : read;
    this.put(key, index);
    return { index, origin: typeof read === 'string' ? read : 'file' };
  }

  private put(key: string, index: VectorIndex): void {
    index.lastUsed = ++this.clock;
    this.indexes.set(key, index);
  }

  /** @param isWanted asked before the rows, which take memory, are read */
  private readFile(key: string, isWanted: (file: IndexFile) => boolean): VectorIndex | FileProblem | 'stale' {
    return IndexFile.read(this.pathOf(key), (file) => {
      if (file.description.key !== key) return 'damaged';
      return isWanted(file) ? this.indexFrom(file) : 'stale';
    });
  }

  private indexFrom(file: IndexFile): VectorIndex {
    const { modelId, dim, count, precision } = file.description;
    const rows = this.newRows(dim, precision === 'int8' ? 'int8' : this.precisionFor(count, dim));
    try {
      if (rows instanceof Int8Rows && precision === 'int8')
        for (const { scales, codes } of file.codePages(LOAD_PAGE_ROWS)) rows.appendCodes(scales, codes);
      else for (const page of file.floatPages(LOAD_PAGE_ROWS)) rows.append(page);
      const index = new VectorIndex(modelId, rows, file.ids());
      index.fileStamp = file.stamp;
      // Written as it is held now, so that the next start need not convert it again.
      if (rows.precision !== precision) index.unsavedRows = rows.count;
      return index;
    } catch (error) {
      rows.free();
      throw error;
    }
  }

  private precisionFor(count: number, dim: number): Precision {
    return this.exactBytes() + floatBytes(count, dim) <= this.config.exactBytes ? 'float32' : 'int8';
  }

  private newRows(dim: number, precision: Precision): Rows {
    if (precision === 'int8') return new Int8Rows(dim, this.memory);
    if (this.faiss) return new FaissRows(dim, this.faiss, this.scratchPath);
    return new FloatRows(dim, this.memory);
  }

  /** By way of a file, where the components are: FAISS does not give them back. If that cannot be written, all stays. */
  private compress(key: string, index: VectorIndex): void {
    const { scratchPath } = this;
    try {
      writeIndexFile(scratchPath, index.rows, index.ids, { key, modelId: index.modelId });
    } catch {
      return;
    }
    let compressed: VectorIndex | FileProblem;
    try {
      compressed = IndexFile.read(scratchPath, (file) => this.indexFrom(file));
    } finally {
      rmSync(scratchPath, { force: true });
    }
    if (typeof compressed === 'string')
      throw new Error(`The index file of ${key} is ${compressed} right after it was written.`);
    index.rows.free();
    index.rows = compressed.rows;
    index.unsavedRows = index.rows.count;
  }

  /** False if it cannot be written, now or ever: the disk may be full. */
  private saveOne(key: string, index: VectorIndex): boolean {
    const { directory } = this.config;
    if (!this.writes) return false;
    try {
      if (!existsSync(directory)) mkdirSync(directory, { mode: 0o700 }); // It was deleted while we run.
      const about = { key, modelId: index.modelId };
      index.fileStamp = writeIndexFile(this.pathOf(key), index.rows, index.ids, about);
    } catch {
      return false;
    }
    index.unsavedRows = 0;
    return true;
  }

  private async evictOthers(keptKey: string): Promise<void> {
    if (this.bytes() <= this.config.memoryBudgetBytes) return;
    const oldestFirst = [...this.indexes].sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
    let isFaissFreed = false;
    for (const [key, index] of oldestFirst) {
      if (this.bytes() <= this.config.memoryBudgetBytes) break;
      if (key === keptKey || !this.isInFile(key, index)) continue; // A search would miss it.
      this.putAway.set(key, stampOfWhole(index));
      this.free(key, index);
      isFaissFreed ||= index.rows instanceof FaissRows;
    }
    if (isFaissFreed) await releaseFaissMemory();
  }

  /** Whether all of an index is in its file, which is written if necessary. */
  private isInFile(key: string, index: VectorIndex): boolean {
    const isSaved = index.unsavedRows === 0 && stampAt(this.pathOf(key)) === index.fileStamp;
    return isSaved || this.saveOne(key, index);
  }

  /** From now on everything is scanned, with the same answers. What is in no file is read from the source again. */
  private async leaveFaiss(): Promise<void> {
    this.faiss = undefined;
    this.backendReason = 'faiss-node frees no query, and there were many; a restart brings it back';
    for (const [key, index] of this.indexes) {
      if (!(index.rows instanceof FaissRows)) continue;
      if (this.isInFile(key, index)) this.putAway.set(key, stampOfWhole(index));
      this.free(key, index);
    }
    await releaseFaissMemory();
  }

  private free(key: string, index: VectorIndex): void {
    index.rows.free();
    this.indexes.delete(key);
  }

  private bytes(): number {
    let sum = 0;
    for (const { rows } of this.indexes.values()) sum += rows.bytes;
    return sum;
  }

  /** Depends only on the vectors: what is exact with FAISS is exact without it. */
  private exactBytes(): number {
    let sum = 0;
    for (const { rows } of this.indexes.values()) {
      if (rows.precision === 'float32') sum += floatBytes(rows.count, rows.dim);
    }
    return sum;
  }

  /** A file of this thread alone. */
  private get scratchPath(): string {
    return join(this.config.directory, `part-${OWN_NAME}.tmp`);
  }

  private pathOf(key: string): string {
    const name = /^[A-Za-z0-9_-]{1,64}$/.test(key) ? key : hash('sha256', key).slice(0, 40);
    return join(this.config.directory, `${name}.faiss`);
  }
}

function stampOfWhole({ awaitedRows, fileStamp }: VectorIndex): string | undefined {
  return awaitedRows === 0 ? fileStamp : undefined;
}

function floatBytes(count: number, dim: number): number {
  return count * dim * Float32Array.BYTES_PER_ELEMENT;
}

/** Why a folder, which is created if necessary, is not writable; undefined if it is. */
function writingProblem(folder: string): string | undefined {
  const probe = join(folder, `probe-${OWN_NAME}.tmp`);
  try {
    makeFolder(folder);
    try {
      writeFileSync(probe, Buffer.alloc(PROBE_BYTES), { mode: 0o600 });
    } finally {
      rmSync(probe, { force: true });
    }
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

let collectGarbage: (() => void) | undefined;

/**
 * FAISS's memory is freed together with its wrapper object. The garbage collector sees only the wrapper's few bytes and
 * is in no hurry; and finalizers run in the next turn of the event loop, which this worker seldom reaches.
 */
async function releaseFaissMemory(): Promise<void> {
  if (!collectGarbage) {
    setFlagsFromString('--expose-gc');
    collectGarbage = runInNewContext('gc') as () => void;
  }
  collectGarbage();
  await setImmediate();
}
