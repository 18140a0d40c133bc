import type * as Compute from '@causantic/compute';
import type { Embedder, Priority, ShelfDiagnostics, VectorIndexes, VectorSource } from '@causantic/compute';
import { errorMessage } from '@causantic/domain';
import type { KeywordScope, Store } from '@causantic/storage';
import { indexKeys } from './index-files.js';
import type { ReadIdsInput, ReadVectorsInput } from './vector-read-task.js';

export interface SimilarChunk {
  id: number;
  similarity: number;
}

/** Chunks by similarity of meaning, best first; parallel arrays. */
export interface SemanticMatches {
  ids: number[];
  /** −1 to 1, on the built-in model's scale. */
  similarities: number[];
  /** Whose vectors these are. */
  modelId?: string;
  /** The greatest of them, if the question is in another language than the texts; undefined if the model tells nothing then. */
  nearestAcrossLanguages?: number | undefined;
  /** Whether the model was taught other languages, so that they mean something across these: see `questionLanguage`. */
  knowsTaughtLanguages?: boolean;
}

/** What the searches with different models over one store have in common. */
interface Shared {
  store: Store;
  indexes: VectorIndexes;
  /** Whose index a key names. */
  owners: Map<string, { modelId: string; dim: number; projectId: number }>;
  mayLag: () => boolean;
}

interface Scan {
  /** Of the indexes to search. */
  keys: readonly string[];
  /** The only chunks that may be found, where not all may. */
  allowed: ArrayLike<number> | undefined;
  limit: number;
  mayLag: boolean;
}

/** Finds chunks by what they mean to one model. The vectors are the store's; the indexes over them are derived. */
export class SemanticSearch {
  private constructor(
    private readonly shared: Shared,
    private readonly embedder: Embedder,
  ) {}

  /**
   * @param store in a file: its vectors are read in the indexes' worker
   * @param directory where index files are kept; everything in it may be deleted at any time
   * @param mayLag true while somebody calls `update` often: then no search waits for what is new
   */
  static async open(
    store: Store,
    embedder: Embedder,
    directory: string,
    mayLag = () => false,
  ): Promise<SemanticSearch> {
    // Loaded here and not with this module: a server that only lists needs no worker pool.
    const compute = await import('@causantic/compute');
    const owners: Shared['owners'] = new Map();
    const indexes = new compute.VectorIndexes({ directory, source: vectorSource(store, owners, compute) });
    return new SemanticSearch({ store, indexes, owners, mayLag }, embedder);
  }

  /** The same store searched with another model; both may be used until either is closed. */
  withModel(embedder: Embedder): SemanticSearch {
    return new SemanticSearch(this.shared, embedder);
  }

  get modelId(): string {
    return this.embedder.model.id;
  }

  /** The `limit` chunks of the scope most similar to a query. Filters count before the cut. */
  async nearest(
    query: string,
    { projectId, agentIds }: KeywordScope,
    limit: number,
  ): Promise<SemanticMatches> {
    const { indexes, store, mayLag } = this.shared;
    const keys = this.keys(projectId);
    // Read while the query is being embedded; what fails here fails again in the search.
    indexes.prepare(keys).catch(() => undefined);
    const vector = await this.embedQuery(query);
    const allowed = agentIds && store.chunks.idsOfAgents(agentIds);
    return this.scan(vector, { keys, allowed, limit, mayLag: mayLag() });
  }

  /**
   * Every chunk of these ids, all of one project, that is at least this similar to the query; best first. `pending`
   * are those that could be found and have no vector yet; what the model does not understand finds nothing. `nearest` is
   * the most similar chunk, even if it is less similar.
   */
  async similarAmong(
    query: string,
    { projectId, ids, minSimilarity }: { projectId: number; ids: readonly number[]; minSimilarity: number },
  ): Promise<SemanticMatches & { nearest?: SimilarChunk; pending: number; isUnderstood: boolean }> {
    const vector = await this.embedQuery(query);
    const keys = this.keys(projectId);
    const found = await this.scan(vector, { keys, allowed: ids, limit: ids.length, mayLag: false });
    const similarities = found.similarities.filter((similarity) => similarity >= minSimilarity);
    const pending = this.shared.store.vectors.countPendingOf(this.modelId, ids);
    const [id] = found.ids;
    return {
      ids: found.ids.slice(0, similarities.length),
      similarities,
      ...(id !== undefined && { nearest: { id, similarity: found.similarities[0]! } }),
      pending,
      isUnderstood: !isZero(vector) || !hasWords(query),
    };
  }

