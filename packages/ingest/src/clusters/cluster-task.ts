import {
  componentJoins,
  mergeNeighbours,
  nearestNeighbours,
  type RankedNeighbours,
  type Share,
  type WeightedEdges,
} from '@causantic/algorithms';
import type { TaskContext } from '@causantic/compute';
import { Store } from '@causantic/storage';
import { clusterRows, neighbourGraph, type NeighbouredMatrix } from './clustering.js';
import { assignToStored } from './assignment.js';
import { linkTopics } from './topic-links.js';
import { nameClusters } from './stored-pass.js';

/** Worker entry points of clustering. Each opens the database itself, so that the caller's thread never waits for it. */

/** The vectors of one model in one project. */
export interface ProjectVectors {
  databasePath: string;
  projectId: number;
  modelId: string;
  dim: number;
}

export interface VectorsOutput {
  /** Chunk ids, ascending. */
  ids: Float64Array;
  /** Their vectors, n × dim, in memory that all threads share. */
  vectors: Float32Array;
}

export function loadVectors({ databasePath, projectId, modelId, dim }: ProjectVectors): VectorsOutput {
  return withStore(databasePath, (store) => {
    const ids = store.vectors.ids(modelId, projectId);
    const vectors = new Float32Array(new SharedArrayBuffer(ids.length * dim * 4));
    vectors.set(store.vectors.get(modelId, ids, dim));
    return { ids, vectors };
  });
}

export interface NeighboursInput {
  vectors: Float32Array;
  dim: number;
  k: number;
  share: Share;
}

export function neighbourShare(
  { vectors, dim, k, share }: NeighboursInput,
  context: TaskContext,
): RankedNeighbours {
  return nearestNeighbours(vectors, dim, k, {
    share,
    shouldStop: () => context.cancelled(),
    onProgress: (done, total) => context.progress(done, total),
  });
}

export function mergeShares(shares: RankedNeighbours[]): RankedNeighbours {
  return mergeNeighbours(shares);
}

export type JoinInput = NeighbouredMatrix & { share: Share };
export type JoinOutput = WeightedEdges;

export function joinShare({ share, ...matrix }: JoinInput, context: TaskContext): JoinOutput {
  const control = { share, shouldStop: () => context.cancelled() };
  return componentJoins(matrix.vectors, matrix.dim, neighbourGraph(matrix), control);
}

export type PassInput = ProjectVectors & NeighbouredMatrix & { joins: WeightedEdges[] };

export function storePass(input: PassInput): void {
  const { databasePath, projectId, modelId, joins } = input;
  const found = clusterRows(input, joins);
  withStore(databasePath, (store) => {
    // The pass counts as done with its clusters: a kill before that has it made again.
    linkTopics(store, projectId, input);
    store.clusters.replace({ projectId, modelId, ...nameClusters(store, projectId, input, found) });
  });
}

export function assignPending({ databasePath, ...place }: ProjectVectors): void {
  withStore(databasePath, (store) => assignToStored(store, place));
}

function withStore<Result>(databasePath: string, work: (store: Store) => Result): Result {
  const store = Store.open(databasePath);
  try {
    return work(store);
  } finally {
    store.close();
  }
}
