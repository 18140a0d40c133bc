import { statSync, writeFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StorageError } from '@causantic/domain';
import { ChunkDirectory } from './chunks/chunk-directory.js';
import { Chunks } from './chunks/chunks.js';
import { copyDatabase, openDatabase, type OpenOptions } from './database/connection.js';
import { tellOfLongWait, waitForWriter } from './database/long-waits.js';
import { madeAtQuery, SCHEMA_VERSION, schemaOf, versionQuery } from './database/migrations.js';
import { readTransaction } from './database/read-transaction.js';
import { rewrite } from './database/rewrite.js';
import { isSqliteError } from './database/sqlite.js';
import { asStorageError } from './database/storage-errors.js';
import { writeTransaction } from './database/write-transaction.js';
import { Forgetting } from './forgetting/forgetting.js';
import { Retention } from './forgetting/retention.js';
import { Clusters } from './links/clusters.js';
import { Edges } from './links/edges.js';
import { Entities } from './links/entities.js';
import { Projects } from './projects.js';
import { Sessions } from './sessions.js';
import { statistics, type Statistics } from './statistics.js';
import { Transcripts } from './transcripts/transcripts.js';
import { EmbeddingUse } from './vectors/embedding-use.js';
import { Vectors } from './vectors/vectors.js';
import { dropAllUnusedIdentifiers } from './words/identifiers.js';
import { KeywordIndex } from './words/keyword-index.js';

/** One connection to the memory. Synchronous; each worker and each process opens its own. */
export class Store {
  readonly projects: Projects;
  readonly sessions: Sessions;
  readonly chunks: Chunks;
  readonly directory: ChunkDirectory;
  readonly keywords: KeywordIndex;
  readonly transcripts: Transcripts;
  readonly edges: Edges;
  readonly forgetting: Forgetting;
  readonly retention: Retention;
  readonly vectors: Vectors;
  readonly embedding: EmbeddingUse;
  readonly clusters: Clusters;
  readonly entities: Entities;
  private readonly file: string | undefined;
  /** Asked for each index that a search uses. */
  private readonly askMadeAt: () => string;
  private readonly askVersion: () => number;

  private constructor(
    private readonly db: Database,
    readonly path: string,
  ) {
    this.projects = new Projects(db);
    this.sessions = new Sessions(db);
    this.chunks = new Chunks(db);
    this.directory = new ChunkDirectory(db);
    this.keywords = new KeywordIndex(db);
    this.transcripts = new Transcripts(db);
    this.edges = new Edges(db);
    this.forgetting = new Forgetting(db);
    this.retention = new Retention(db);
    this.vectors = new Vectors(db);
    this.embedding = new EmbeddingUse(db);
    this.clusters = new Clusters(db);
    this.entities = new Entities(db);
    this.file = this.fileNow();
    this.askMadeAt = madeAtQuery(db);
    this.askVersion = versionQuery(db);
  }

  /**
   * @param path of the database file, or `:memory:`
   * @throws StorageError CORRUPT, NO_ACCESS, MIGRATION_FAILED or BUSY
   * @throws NativeModuleError when SQLite itself does not load
   */
  static open(path: string, options: OpenOptions = {}): Store {
    const db = openDatabase(path, options);
    try {
      return new Store(db, path);
    } catch (cause) {
      db.close();
      throw asStorageError(cause, path);
    }
  }

  /**
   * A copy in memory, as large as the file. Changes to it do not reach the file.
   * @throws StorageError as `open`
   */
  static openCopy(path: string): Store {
    return new Store(copyDatabase(path), ':memory:');
  }

  /**
   * False once the file was deleted or replaced, or differs from the copy that was made of it: this connection then
   * works on data that nobody else sees. Also false once a newer program has changed the tables, so that statements of
   * this one might fail or write wrong data; opening the file again reports that.
   * @throws StorageError where the file cannot be looked at
   */
  isInPlace(): boolean {
    try {
      return this.fileNow() === this.file && this.askVersion() <= SCHEMA_VERSION;
    } catch (cause) {
      throw asStorageError(cause, this.path);
    }
  }

  /**
   * For a program that writes much: what is written to a file that is gone is lost, and nothing else says so.
   * @throws StorageError unless `isInPlace`
   */
  assertInPlace(): void {
    if (this.isInPlace()) return;
    const message = `${this.path} was deleted, replaced or changed by a newer version of Causantic meanwhile. Run this again.`;
    throw new StorageError('NO_ACCESS', message, { data: { path: this.path } });
  }

  private fileNow(): string | undefined {
    if (!this.isCopy) return fileAt(this.path);
    const stats = [this.path, `${this.path}-wal`].map((file) =>
      statSync(file, { bigint: true, throwIfNoEntry: false }),
    );
    return stats.map((each) => each && `${each.ino} ${each.size} ${each.mtimeNs}`).join();
  }

  /** Whether it was opened for reading only and has no part in what others write. */
  private get isCopy(): boolean {
    return this.db.memory && this.path !== ':memory:';
  }

