// Worker entry points of clustering. Each opens the database itself, so that the caller's thread never waits for it.
import {
  componentJoins,
  type LoopControl,
  nearestNeighbours,
  type RankedNeighbours,
  rowOf,
  StoppedError,
  type Share,
  type WeightedEdges,
} from '@causantic/algorithms';
import type { TaskContext } from '@causantic/compute';
import { StorageError } from '@causantic/domain';
import { type ClusterPass, withStore } from '@causantic/storage';
import { clusterRows, neighbourGraph, type NeighbouredMatrix } from './clustering.js';
import { assignToStored } from './assignment.js';
import { linkTopics } from './topic-links.js';
import { nameClusters } from './stored-pass.js';

export { mergeNeighbours } from '@causantic/algorithms';

/** The vectors of one model in one project. */
export interface ProjectVectors {
  databasePath: string;
  projectId: number;
  modelId: string;
  dim: number;
}

/** From which cosine on, with this model, … */
export interface TopicLimits {
  /** … two chunks are copies of each other; a few copies must not outweigh a topic. */
  copy: number;
  /** … two chunks are linked, if each is nearest to the other. */
  link: number;
  /** … a new chunk joins a cluster, by the centroid. */
  member: number;
}

export interface VectorsOutput {
  /** When the memory they are from was created. */
  memory: string;
  /** Ids of the chunks that can be clustered, ascending. */
  ids: Float64Array;
  /** Their vectors, n × dim, in memory that all threads share. */
  vectors: Float32Array;
  /**
   * Ids of those whose vectors are all zeros, because the model knows too little of them: they are as like to each other
   * as to anything, which would make one topic of them.
   */
  unknown: Float64Array;
}

export type VectorsInput = ProjectVectors & {
  /** Where the vectors are put, if they fit. */
  shared: SharedArrayBuffer;
};

export function loadVectors({ databasePath, projectId, modelId, dim, shared }: VectorsInput): VectorsOutput {
  return withStore(databasePath, (store) => {
    const all = store.vectors.ids(modelId, projectId);
    const bytes = all.length * dim * Float32Array.BYTES_PER_ELEMENT;
    const memory = shared.byteLength < bytes ? new SharedArrayBuffer(bytes) : shared;
    const vectors = store.vectors.get(modelId, all, dim, memory);
    const isKnown = Array.from(all, (_, row) =>
      rowOf(vectors, dim, row).some((component) => component !== 0),
    );
    const ids = all.filter((_, row) => isKnown[row]);
    let row = 0;
    isKnown.forEach((known, from) => {
      if (known) vectors.copyWithin(dim * row++, dim * from, dim * (from + 1));
    });
    return {
      memory: store.madeAt,
      ids,
      vectors: vectors.subarray(0, ids.length * dim),
      unknown: all.filter((_, row) => !isKnown[row]),
    };
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
  return nearestNeighbours(vectors, dim, k, { share, ...controlOf(context) });
}

export type JoinInput = NeighbouredMatrix & { share: Share };
export type JoinOutput = WeightedEdges;

export function joinShare({ share, ...matrix }: JoinInput, context: TaskContext): JoinOutput {
  return componentJoins(matrix.vectors, matrix.dim, neighbourGraph(matrix), { share, ...controlOf(context) });
}

export type PassInput = ProjectVectors &
  NeighbouredMatrix & {
    memory: string;
    joins: WeightedEdges[];
    unknown: Float64Array;
    limits: TopicLimits;
  };

/** @throws StorageError NO_ACCESS if the memory was replaced, by an import, because the ids would then be other chunks */
export function storePass(input: PassInput, context: TaskContext): void {
  const { databasePath, memory, projectId, modelId, joins, unknown, limits } = input;
  const found = clusterRows(input, joins, limits.copy);
  withStore(databasePath, (store) => {
    if (store.madeAt !== memory)
      throw new StorageError('NO_ACCESS', `${databasePath} was replaced meanwhile; no topics were stored.`);
    const { clusters, members } = nameClusters(store, projectId, input, found);
    if (context.cancelled()) throw new StoppedError();
    // The pass counts as done with its clusters: a kill before that has it made again.
    linkTopics(store, projectId, input, limits.link);
    store.clusters.replace({ projectId, modelId, clusters, members: [...members, ...noise(unknown)] });
  });
}

/** A pass over a project of which the model knows too little; the next one is due when it has grown. */
export function storeNoTopics({ databasePath, projectId, modelId }: ProjectVectors): void {
  withStore(databasePath, (store) => {
    const members = noise(store.vectors.ids(modelId, projectId));
    store.clusters.replace({ projectId, modelId, clusters: [], members });
  });
}

export function dropEmptyTopics({ databasePath }: Pick<ProjectVectors, 'databasePath'>): void {
  withStore(databasePath, (store) => store.clusters.dropEmpty());
}

function noise(ids: Float64Array): ClusterPass['members'] {
  return Array.from(ids, (chunkId) => ({ chunkId, cluster: -1, probability: 0 }));
}

export type AssignInput = ProjectVectors & { limits: TopicLimits };

export function assignPending({ databasePath, limits, ...place }: AssignInput): void {
  withStore(databasePath, (store) => assignToStored(store, { ...place, leastCosine: limits.member }));
}

function controlOf(context: TaskContext): LoopControl {
  return {
    shouldStop: () => context.cancelled(),
    onProgress: (done, total) => context.progress(done, total),
  };
}
