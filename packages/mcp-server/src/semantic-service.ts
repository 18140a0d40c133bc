import { join } from 'node:path';
import type { Embedder, ModelsInUse, WorkerPool } from '@causantic/compute';
import { errorMessage } from '@causantic/domain';
import type { SemanticSearch } from '@causantic/retrieval';
import type { Store } from '@causantic/storage';
import { VectorUpkeep } from './vector-upkeep.js';

/** The state of search by meaning. */
export interface VectorState {
  /** The model whose vectors are searched. */
  model: string;
  /** The model that will be searched once all chunks have its vectors; absent if no switch is under way. */
  nextModel?: string;
  /** Chunks with a vector of `model`. */
  vectors: number;
  /** Chunks that still need a vector of the model in use, or of the next one. */
  pending: number;
  /** What the vectors are searched with. */
  backend: 'faiss' | 'exact-scan' | 'none';
  /** Of the vectors in memory, those of projects too large for the exact index: held in 8 bits a component. */
  inEightBits: number;
  /** Why FAISS is not used, why the model makes no vectors, or why the vectors are not kept up to date. */
  problems: string[];
}

export interface SemanticServiceOptions {
  store: Store;
  home: string;
  workers: () => Promise<WorkerPool>;
}

/** While many vectors are being made, the indexes are updated this often, so that no search has to wait for that. */
const INDEX_UPDATE_MS = 1_000;

/** Search by meaning over one store: follows the model in use, and keeps its vectors up to date if asked to. */
export class SemanticService {
  private readonly upkeep: VectorUpkeep;
  private current: { revision: number; search: Promise<SemanticSearch> } | undefined;
  /** The one that was opened last; its indexes are those of all that come after it. */
  private opened: SemanticSearch | undefined;
  private indexedAtMs = 0;

  constructor(private readonly options: SemanticServiceOptions) {
    this.upkeep = new VectorUpkeep({
      ...options,
      onProgress: () => this.updateIndexes(),
      beforeServing: (embedder) => this.indexFor(embedder),
      onDone: () => this.dropOtherIndexes(),
    });
  }

  /**
   * Search with the model whose vectors are complete. Call this for every search, because any process may switch models.
   * @throws ComputeError MODEL_MISSING; the next call tries again
   */
  search(): Promise<SemanticSearch> {
    const { revision } = this.options.store.embedding.state();
    if (this.current?.revision === revision) return this.current.search;
    const opening = { revision, search: this.lastOpened().then((last) => this.reopen(last)) };
    this.current = opening;
    return opening.search.catch((error: unknown) => {
      if (this.current === opening) this.current = undefined;
      throw error;
    });
  }

  private async reopen(last: SemanticSearch | undefined): Promise<SemanticSearch> {
    const embedder = await this.openServingEmbedder();
    if (last) {
      await last.drop(); // They are of another model, or of one that was replaced under the same name.
      return (this.opened = last.withModel(embedder));
    }
    const { SemanticSearch } = await import('@causantic/retrieval');
    // Whoever changed the model may have had none. A folder that cannot be read is no reason to search by words alone.
    await this.dropOtherIndexes().catch(() => undefined);
    const { store } = this.options;
    const isEmbedding = (): boolean => this.upkeep.isEmbedding;
    return (this.opened = await SemanticSearch.open(store, embedder, this.indexFolder, isEmbedding));
  }

  /** Undefined if none was, or could be, opened yet. */
  private async lastOpened(): Promise<SemanticSearch | undefined> {
    await this.current?.search.catch(() => undefined);
    return this.opened;
  }

  private async openServingEmbedder(): Promise<Embedder> {
    const { store, home, workers } = this.options;
    const { openEmbedder } = await import('@causantic/compute');
    const { serving, chosen } = store.embedding.state();
    return openEmbedder(serving ?? chosen, { home, pool: await workers() });
  }

  /** From now on, makes the vectors that other processes did not make. */
  keepUp(): void {
    this.upkeep.start();
  }

  async state(): Promise<VectorState> {
    const { store } = this.options;
    const { searched: model, wanted } = await this.models();
    const shelf = await this.search()
      .then(async (search) => ({
        ...(await search.diagnostics()),
        modelProblem: await search.modelProblem(),
      }))
      .catch((error: unknown) => ({
        backend: 'none' as const,
        backendReason: errorMessage(error),
        modelProblem: undefined,
        indexes: [],
      }));
    const problems = [shelf.backendReason, shelf.modelProblem, this.upkeep.problem];
    const compressed = shelf.indexes.filter(({ precision }) => precision === 'int8');
    return {
      model,
      ...(wanted !== model && { nextModel: wanted }),
      vectors: store.vectors.countByModel()[model] ?? 0,
      pending: store.vectors.countPending(wanted),
      backend: shelf.backend,
      inEightBits: compressed.reduce((sum, { count }) => sum + count, 0),
      problems: [...new Set(problems.filter((text) => text !== undefined))],
    };
  }

  /** Removes every trace of deleted chunks from memory and from index files. */
  async forgetDeleted(): Promise<void> {
    const { removeIndexFiles } = await import('@causantic/retrieval');
    await (await this.lastOpened())?.update('interactive');
    removeIndexFiles(this.indexFolder, { except: [] });
  }

  /** @param keepIndexes false after the memory was deleted, so that nothing of it is written */
  async close({ keepIndexes }: { keepIndexes: boolean }): Promise<void> {
    await this.upkeep.close();
    const search = await this.lastOpened();
    if (!keepIndexes) await search?.drop();
    await search?.close();
  }

  /** Those of all projects; of none before the first search, which loads what it needs. */
  private async updateIndexes(): Promise<void> {
    if (performance.now() - this.indexedAtMs < INDEX_UPDATE_MS) return;
    this.indexedAtMs = Infinity; // One at a time.
    try {
      await (await this.lastOpened())?.update('batch');
    } finally {
      this.indexedAtMs = performance.now();
    }
  }

  private async indexFor(embedder: Embedder): Promise<void> {
    await (await this.lastOpened())?.withModel(embedder).update('batch');
  }

  private async dropOtherIndexes(): Promise<void> {
    const { removeIndexFiles } = await import('@causantic/retrieval');
    removeIndexFiles(this.indexFolder, { except: Object.values(await this.models()) });
  }

  private async models(): Promise<ModelsInUse> {
    const { modelsInUse } = await import('@causantic/compute');
    return modelsInUse(this.options.store.embedding.state());
  }

  private get indexFolder(): string {
    return join(this.options.home, 'indexes');
  }
}
