import { existsSync } from 'node:fs';
import { parse } from 'node:path';
import {
  causanticHome,
  clientFolders,
  type Config,
  currentFolder,
  databasePath,
  loadConfig,
  StorageError,
  type TranscriptClient,
  waitingNotice,
} from '@causantic/domain';
import type { WorkerPool } from '@causantic/compute';
import { type OpenOptions, Store } from '@causantic/storage';
import type { Deletion, DeletionInput } from './delete-task.js';
import { SemanticService } from './semantic-service.js';
import type { DeletionCall, ToolContext } from './tool.js';
import { TranscriptUpkeep } from './transcript-upkeep.js';

/** Waiting longer would delay a server's other answers. Only migrations write in its thread. */
const SERVER_BUSY_TIMEOUT_MS = 5_000;
/** On a busy machine, the start of a worker and a model takes seconds. */
const COMMAND_SEMANTIC_PATIENCE_MS = 30_000;

interface Memory {
  store: Store;
  semantic: SemanticService;
}

/** The memory that one call works with. Meanwhile an import may replace it in the same file. */
interface OpenedMemory extends Memory {
  madeAt: string;
}

/** What lives as long as the process: the store and the worker pool, each created when first needed. */
export class Services {
  private readonly home: string;
  /** The folder where the process was started; undefined if it had been deleted. */
  readonly projectDir = folderIfThere();
  /** Many clients, each in a folder of its own. */
  private isShared = false;
  /** A command has nobody else to answer while it waits for another process. */
  private patience: OpenOptions = { onWait: waitingNotice('causantic') };
  /** A person at a shell would rather have all of the answer. */
  private semanticPatienceMs: number | undefined = COMMAND_SEMANTIC_PATIENCE_MS;
  private memory: Memory | undefined;
  /** Resolves when all work for memories that were deleted under this process has ended. */
  private left: Promise<void> = Promise.resolve();
  private pool: Promise<WorkerPool> | undefined;
  private keepsUp = false;
  private readonly transcripts: TranscriptUpkeep | undefined;

  constructor(
    readonly version: string,
    private readonly env: NodeJS.ProcessEnv = process.env,
  ) {
    this.home = causanticHome(env);
    this.transcripts = upkeepOf(this.home, env);
  }

  /**
   * The services of a server process. It leaves its folder, because that may be deleted while the server runs, like a
   * worktree: no thread starts in a deleted folder, and Windows does not delete a folder that a process is in.
   */
  static ofServer(version: string, { isShared = false } = {}): Services {
    const services = new Services(version);
    services.isShared = isShared;
    services.patience = { busyTimeoutMs: SERVER_BUSY_TIMEOUT_MS };
    services.semanticPatienceMs = undefined;
    process.chdir(parse(services.home).root);
    return services;
  }

  /**
   * The context of a tool call. Its settings are read when first used, because a server lives for days and they change
   * meanwhile, and the store is opened on first use. So a tool that needs neither, for example to report what is wrong,
   * answers whatever state they are in. Its `config` throws ConfigError, its `store` and what works with it StorageError;
   * the next use tries again.
   *
   * @param mostTokens upper limit of an answer, whatever the settings allow
   */
  context(mostTokens = Infinity): ToolContext {
    let config: Config | undefined;
    const settings = (): Config => (config ??= this.settings(mostTokens));
    // One for the whole call: ids of one memory mean something else in another.
    let opened: OpenedMemory | undefined;
    const memory = (): OpenedMemory => {
      if (opened) return opened;
      const { store, semantic } = this.openMemory();
      return (opened = { store, semantic, madeAt: store.madeAt });
    };
    return {
      get store() {
        return memory().store;
      },
      get config() {
        return settings();
      },
      mostTokens,
      version: this.version,
      home: this.home,
      projectDir: this.projectDir,
      callersFolder: this.isShared ? undefined : this.projectDir,
      clock: Date.now,
      workers: () => this.workerPool(),
      semantic: () => memory().semantic.search(),
      semanticPatienceMs: this.semanticPatienceMs,
      vectors: () => memory().semantic.state(),
      deleteChunks: (ids, titled, options) => this.deleteChunks({ ids, titled }, memory(), options),
    };
  }

  private settings(mostTokens: number): Config {
    const { home, projectDir, env } = this;
    const config = loadConfig({ home, projectDir, env });
    const mcpMaxResponse = Math.min(config.tokens.mcpMaxResponse, mostTokens);
    return { ...config, tokens: { ...config.tokens, mcpMaxResponse } };
  }

