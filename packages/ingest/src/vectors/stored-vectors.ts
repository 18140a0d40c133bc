import type { Embedder } from '@causantic/compute';
import type { Store } from '@causantic/storage';
import { embeddableText } from './embedding-task.js';

/** Enough to tell two models apart, and soon made by a slow one. */
const TRIED_CHUNKS = 8;
/** What another processor rounds otherwise is far less, and what another model makes far more. */
const MOST_DIFFERENCE = 0.01;

/**
 * Whether the vectors that are stored under a model's name are what this model makes, tried with some chunks: by the name
 * alone, those of an imported memory may be another's.
 */
export async function makesStoredVectors(store: Store, embedder: Embedder): Promise<boolean> {
  const { id, dim } = embedder.model;
  if (store.vectors.dimensions(id) !== dim) return false;
  const all = store.vectors.projects(id).flatMap((projectId) => [...store.vectors.ids(id, projectId)]);
  const chunks = store.chunks.get(all.filter((_, at) => at % Math.ceil(all.length / TRIED_CHUNKS) === 0));
  const stored = store.vectors.get(
    id,
    chunks.map((chunk) => chunk.id),
    dim,
  );
  const made = await embedder.embed(chunks.map(embeddableText), 'passage');
  return made.every((component, at) => Math.abs(component - stored[at]!) < MOST_DIFFERENCE);
}
