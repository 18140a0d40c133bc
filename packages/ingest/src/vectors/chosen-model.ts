// Which embedding model is in use, and where it lies.
import { join } from 'node:path';
import { builtInModel, Embedder, findModel, type WorkerPool } from '@causantic/compute';
import type { Store } from '@causantic/storage';

/** Where models are installed in Causantic's home. */
export function modelsFolder(home: string): string {
  return join(home, 'models');
}

/** Ids of the models in use; they differ while a switch is under way. */
export interface ModelsInUse {
  /** The model whose vectors are searched. */
  searched: string;
  /** The model whose vectors are made: the user's choice, else the built-in one. */
  wanted: string;
}

export async function modelsInUse(store: Store): Promise<ModelsInUse> {
  const { serving, chosen } = store.embedding.state();
  const wanted = chosen ?? (await builtInModel()).id;
  return { searched: serving ?? wanted, wanted };
}

/**
 * Opens the model whose vectors are made: the user's choice, else the built-in one.
 * @throws ComputeError MODEL_MISSING if it is not, or no longer, installed
 */
export function openChosenEmbedder(store: Store, place: ModelPlace): Promise<Embedder> {
  return openEmbedder(store.embedding.state().chosen, place);
}

interface ModelPlace {
  pool: WorkerPool;
  home: string;
}

/**
 * @param id null for the built-in model
 * @throws ComputeError MODEL_MISSING
 */
export async function openEmbedder(id: string | null, { pool, home }: ModelPlace): Promise<Embedder> {
  const { modelDir } = await findModel(modelsFolder(home), id);
  return Embedder.open({ pool, modelDir });
}