  private openMemory(): Memory {
    if (this.memory?.store.isInPlace()) return this.memory;
    if (this.memory) this.leave(this.memory);
    const { home, left } = this;
    const store = Store.open(databasePath(home), { ...this.patience, forReading: true });
    // Only one set of indexes can have FAISS.
    const semantic = new SemanticService({ store, home, workers: () => left.then(() => this.workerPool()) });
    if (this.keepsUp && store.isWritable) semantic.keepUp();
    this.memory = { store, semantic };
    return this.memory;
  }

  /** Its file was deleted or replaced. The connection stays open, because running calls may still read from it. */
  private leave({ semantic }: Memory): void {
    this.memory = undefined;
    this.left = this.left.then(() => semantic.close({ keepIndexes: false })).catch(() => undefined);
  }

  /**
   * From now on, makes the vectors that other processes did not make; for a long-lived process. Opens the memory if there
   * is one; otherwise the first tool call does.
   */
  keepUp(): void {
    this.keepsUp = true;
    if (this.memory?.store.isWritable) this.memory.semantic.keepUp();
    else if (existsSync(databasePath(this.home))) {
      try {
        this.openMemory();
      } catch {
        // Each tool call says why it cannot be opened.
      }
    }
  }

  /**
   * Reads the sessions that a client has kept, unless the settings say not to or the memory cannot be written.
   *
   * @param writtenBeforeMs files written to since then belong to sessions in progress
   * @returns what could not be read
   * @throws ConfigError, StorageError; any error once the services were closed
   */
  async readTranscripts(client: TranscriptClient, writtenBeforeMs: number): Promise<string | undefined> {
    const { home, env } = this;
    // No project switches on what the user has switched off.
    const { background } = loadConfig({ home, projectDir: undefined, env }).ingest;
    if (!background) return undefined;
    if (existsSync(databasePath(home)) && !this.openMemory().store.isWritable) return undefined;
    return this.transcripts?.read(client, writtenBeforeMs);
  }

  /** Worker threads and models are loaded when a tool first needs them, so a server that only lists has none. */
  private workerPool(): Promise<WorkerPool> {
    this.pool ??= import('@causantic/compute').then(({ WorkerPool }) => new WorkerPool());
    return this.pool;
  }

  private async deleteChunks(
    what: Deletion,
    { store, semantic, madeAt }: OpenedMemory,
    options: DeletionCall = {},
  ): Promise<number> {
    const { defineTask, WorkerPool } = await import('@causantic/compute');
    if (!store.isInPlace())
      throw new StorageError('NO_ACCESS', `${store.path} was replaced meanwhile; nothing was deleted.`);
    const task = defineTask<DeletionInput, number>(
      new URL('./delete-task.js', import.meta.url),
      'deleteChunks',
    );
    // It may wait for other processes and take long: searches need the threads of the pool meanwhile.
    const pool = new WorkerPool({ threads: 1 });
    try {
      const tellsOfWaits = this.patience.onWait !== undefined;
      const input = { databasePath: store.path, memory: madeAt, tellsOfWaits, ...what };
      return await pool.run(task, input, { priority: 'interactive', ...options });
    } finally {
      await pool.close();
      // Of a deletion that fails, or is cancelled too late, too: chunks may be gone, and only the file not be rewritten.
      await semantic.forgetDeleted();
    }
  }

  /** Lets the workers finish and ends them, saves the indexes and closes the store. */
  async close(): Promise<void> {
    await this.transcripts?.close();
    await this.left;
    await this.memory?.semantic.close({ keepIndexes: this.memory.store.isInPlace() });
    const [pool] = await Promise.allSettled([this.pool]);
    if (pool.status === 'fulfilled') await pool.value?.close({ abort: true });
    this.memory?.store.close();
    this.memory = undefined;
  }
}

/** Without a home folder, a memory in a named folder can still be served, but there are no default transcripts to read. */
function upkeepOf(home: string, env: NodeJS.ProcessEnv): TranscriptUpkeep | undefined {
  try {
    return new TranscriptUpkeep(home, clientFolders(env));
  } catch {
    return undefined;
  }
}

function folderIfThere(): string | undefined {
  try {
    return currentFolder();
  } catch {
    return undefined;
  }
}