  /** False if `forReading` opened a memory that cannot be written. */
  get isWritable(): boolean {
    return !this.db.readonly && !this.isCopy;
  }

  /** Distinguishes this memory from an earlier one at the same path, in another file or, before an import, in this one. */
  get madeAt(): string {
    return this.askMadeAt();
  }

  /**
   * Runs what asks the store outside of its own transactions: an error of SQLite says which memory it is of, and what to do.
   * @throws StorageError, and whatever `work` throws
   */
  asking<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw isSqliteError(cause) ? asStorageError(cause, this.path) : cause;
    }
  }

  /** Runs what reads much at once, as of one moment: it is synchronous, and writes nothing. */
  reading<T>(read: () => T): T {
    return readTransaction(this.db, read);
  }

  statistics(): Statistics {
    return statistics(this.db);
  }

  /** A number that changes when another connection commits; reading it takes microseconds. */
  dataVersion(): number {
    return this.db.pragma('data_version', { simple: true }) as number;
  }

  /** SQLite's own check of the file; empty if it found no problems. */
  integrityIssues(): string[] {
    const rows = this.db.pragma('integrity_check') as { integrity_check: string }[];
    return rows.map((row) => row.integrity_check).filter((message) => message !== 'ok');
  }

  /** Changes another program made to the tables: missing ones, extra ones, or triggers of its own. */
  schemaIssues(): string[] {
    const own = openDatabase(':memory:');
    const wanted = new Set(schemaOf(own));
    own.close();
    const present = new Set(schemaOf(this.db));
    return [
      ...[...wanted].filter((each) => !present.has(each)).map((each) => `missing: ${each}`),
      ...[...present].filter((each) => !wanted.has(each)).map((each) => `unknown: ${each}`),
    ];
  }

  /** Calls `onWait` of the options, for work in other threads that has waited `LONG_WAIT_MS` for its turn to write. */
  tellOfLongWait(): void {
    tellOfLongWait(this.db);
  }

  /**
   * Frees the space of what is no longer needed, and optimizes the word indexes. This takes seconds to minutes, and
   * temporarily as much disk space again as the database; writers wait.
   * @throws StorageError BUSY
   */
  compact(): void {
    try {
      writeTransaction(this.db, () => dropAllUnusedIdentifiers(this.db));
      rewrite(this.db);
    } catch (cause) {
      throw asStorageError(cause, this.path);
    }
  }

  /**
   * Writes a copy without free pages to a new file. Others may read and write meanwhile; the copy lacks what they write.
   * @throws StorageError CORRUPT or NO_ROOM
   */
  snapshot(path: string): void {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
    try {
      this.db.prepare('VACUUM INTO ?').run(path);
    } catch (cause) {
      throw asStorageError(cause, this.path);
    }
  }

  /**
   * For a memory that moved to another home: forgets who is making vectors, ensures that no index there is taken for an
   * index of these vectors, even if their numbers happen to be equal, and that notes count as read on another machine.
   */
  settleIn(): void {
    // Of two that are imported one after the other, the second has other chunks under the same numbers.
    const nowMs = Date.now();
    this.db
      .prepare('UPDATE embedding SET lease_owner = NULL, lease_until = 0, revision = revision + ?')
      .run(nowMs);
    this.db.prepare('UPDATE vector_version SET version = version + ?').run(nowMs);
    this.transcripts.forgetReading('claude-code-notes');
  }

  /**
   * Makes this the content of another database, in one transaction of that database; its readers see it at once.
   * @param options how to wait for those who write there
   * @throws StorageError BUSY if another process writes there for too long
   */
  async copyTo(path: string, options: OpenOptions = {}): Promise<void> {
    // Makes the file if there is none, with the permissions and the journal that all have.
    const target = openDatabase(path, options);
    try {
      let copiedPages = 0;
      // A backup waits for nobody: if another process is writing, it copies nothing and does not say so.
      while (copiedPages === 0) {
        waitForWriter(target);
        target.exec('BEGIN IMMEDIATE; ROLLBACK');
        copiedPages = (await this.db.backup(path)).totalPages;
      }
    } catch (cause) {
      throw asStorageError(cause, path);
    } finally {
      target.close();
    }
  }

  close(): void {
    this.db.close();
  }
}

/**
 * Runs `work`, which is synchronous, with a store that is closed afterwards.
 * @throws as `Store.open`, and whatever `work` throws
 */
export function withStore<T>(path: string, work: (store: Store) => T, options: OpenOptions = {}): T {
  const store = Store.open(path, options);
  try {
    return work(store);
  } finally {
    store.close();
  }
}

/**
 * Whether there is a database at this path.
 * @throws StorageError where nobody can look: its disk is not connected, or its folder is closed to the user
 */
export function databaseExists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    throw asStorageError(cause, path);
  }
}

/** Identifies the file at a path; undefined if there is none, as for a memory database. */
function fileAt(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}
