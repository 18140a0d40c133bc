import { existsSync } from 'node:fs';
import { causanticHome, databasePath, errorMessage, loadConfig } from '@causantic/domain';
import type { WorkerPool } from '@causantic/compute';
import { Store } from '@causantic/storage';
import { SemanticService } from './semantic-service.js';
import type { ToolContext } from './tool.js';

/** Waiting longer than this would hold up a server's other answers; only migrations ever write here. */
const SERVER_BUSY_TIMEOUT_MS = 5_000;

/** What lives as long as the process: the store and, once something needs it, the worker pool. */
export class Services {
  private opened: ToolContext | undefined;
  private pool: Promise<WorkerPool> | undefined;
  private semantic: SemanticService | undefined;
  private keepsUp = false;

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
    const store = Store.open(databasePath(home), { busyTimeoutMs: SERVER_BUSY_TIMEOUT_MS });
    const semantic = new SemanticService({ store, home, workers: () => this.workerPool() });
    this.semantic = semantic;
    if (this.keepsUp) semantic.keepUp();
    return {
      store,
      config,
      version: this.version,
      home,
      clock: Date.now,
      workers: () => this.workerPool(),
      semantic: () => semantic.search(),
      vectors: () => semantic.state(),
      deleteChunks: (ids) => this.deleteChunks(store.path, ids, semantic),
    };
  }

  /**
   * From now on, make the vectors that other processes leave out: for a process that lives long. Opens the memory if
   * there is one; else the first tool call does.
   *
   * @returns why the memory cannot be opened, which every tool call will say as well
   */
  keepUp(): string | undefined {
    this.keepsUp = true;
    if (this.opened) this.semantic?.keepUp();
    else if (existsSync(databasePath(causanticHome(this.env)))) {
      try {
        this.context();
      } catch (error) {
        return errorMessage(error);
      }
    }
    return undefined;
  }

  /** Worker threads and models are loaded by the first tool that needs them, not by a server that only lists. */
  private workerPool(): Promise<WorkerPool> {
    this.pool ??= import('@causantic/compute').then(({ WorkerPool }) => new WorkerPool());
    return this.pool;
  }

  private async deleteChunks(path: string, ids: number[], semantic: SemanticService): Promise<number> {
    const { defineTask } = await import('@causantic/compute');
    const task = defineTask<{ databasePath: string; ids: number[] }, number>(
      new URL('./delete-task.js', import.meta.url),
      'deleteChunks',
    );
    const pool = await this.workerPool();
    const deleted = await pool.run(task, { databasePath: path, ids }, { priority: 'interactive' });
    await semantic.forgetDeleted();
    return deleted;
  }

  /** Ends the workers when what they run is done, saves the indexes and closes the store. */
  async close(): Promise<void> {
    await this.semantic?.close();
    const [pool] = await Promise.allSettled([this.pool]);
    if (pool.status === 'fulfilled') await pool.value?.close({ abort: true });
    this.opened?.store.close();
    this.opened = undefined;
  }
}
