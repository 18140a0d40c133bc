import { InvalidArgumentError } from '@causantic/domain';
import { refuseBlasThreads } from './faiss-binding.js';
import type * as FaissWorker from './faiss-worker.js';
import type { IndexState, Origin, ShelfConfig, ShelfDiagnostics } from './index-shelf.js';
import type { Priority } from '../pool/task-queue.js';
import { defineTask, type Task } from '../pool/task.js';
import { WorkerPool } from '../pool/worker-pool.js';

/** Where the vectors are stored. Indexes are derived from it, compared with it and repaired from it. */
export interface VectorSource {
  /** Called at every search, so it must be cheap. Undefined if the key is not, or no longer, known. */
  state(key: string): SourceState | undefined | Promise<SourceState | undefined>;
  /** All ids under the key. Called when `version` has changed; ascending order makes the comparison cheap. */
  ids(key: string, run: RunInWorker): Float64Array | Promise<Float64Array>;
  /** The unit vectors of `ids`, in that order, n × dim, row-major; moved, not copied. */
  vectors(key: string, ids: Float64Array, run: RunInWorker): Float32Array | Promise<Float32Array>;
}

/** Runs a task in the indexes' worker, so that a source with much to read need not block the calling thread. */
export type RunInWorker = <I, O>(task: Task<I, O>, input: I) => Promise<O>;

export interface SourceState extends IndexState {
  /** Changes whenever any process adds or removes an id. */
  version: string | number;
}

export interface VectorIndexesOptions {
  /** The folder of the index files, created if missing. Everything in it may be deleted at any time. */
  directory: string;
  source: VectorSource;
  /** Budget for rows in memory, see {@link DEFAULT_BUDGET_BYTES}; the least recently used index goes first. */
  memoryBudgetBytes?: number;
  /** The part of that budget for vectors that are searched exactly; others have 8 bits per component. */
  exactBytes?: number;
  /** Whether to use FAISS if it can be loaded. Default true. */
  useFaiss?: boolean;
}

export interface VectorSearch {
  keys: readonly string[];
  /** A unit vector; among vectors of another length, nothing is found. */
  query: Float32Array;
  k: number;
  /** The only ids that may be found. This filter applies before the limit. */
  allowed?: Float64Array;
  /** Search the index as it is in memory, even if the source has changed: for callers that `sync` often elsewhere. */
  mayLag?: boolean;
}

export interface VectorHits {
  /** Best first. */
  ids: Float64Array;
  /** Inner products, which are cosines for unit vectors. */
  scores: Float32Array;
}

export interface SyncReport {
  origin: Origin | 'unchanged';
  added: number;
  dropped: number;
}

/** Some 65,000 vectors of 256 exact components beside 4 times as many in 8 bits. */
const DEFAULT_BUDGET_BYTES = 192 * 1024 * 1024;

/**
 * FAISS scans 2,500 × 256 in less than a millisecond, and in one when a filter leaves so few that it must rank them all;
 * in 8 bits 100,000 take 3 ms either way, and a cosine is off by less than 0.001 (decision 0031).
 */
const DEFAULT_EXACT_BYTES = 2_500 * 256 * Float32Array.BYTES_PER_ELEMENT;

/** Vectors read at once: reading this many from SQLite blocks the main thread for a few milliseconds. */
const PAGE_ROWS = 1024;

const MAX_DIM = 4096;

const worker = new URL('./faiss-worker.js', import.meta.url);
const reconcileIndex = defineWorkerTask('reconcileIndex');
const appendToIndex = defineWorkerTask('appendToIndex');
const searchIndexes = defineWorkerTask('searchIndexes');
const saveIndexes = defineWorkerTask('saveIndexes');
const dropIndex = defineWorkerTask('dropIndex');
const describeIndexes = defineWorkerTask('describeIndexes');

/** The turn of indexes that do not fit in memory together: side by side each would evict the others at every page. */
const EVICTED = Symbol('evicted');

/** Loading FAISS in a second context aborts the process, so the first instance keeps it until it is closed. */
let faissIsTaken = false;

