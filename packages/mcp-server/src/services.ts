import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { causanticHome, databasePath, loadConfig } from '@causantic/domain';
import type { WorkerPool } from '@causantic/compute';
import type { SemanticSearch } from '@causantic/retrieval';
import { Store } from '@causantic/storage';
import type { ToolContext } from './tool.js';

/** Waiting longer than this would hold up a server's other answers; only migrations ever write here. */
const SERVER_BUSY_TIMEOUT_MS = 5_000;

const INDEX_FOLDER = 'indexes';

/** What lives as long as the process: the store and, once something needs it, the worker pool. */
export class Services {
  private opened: ToolContext | undefined;
  private pool: Promise<WorkerPool> | undefined;
  private semantic: Promise<SemanticSearch> | undefined;

  constructor(
    readonly version: string,
    private readonly env: NodeJS.ProcessEnv = process.env,
    private readonly projectDir: string = process.cwd(),
    private readonly overrides: Record<string, unknown> = {},
  ) {}

  /**
   * The context of a tool call. The first call opens the store.
   * @throws ConfigError, StorageError; the next call tries again
   */
  context(): ToolContext {
    this.opened ??= this.open();
    return this.opened;
  }

  private open(): ToolContext {
    const home = causanticHome(this.env);
    const config = loadConfig({
      home,
      projectDir: this.projectDir,
      env: this.env,
      overrides: this.overrides,
    });
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const store = Store.open(databasePath(home), { busyTimeoutMs: SERVER_BUSY_TIMEOUT_MS });
    return {
      store,
      config,
      version: this.version,
      home,
      clock: Date.now,
      workers: () => this.workerPool(),
      semantic: () => this.semanticSearch(store, home),
      deleteChunks: (ids) => this.deleteChunks(store.path, ids, home),
    };
  }

  /** Worker threads and models are loaded by the first tool that needs them, not by a server that only lists. */
  private workerPool(): Promise<WorkerPool> {
    this.pool ??= import('@causantic/compute').then(({ WorkerPool }) => new WorkerPool());
    return this.pool;
  }

  private semanticSearch(store: Store, home: string): Promise<SemanticSearch> {
    this.semantic ??= this.openSemanticSearch(store, home).catch((error: unknown) => {
      this.semantic = undefined; // The next search tries again.
      throw error;
    });
    return this.semantic;
  }

  private async openSemanticSearch(store: Store, home: string): Promise<SemanticSearch> {
    const { defaultModelDir, Embedder } = await import('@causantic/compute');
    const { SemanticSearch } = await import('@causantic/retrieval');
    const embedder = await Embedder.open({ pool: await this.workerPool(), modelDir: defaultModelDir() });
    return SemanticSearch.open(store, embedder, join(home, INDEX_FOLDER));
  }

  private async deleteChunks(path: string, ids: number[], home: string): Promise<number> {
    const { defineTask } = await import('@causantic/compute');
    const task = defineTask<{ databasePath: string; ids: number[] }, number>(
      new URL('./delete-task.js', import.meta.url),
      'deleteChunks',
    );
    const pool = await this.workerPool();
    const deleted = await pool.run(task, { databasePath: path, ids }, { priority: 'interactive' });
    const [semantic] = await Promise.allSettled([this.semantic]);
    if (semantic.status === 'fulfilled') await semantic.value?.update();
    dropIndexFiles(join(home, INDEX_FOLDER));
    return deleted;
  }

  /** Ends the workers when what they run is done, saves the indexes and closes the store. */
  async close(): Promise<void> {
    const [semantic, pool] = await Promise.allSettled([this.semantic, this.pool]);
    if (semantic.status === 'fulfilled') await semantic.value?.close();
    if (pool.status === 'fulfilled') await pool.value?.close({ abort: true });
    this.opened?.store.close();
    this.opened = undefined;
  }
}

/** The vectors of what was deleted stand in index files; the next search makes these anew from the store. */
function dropIndexFiles(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.faiss')) rmSync(join(folder, name), { force: true });
  }
}
