export { defineTask, transferred, type Task, type TaskContext, type TaskFunction } from './pool/task.js';
export type { Priority } from './pool/task-queue.js';
export type { TaskTiming } from './pool/task-timings.js';
export {
  WorkerPool,
  type PoolDiagnostics,
  type TaskOptions,
  type WorkerPoolOptions,
} from './pool/worker-pool.js';
export { defaultModelDir } from './default-model.js';
export { Embedder, type EmbedOptions } from './models/embedder.js';
export type { EmbeddingKind } from './models/embedding-model.js';
export type { ModelSpec, Pooling } from './models/model-spec.js';
export type { Origin, ShelfDiagnostics } from './indexes/index-shelf.js';
export type { Precision } from './indexes/rows.js';
export {
  VectorIndexes,
  type RunInWorker,
  type SourceState,
  type SyncReport,
  type VectorHits,
  type VectorIndexesOptions,
  type VectorSearch,
  type VectorSource,
} from './indexes/vector-indexes.js';
export {
  builtInModel,
  findModel,
  listModels,
  removeModel,
  type InstalledModel,
} from './models/model-folder.js';
export { modelsFolder, modelsInUse, openEmbedder, type ModelsInUse } from './models/models-in-use.js';
export { installModel, type InstallOptions } from './models/model-install.js';
export { modelRegistry, type RegisteredModel } from './models/model-registry.js';