/** Vector indexes by key (a project), in one worker of their own, kept equal to a {@link VectorSource}. */
export class VectorIndexes {
  private readonly pool = new WorkerPool({ threads: 1, maxQueue: 4096 });
  private readonly config: ShelfConfig;
  private readonly source: VectorSource;
  private readonly synced = new Map<string, string>();
  private readonly changing = new Map<string | symbol, Promise<unknown>>();

  constructor(options: VectorIndexesOptions) {
    const useFaiss = (options.useFaiss ?? true) && !faissIsTaken;
    faissIsTaken ||= useFaiss;
    if (useFaiss) refuseBlasThreads();
    this.source = options.source;
    this.config = {
      directory: options.directory,
      memoryBudgetBytes: options.memoryBudgetBytes ?? DEFAULT_BUDGET_BYTES,
      exactBytes: options.exactBytes ?? DEFAULT_EXACT_BYTES,
      useFaiss,
    };
  }

  /**
   * Brings the keys' indexes up to date and searches them. Cost: one scan of every key's vectors.
   *
   * @throws InvalidArgumentError for an invalid `k` or query
   */
  async search(search: VectorSearch): Promise<VectorHits> {
    checkSearch(search);
    await (search.mayLag ? this.prepare(search.keys) : this.syncAll(search.keys));
    const { absent, ...hits } = await this.searchOnce(search);
    if (absent.length === 0) return hits;
    // Put away since and its file is gone, or lost with a worker that crashed: once more from the source.
    await Promise.all(absent.map((key) => this.inTurn(key, () => this.syncNow(key, 'interactive', true))));
    const { ids, scores } = await this.searchOnce(search);
    return { ids, scores };
  }

  /** Loads indexes that were not searched yet: worthwhile while the query's vector is still being made. */
  async prepare(keys: readonly string[]): Promise<void> {
    await this.syncAll(keys.filter((key) => !this.synced.has(key)));
  }

  /** Makes the key's index equal to the source, reading only the vectors it lacks. */
  sync(key: string, priority: Priority = 'interactive'): Promise<SyncReport> {
    return this.inTurn(key, () => this.syncNow(key, priority));
  }

  /** Frees the key's index and deletes its file. */
  drop(key: string): Promise<void> {
    return this.inTurn(key, () => this.dropNow(key));
  }

  /** One change of an index after the other: what is dropped is not brought back by a sync that had begun. */
  private inTurn<T>(key: string | symbol, change: () => Promise<T>): Promise<T> {
    const running = this.changing.get(key) ?? Promise.resolve();
    const next = running.catch(() => undefined).then(change);
    this.changing.set(key, next);
    const forget = () => this.changing.get(key) === next && this.changing.delete(key);
    next.then(forget, forget);
    return next;
  }

  /** Asks the worker, which is started if it was not. */
  async diagnostics(): Promise<ShelfDiagnostics> {
    return this.pool.run(describeIndexes, { config: this.config }, { priority: 'interactive' });
  }

  /** Saves what changed and ends the worker. */
  async close(): Promise<void> {
    await Promise.allSettled(this.changing.values());
    // Others may have deleted chunks since the last search: no file may get their vectors.
    await Promise.allSettled([...this.synced.keys()].map((key) => this.dropDeleted(key)));
    if (this.pool.diagnostics().started > 0) this.saveInBackground(true);
    // Finishes what was accepted.
    await this.pool.close();
    if (this.config.useFaiss) faissIsTaken = false;
  }

  private syncAll(keys: readonly string[]): Promise<SyncReport[]> {
    return Promise.all(keys.map((key) => this.sync(key)));
  }

  private searchOnce({ keys, query, k, allowed }: VectorSearch) {
    const known = keys.filter((key) => this.synced.has(key));
    const input = { config: this.config, keys: known, query, k, allowed };
    return this.pool.runWhenRoom(searchIndexes, input, { priority: 'interactive' });
  }

  private async syncNow(key: string, priority: Priority, isLost = false): Promise<SyncReport> {
    const state = await this.source.state(key);
    if (!state) {
      await this.dropNow(key);
      return { origin: 'missing', added: 0, dropped: 0 };
    }
    const stamp = stampOf(state);
    if (!isLost && this.synced.get(key) === stamp) return { origin: 'unchanged', added: 0, dropped: 0 };
    checkDim(state.dim);
    const report = await this.reconcile(key, state, priority);
    this.synced.set(key, stamp);
    if (report.added + report.dropped > 0) this.saveInBackground(false);
    return report;
  }

