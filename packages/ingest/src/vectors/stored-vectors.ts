import { euclideanDistance, rowOf } from '@causantic/algorithms';
import type { Embedder } from '@causantic/compute';
import type { Store } from '@causantic/storage';
import { embeddableText } from './embedding-task.js';

/** Enough to tell two models apart, and soon made by a slow one. */
const TRIED_CHUNKS = 8;
/**
 * A model in 8 bits rounds a text's numbers by the largest in its batch: the same text had cosines down to 0.986 in another
 * batch, with a prefix it should not have 0.989 in the middle where unrelated texts have 0.75.
 */
const LEAST_SIMILARITY = 0.95;

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
  // Also of zeros, which a model makes of what it knows nothing of: their distance is 0.
  const cosineOf = (row: number): number =>
    1 - euclideanDistance(rowOf(made, dim, row), rowOf(stored, dim, row)) ** 2 / 2;
  return chunks.every((_, row) => embedder.similarity(cosineOf(row)) >= LEAST_SIMILARITY);
}
