import { join } from 'node:path';
import { Embedder, findModel, type WorkerPool } from '@causantic/compute';
import type { Store } from '@causantic/storage';

/** Where models are installed in Causantic's home. */
export function modelsFolder(home: string): string {
  return join(home, 'models');
}

/**
 * The model whose vectors are made: the one the user has chosen, else the built-in one.
 * @throws ComputeError MODEL_MISSING when it is not installed (any more)
 */
export async function openChosenEmbedder(
  store: Store,
  { pool, home }: { pool: WorkerPool; home: string },
): Promise<Embedder> {
  const { modelDir } = await findModel(modelsFolder(home), store.embedding.state().chosen);
  return Embedder.open({ pool, modelDir });
}