  private async reconcile(key: string, state: IndexState, priority: Priority): Promise<SyncReport> {
    const report = await this.fill(key, state, priority);
    return report ?? this.inTurn(EVICTED, () => this.fillAlone(key, state, priority));
  }

  private async fillAlone(key: string, state: IndexState, priority: Priority): Promise<SyncReport> {
    for (;;) {
      const report = await this.fill(key, state, priority);
      if (report) return report;
    }
  }

  /** Undefined if the index was evicted before all was in it. */
  private async fill(key: string, state: IndexState, priority: Priority): Promise<SyncReport | undefined> {
    const { config } = this;
    const { dim } = state;
    const run: RunInWorker = (task, taskInput) => this.pool.runWhenRoom(task, taskInput, { priority });
    const { origin, missing, dropped } = await this.dropUnwanted(key, state, run);
    for (let start = 0; start < missing.length; start += PAGE_ROWS) {
      const ids = missing.slice(start, start + PAGE_ROWS);
      const vectors = ownArray(await this.source.vectors(key, ids, run));
      if (vectors.length !== ids.length * dim) {
        throw new InvalidArgumentError('vectors', vectors.length, `${ids.length} × ${dim} components`);
      }
      const present = await this.pool.runWhenRoom(
        appendToIndex,
        { config, key, ids, vectors },
        { priority, transfer: [vectors.buffer] },
      );
      if (!present) return undefined;
    }
    return { origin, added: missing.length, dropped };
  }

  private async dropUnwanted(key: string, { modelId, dim }: IndexState, run: RunInWorker) {
    const wanted = await this.source.ids(key, run);
    return run(reconcileIndex, { config: this.config, key, state: { modelId, dim }, wanted });
  }

  private async dropDeleted(key: string): Promise<void> {
    const state = await this.source.state(key);
    if (!state) return this.dropNow(key);
    if (this.synced.get(key) === stampOf(state)) return;
    await this.dropUnwanted(key, state, (task, input) => this.pool.runWhenRoom(task, input));
  }

  private async dropNow(key: string): Promise<void> {
    this.synced.delete(key);
    await this.pool.runWhenRoom(dropIndex, { config: this.config, key }, { priority: 'interactive' });
  }

  /** If a file cannot be written, the only cost is a rebuild at the next start. */
  private saveInBackground(all: boolean): void {
    this.pool.run(saveIndexes, { config: this.config, all }).catch(() => undefined);
  }
}

function stampOf({ modelId, dim, version }: SourceState): string {
  return JSON.stringify([modelId, dim, version]);
}

type WorkerFunctions = typeof FaissWorker;

function defineWorkerTask<N extends keyof WorkerFunctions>(
  name: N,
): Task<Parameters<WorkerFunctions[N]>[0], Awaited<ReturnType<WorkerFunctions[N]>>> {
  return defineTask(worker, name);
}

/** A view into a larger buffer cannot be moved to another thread alone. */
function ownArray(vectors: Float32Array): Float32Array<ArrayBuffer> {
  const ownsBuffer =
    vectors.byteLength === vectors.buffer.byteLength && vectors.buffer instanceof ArrayBuffer;
  return (ownsBuffer ? vectors : vectors.slice()) as Float32Array<ArrayBuffer>;
}

function checkDim(dim: number): void {
  if (Number.isInteger(dim) && dim >= 1 && dim <= MAX_DIM) return;
  throw new InvalidArgumentError('dim', dim, `a whole number from 1 to ${MAX_DIM}`);
}

function checkSearch({ query, k }: VectorSearch): void {
  if (!Number.isInteger(k) || k < 1) throw new InvalidArgumentError('k', k, 'a whole number of at least 1');
  checkDim(query.length);
  if (!query.every(Number.isFinite))
    throw new InvalidArgumentError('query', 'not a number', 'finite components');
}
