import type { Embedder, VectorIndexes } from '@causantic/compute';
import type { KeywordScope, Store } from '@causantic/storage';

/** Chunks by similarity of meaning, best first; parallel arrays. */
export interface SemanticMatches {
  ids: number[];
  /** Cosine similarity, −1 to 1. */
  similarities: number[];
}

/** Finds chunks by what they mean. The vectors are the store's; the indexes over them are derived. */
export class SemanticSearch {
  private constructor(
    private readonly store: Store,
    private readonly embedder: Embedder,
    private readonly indexes: VectorIndexes,
  ) {}

  /** @param directory where index files are kept; everything in it may be deleted at any time */
  static async open(store: Store, embedder: Embedder, directory: string): Promise<SemanticSearch> {
    // Loaded here and not with this module: a server that only lists needs no worker pool.
    const { VectorIndexes } = await import('@causantic/compute');
    const { id: modelId, dim } = embedder.model;
    const indexes = new VectorIndexes({
      directory,
      source: {
        state: (key) => {
          const version = store.vectors.version(modelId, Number(key));
          return version === undefined ? undefined : { modelId, dim, version };
        },
        ids: (key) => store.vectors.ids(modelId, Number(key)),
        vectors: (key, ids) => store.vectors.get(modelId, Number(key), ids, dim),
      },
    });
    return new SemanticSearch(store, embedder, indexes);
  }

  /** A query's unit vector; all zeros when the model knows none of its words. */
  embedQuery(query: string): Promise<Float32Array> {
    return this.embedder.embed([query], 'query');
  }

  /** The `limit` chunks of the scope most similar to a vector. Filters count before the cut. */
  async nearest(vector: Float32Array, scope: KeywordScope, limit: number): Promise<SemanticMatches> {
    const allowed = scope.agentIds && this.store.chunks.idsOfAgents(scope.agentIds);
    return this.scan(vector, { projectId: scope.projectId, allowed, limit });
  }

  /** Every chunk of these ids, all of one project, that is at least this similar to the query; best first. */
  async similarAmong(
    query: string,
    { projectId, ids, minSimilarity }: { projectId: number; ids: readonly number[]; minSimilarity: number },
  ): Promise<SemanticMatches> {
    const vector = await this.embedQuery(query);
    const found = await this.scan(vector, { projectId, allowed: ids, limit: ids.length });
    const count = found.similarities.findIndex((similarity) => similarity < minSimilarity);
    const end = count < 0 ? found.ids.length : count;
    return { ids: found.ids.slice(0, end), similarities: found.similarities.slice(0, end) };
  }

  private async scan(
    vector: Float32Array,
    {
      projectId,
      allowed,
      limit,
    }: { projectId: number | undefined; allowed: readonly number[] | undefined; limit: number },
  ): Promise<SemanticMatches> {
    const known = this.store.vectors.projects(this.embedder.model.id);
    const projects = projectId === undefined ? known : known.filter((id) => id === projectId);
    if (projects.length === 0 || limit === 0 || vector.every((component) => component === 0)) {
      return { ids: [], similarities: [] };
    }
    const { ids, scores } = await this.indexes.search({
      keys: projects.map(String),
      query: vector,
      k: limit,
      ...(allowed && { allowed: Float64Array.from(allowed) }),
    });
    return { ids: [...ids], similarities: [...scores] };
  }

  /** Brings the indexes in memory in line with the store; a search does so for those that it uses. */
  async update(): Promise<void> {
    const projects = this.store.vectors.projects(this.embedder.model.id);
    await Promise.all(projects.map((id) => this.indexes.sync(String(id))));
  }

  /** Saves the indexes and ends their worker. */
  close(): Promise<void> {
    return this.indexes.close();
  }
}
