// Which embedding models are in use, and where they lie.
import { join } from 'node:path';
import type { WorkerPool } from '../pool/worker-pool.js';
import { Embedder } from './embedder.js';
import { builtInModel, findModel } from './model-folder.js';

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

/** As a store keeps them: null for none yet, and for the built-in one. */
interface StoredModels {
  serving: string | null;
  chosen: string | null;
}

export async function modelsInUse({ serving, chosen }: StoredModels): Promise<ModelsInUse> {
  const wanted = chosen ?? (await builtInModel()).id;
  return { searched: serving ?? wanted, wanted };
}

/**
 * @param id null for the built-in model
 * @throws ComputeError MODEL_MISSING if it is not, or no longer, installed
 */
export async function openEmbedder(
  id: string | null,
  { pool, home }: { pool: WorkerPool; home: string },
): Promise<Embedder> {
  const { modelDir } = await findModel(modelsFolder(home), id);
  return Embedder.open({ pool, modelDir });
}
