import { join } from 'node:path';
import type { Embedder, WorkerPool } from '@causantic/compute';
import { errorMessage } from '@causantic/domain';
import type { ModelsInUse } from '@causantic/ingest';
import type { SemanticSearch } from '@causantic/retrieval';
import type { Store } from '@causantic/storage';
import { VectorUpkeep } from './vector-upkeep.js';

/** How many chunks a question can find by their meaning, and with what. */
export interface VectorState {
  /** Whose vectors are searched. */
  model: string;
  /** The model that will be searched once all chunks have its vectors; absent when none is being switched to. */
  nextModel?: string;
  /** Chunks with a vector of `model`. */
  vectors: number;
  /** Chunks that wait for a vector of the model in use, or of the next one. */
  pending: number;
  /** What the vectors are searched with. */
  backend: 'faiss' | 'exact-scan' | 'none';
  /** Why it is not FAISS, or why the vectors are not kept up to date. */
  problems: string[];
}

export interface SemanticServiceOptions {
  store: Store;
  home: string;
  workers: () => Promise<WorkerPool>;
}

/** While many vectors are being made, the indexes take them in this often, so that no search has to wait for it. */
const INDEX_UPDATE_MS = 1_000;

/** Search by meaning over one store: follows the model in use, and keeps its vectors up to date if asked to. */
export class SemanticService {
  private readonly upkeep: VectorUpkeep;
  private current: { revision: number; search: Promise<SemanticSearch> } | undefined;
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
   * With the model whose vectors are complete; asked for at every search, since any process may switch it.
   * @throws ComputeError MODEL_MISSING; the next call tries again
   */
  search(): Promise<SemanticSearch> {
    const { revision } = this.options.store.embedding.state();
    const last = this.current;
    if (last?.revision === revision) return last.search;
    const opening = { revision, search: this.reopen(last) };
    this.current = opening;
    return opening.search.catch((error: unknown) => {
      // The indexes of the last one are still open.
      if (this.current === opening) this.current = last;
      throw error;
    });
  }

  private async reopen(last: SemanticService['current']): Promise<SemanticSearch> {
    const embedder = await this.openServingEmbedder();
    const before = await last?.search.catch(() => undefined);
    if (before) {
      if (before.modelId !== embedder.model.id) await before.drop();
      return before.withModel(embedder);
    }
    const { SemanticSearch } = await import('@causantic/retrieval');
    await this.dropOtherIndexes(); // Whoever changed the model may have had none.
    return SemanticSearch.open(this.options.store, embedder, this.indexFolder, () => this.upkeep.isEmbedding);
  }

  private async openServingEmbedder(): Promise<Embedder> {
    const { store, home, workers } = this.options;
    const { Embedder, findModel } = await import('@causantic/compute');
    const { modelsFolder } = await import('@causantic/ingest');
    const { serving, chosen } = store.embedding.state();
    const { modelDir } = await findModel(modelsFolder(home), serving ?? chosen);
    return Embedder.open({ pool: await workers(), modelDir });
  }

  /** Makes the vectors that other processes left out, from now on. */
  keepUp(): void {
    this.upkeep.start();
  }

  async state(): Promise<VectorState> {
    const { store } = this.options;
    const { searched: model, wanted } = await this.models();
    const shelf = await this.search()
      .then((search) => search.diagnostics())
      .catch((error: unknown) => ({ backend: 'none' as const, backendReason: errorMessage(error) }));
    const problems = [shelf.backendReason, this.upkeep.problem].filter((text) => text !== undefined);
    return {
      model,
      ...(wanted !== model && { nextModel: wanted }),
      vectors: store.vectors.countByModel()[model] ?? 0,
      pending: store.vectors.countPending(wanted),
      backend: shelf.backend,
      problems,
    };
  }

  /** Leaves nothing of deleted chunks in memory or in an index file. */
  async forgetDeleted(): Promise<void> {
    const { removeIndexFiles } = await import('@causantic/retrieval');
    const search = await this.current?.search.catch(() => undefined);
    await search?.update('interactive');
    removeIndexFiles(this.indexFolder, { except: [] });
  }

  /** @param keepIndexes false after the memory was deleted: nothing of it is written */
  async close({ keepIndexes }: { keepIndexes: boolean }): Promise<void> {
    await this.upkeep.close();
    const search = await this.current?.search.catch(() => undefined);
    if (!keepIndexes) await search?.drop();
    await search?.close();
  }

  /** Only indexes that somebody has searched already: the others are read when they are needed. */
  private async updateIndexes(): Promise<void> {
    if (!this.current || performance.now() - this.indexedAtMs < INDEX_UPDATE_MS) return;
    this.indexedAtMs = Infinity; // One at a time.
    try {
      await (await this.search()).update('batch');
    } finally {
      this.indexedAtMs = performance.now();
    }
  }

  private async indexFor(embedder: Embedder): Promise<void> {
    if (this.current) await (await this.search()).withModel(embedder).update('batch');
  }

  private async dropOtherIndexes(): Promise<void> {
    const { removeIndexFiles } = await import('@causantic/retrieval');
    removeIndexFiles(this.indexFolder, { except: Object.values(await this.models()) });
  }

  private async models(): Promise<ModelsInUse> {
    const { modelsInUse } = await import('@causantic/ingest');
    return modelsInUse(this.options.store);
  }

  private get indexFolder(): string {
    return join(this.options.home, 'indexes');
  }
}
