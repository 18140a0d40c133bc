import { mkdirSync } from 'node:fs';
import { causanticHome, databasePath, loadConfig } from '@causantic/domain';
import type { WorkerPool } from '@causantic/compute';
import { Store } from '@causantic/storage';
import type { ToolContext } from './tool.js';

/** Waiting longer than this would hold up a server's other answers; only migrations ever write here. */
const SERVER_BUSY_TIMEOUT_MS = 5_000;

/** What lives as long as the process: the store and, once something needs it, the worker pool. */
export class Services {
  private opened: ToolContext | undefined;
  private pool: WorkerPool | undefined;

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
      deleteChunks: (ids) => this.deleteChunks(store.path, ids),
    };
  }

  private async deleteChunks(path: string, ids: number[]): Promise<number> {
    const { WorkerPool, defineTask } = await import('@causantic/compute');
    this.pool ??= new WorkerPool();
    const task = defineTask<{ databasePath: string; ids: number[] }, number>(
      new URL('./delete-task.js', import.meta.url),
      'deleteChunks',
    );
    return this.pool.run(task, { databasePath: path, ids }, { priority: 'interactive' });
  }

  async close(): Promise<void> {
    await this.pool?.close();
    this.opened?.store.close();
    this.opened = undefined;
  }
}