  /** A query's unit vector; all zeros when it has no words, or the model knows less than half of them. */
  private async embedQuery(query: string): Promise<Float32Array> {
    // To a model, `--` means much the same as any list or rule.
    if (!hasWords(query)) return new Float32Array(this.embedder.model.dim);
    return this.embedder.embed([query], 'query');
  }

  private async scan(vector: Float32Array, { keys, allowed, limit, mayLag }: Scan): Promise<SemanticMatches> {
    if (keys.length === 0 || limit === 0 || isZero(vector)) {
      return { ids: [], similarities: [] };
    }
    const { ids, scores } = await this.shared.indexes.search({
      keys,
      query: vector,
      k: limit,
      mayLag,
      ...(allowed && { allowed: Float64Array.from(allowed) }),
    });
    const similarities = Array.from(scores, (cosine) => this.embedder.similarity(cosine));
    const nearestAcrossLanguages = this.embedder.similarityAcrossLanguages(scores[0] ?? 0);
    const { modelId } = this;
    const { knowsTaughtLanguages } = this.embedder;
    return { ids: [...ids], similarities, modelId, nearestAcrossLanguages, knowsTaughtLanguages };
  }

  /** Brings the indexes in memory in line with the store; a search does so for those that it uses. */
  async update(priority: Priority): Promise<void> {
    await Promise.all(this.keys().map((key) => this.shared.indexes.sync(key, priority)));
  }

  /** Frees the indexes of this model and deletes their files: its vectors are of no use any more. */
  async drop(): Promise<void> {
    await Promise.all(this.keys().map((key) => this.shared.indexes.drop(key)));
  }

  /** Why no question becomes a vector, as when a file of the model is damaged; undefined if one does. Loads the model. */
  modelProblem(): Promise<string | undefined> {
    return this.embedQuery('Does this become a vector?').then(() => undefined, errorMessage);
  }

  /** What the indexes are kept with, and which are in memory. Starts their worker. */
  diagnostics(): Promise<ShelfDiagnostics> {
    return this.shared.indexes.diagnostics();
  }

  /** Saves the indexes, of all models, and ends their worker. */
  close(): Promise<void> {
    return this.shared.indexes.close();
  }

  private keys(projectId?: number): string[] {
    const { id: modelId, dim } = this.embedder.model;
    const known = this.shared.store.vectors.projects(modelId);
    const projects = projectId === undefined ? known : known.filter((id) => id === projectId);
    const keys = indexKeys(modelId, projects);
    keys.forEach((key, i) => this.shared.owners.set(key, { modelId, dim, projectId: projects[i]! }));
    return keys;
  }
}

function vectorSource(store: Store, owners: Shared['owners'], { defineTask }: typeof Compute): VectorSource {
  const entry = new URL('./vector-read-task.js', import.meta.url);
  const readVectorIds = defineTask<ReadIdsInput, Float64Array>(entry, 'readVectorIds');
  const readVectors = defineTask<ReadVectorsInput, Float32Array>(entry, 'readVectors');
  const databasePath = store.path;
  return {
    state: (key) => {
      const { modelId, dim, projectId } = owners.get(key)!;
      const version = store.vectors.version(modelId, projectId);
      // An index file may be older than the database, where that was moved away: its ids mean other chunks.
      return version === undefined ? undefined : { modelId: `${modelId} ${store.madeAt}`, dim, version };
    },
    ids: (key, run) => run(readVectorIds, { databasePath, ...owners.get(key)! }),
    vectors: (key, ids, run) => run(readVectors, { databasePath, ...owners.get(key)!, ids }),
  };
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function isZero(vector: Float32Array): boolean {
  return vector.every((component) => component === 0);
}
