import type { Database } from 'better-sqlite3';
import { ChunkDirectory } from './chunk-directory.js';
import { Chunks } from './chunks.js';
import { Clusters } from './clusters.js';
import { asStorageError, openDatabase, type OpenOptions } from './connection.js';
import { Edges } from './edges.js';
import { EmbeddingUse } from './embedding-use.js';
import { Entities } from './entities.js';
import { Forgetting } from './forgetting.js';
import { KeywordIndex } from './keyword-index.js';
import { Projects } from './projects.js';
import { Sessions } from './sessions.js';
import { statistics, type Statistics } from './statistics.js';
import { Transcripts } from './transcripts.js';
import { Vectors } from './vectors.js';

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
  readonly vectors: Vectors;
  readonly embedding: EmbeddingUse;
  readonly clusters: Clusters;
  readonly entities: Entities;

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
    this.vectors = new Vectors(db);
    this.embedding = new EmbeddingUse(db);
    this.clusters = new Clusters(db);
    this.entities = new Entities(db);
  }

  /**
   * @param path of the database file, or `:memory:`
   * @throws StorageError CORRUPT, MIGRATION_FAILED or BUSY
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

  statistics(): Statistics {
    return statistics(this.db);
  }

  /** A number that moves when another connection commits; asking costs microseconds. */
  dataVersion(): number {
    return this.db.pragma('data_version', { simple: true }) as number;
  }

  /** SQLite's own check of the file; empty when all is well. */
  integrityIssues(): string[] {
    const rows = this.db.pragma('integrity_check') as { integrity_check: string }[];
    return rows.map((row) => row.integrity_check).filter((message) => message !== 'ok');
  }

  close(): void {
    this.db.close();
  }
}
