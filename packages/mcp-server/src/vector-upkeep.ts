import type { Embedder, WorkerPool } from '@causantic/compute';
import { ComputeError, errorMessage } from '@causantic/domain';
import type { Store } from '@causantic/storage';

export interface VectorUpkeepOptions {
  store: Store;
  home: string;
  /** Called after every batch. */
  onProgress: () => Promise<void>;
  /** Called before searches switch to another model. */
  beforeServing: (embedder: Embedder) => Promise<void>;
  /** Called when all chunks have vectors of the chosen model. */
  onDone: () => Promise<void>;
}

/** How often to look for chunks that other processes stored. */
const LOOK_MS = 2_000;
/** What fails may fail each time, on a full disk for example: it rests this many times as long as it took. */
const REST_FACTOR = 10;
const LONGEST_REST_MS = 600_000;

/**
 * Makes vectors for chunks that other processes stored without, batch by batch, and then the topics. It uses its own
 * low-priority threads, which end when all is done. If several servers share a store, one of them does the work.
 */
export class VectorUpkeep {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private pool: WorkerPool | undefined;
  private embedding = false;
  private readonly stop = new AbortController();
  private seen = '';
  private restUntilMs = 0;
  private lastProblem: string | undefined;

  constructor(private readonly options: VectorUpkeepOptions) {}

  /** Why the last round ended early. */
  get problem(): string | undefined {
    return this.lastProblem && `vectors and topics are not kept up to date: ${this.lastProblem}`;
  }

  /** Whether vectors are being made in this process now. */
  get isEmbedding(): boolean {
    return this.embedding;
  }

  /** Checks periodically; does not keep the process alive. */
  start(): void {
    if (this.timer) return;
    this.timer = setInterval(() => this.look(), LOOK_MS).unref();
    this.look();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.stop.abort();
    await this.running;
    await this.pool?.close({ abort: true });
  }

  private look(): void {
    this.running ??= this.lookOnce().finally(() => (this.running = undefined));
  }

  /** Never fails: if the memory cannot be read now, the next round tries again. */
  private async lookOnce(): Promise<void> {
    const startedAtMs = performance.now();
    if (startedAtMs < this.restUntilMs) return;
    let found = '';
    try {
      found = this.options.store.embedding.changeMark();
      if (found === this.seen) return;
      if (await this.round()) this.seen = found; // What came since shows in the next mark.
      this.lastProblem = undefined;
    } catch (error) {
      const nowMs = performance.now();
      this.restUntilMs = nowMs + Math.min(REST_FACTOR * (nowMs - startedAtMs), LONGEST_REST_MS);
      // A missing model is looked for again when somebody changes something; all else is tried again.
      this.seen = isMissingModel(error) ? found : '';
      if (isMissingModel(error)) await this.endThreads();
      this.lastProblem = errorMessage(error);
    }
  }

  private async isUpToDate(): Promise<boolean> {
    const { store } = this.options;
    const { modelsInUse } = await import('@causantic/compute');
    const state = store.embedding.state();
    const { wanted } = await modelsInUse(state);
    const stored = store.vectors.models();
    const isComplete =
      store.vectors.countPending(wanted) === 0 && (state.serving === wanted || stored.length === 0);
    if (!isComplete || stored.some((modelId) => modelId !== wanted)) return false;
    const { needsClustering } = await import('@causantic/ingest');
    return !(await needsClustering(store, wanted));
  }

  private async round(): Promise<boolean> {
    const { store, home, beforeServing, onProgress, onDone } = this.options;
    if (await this.isUpToDate()) return true; // No worker is started for that.
    const { updateTopics, updateVectors } = await import('@causantic/ingest');
    const { WorkerPool } = await import('@causantic/compute');
    const pool = (this.pool ??= new WorkerPool({ background: true }));
    const { signal } = this.stop;
    const { complete } = await updateVectors(store, {
      pool,
      home,
      beforeServing,
      onProgress: () => {
        this.embedding = true;
        onProgress().catch((error: unknown) => (this.lastProblem = errorMessage(error)));
      },
      beforeRelease: async ({ complete }) => {
        this.embedding = false;
        if (!complete) return;
        await onDone();
        await updateTopics(store, { pool, home, signal });
      },
      signal,
    }).finally(() => (this.embedding = false));
    if (!complete) return false;
    await this.endThreads();
    return true;
  }

  private async endThreads(): Promise<void> {
    await this.pool?.close();
    this.pool = undefined;
  }
}

function isMissingModel(error: unknown): boolean {
  return error instanceof ComputeError && error.code === 'MODEL_MISSING';
}
