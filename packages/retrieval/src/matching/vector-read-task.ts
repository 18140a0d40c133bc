import { transferred } from '@causantic/compute';
import { withThreadStore } from '@causantic/storage';

/** Worker entries: ids and vectors of a large project are megabytes, which the caller's thread must not read. */

export interface ReadIdsInput {
  databasePath: string;
  modelId: string;
  projectId: number;
}

export interface ReadVectorsInput {
  databasePath: string;
  modelId: string;
  ids: Float64Array;
  dim: number;
}

export function readVectorIds({ databasePath, modelId, projectId }: ReadIdsInput): Float64Array {
  const ids = withThreadStore(databasePath, (store) => store.vectors.ids(modelId, projectId));
  return transferred(ids, [ids.buffer as ArrayBuffer]);
}

export function readVectors({ databasePath, modelId, ids, dim }: ReadVectorsInput): Float32Array {
  const vectors = withThreadStore(databasePath, (store) => store.vectors.get(modelId, ids, dim));
  return transferred(vectors, [vectors.buffer as ArrayBuffer]);
}
