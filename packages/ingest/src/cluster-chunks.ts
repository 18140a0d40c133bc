import { defineTask, nearestNeighbours, type WorkerPool } from '@causantic/compute';
import type { Store } from '@causantic/storage';
import type {
  AssignInput,
  JoinInput,
  JoinOutput,
  PassInput,
  VectorsInput,
  VectorsOutput,
} from './cluster-task.js';
import { MIN_SAMPLES } from './clusters/clustering.js';

export interface ClusterChunksOptions {
  /** A pool of its own: a pass holds its threads for seconds. */
  pool: WorkerPool;
  /** The model whose vectors are clustered. */
  model: { id: string; dim: number };
  /** Share of all work that is done, 0 to 1. */
  onProgress?: (share: number) => void;
  /** Every project that was finished stays as it is; the next run goes on from there. */
  signal?: AbortSignal;
}

/** Fewer chunks have no topics worth naming. */
const FEWEST_CHUNKS = 20;
/** A full pass is due when the chunks that came or went since the last one make up this share of it. */
const STALE_SHARE = 0.2;
/** Neighbours listed for each chunk: enough for the sizes that clustering asks for, and to prove most joins. */
const NEIGHBOURS = 16;

const entry = new URL('./cluster-task.js', import.meta.url);
const loadVectors = defineTask<VectorsInput, VectorsOutput>(entry, 'loadVectors');
const joinShare = defineTask<JoinInput, JoinOutput>(entry, 'joinShare');
const storePass = defineTask<PassInput, void>(entry, 'storePass');
const assignPending = defineTask<AssignInput, void>(entry, 'assignPending');

/**
 * Bring the topics of all projects up to date with their vectors, in worker threads. New chunks join the cluster they
 * are nearest to; when a fifth has changed, the project is clustered anew, and a cluster keeps its id as far as it
 * keeps its members. What a full pass finds depends on the vectors alone.
 *
 * @returns the number of full passes
 * @throws ComputeError ABORTED after `signal`
 */
export async function clusterChunks(store: Store, options: ClusterChunksOptions): Promise<number> {
  const { model, pool, signal } = options;
  const projects = store.vectors
    .projects(model.id)
    .map((projectId) => ({ projectId, ...store.clusters.state(projectId, model.id) }))
    .filter(({ vectors, pending, inLastPass }) => pending > 0 || vectors !== inLastPass);
  const passes = projects.filter(isStale);
  for (const { projectId, pending } of projects.filter((project) => !isStale(project))) {
    const input = { databasePath: store.path, projectId, modelId: model.id, dim: model.dim };
    if (pending > 0) await pool.run(assignPending, input, { ...(signal && { signal }) });
  }
  const total = passes.reduce((sum, { vectors }) => sum + vectors, 0);
  let before = 0;
  for (const { projectId, vectors } of passes) {
    const report = (share: number): void => options.onProgress?.((before + share * vectors) / total);
    await clusterProject(store, projectId, { ...options, onProgress: report });
    before += vectors;
  }
  return passes.length;
}

function isStale({
  vectors,
  pending,
  inLastPass,
}: {
  vectors: number;
  pending: number;
  inLastPass: number;
}): boolean {
  const changed = Math.max(pending, Math.abs(vectors - inLastPass));
  return vectors >= FEWEST_CHUNKS && changed > inLastPass * STALE_SHARE;
}

/** One full pass: neighbours, then the spanning tree in as many shares as there are threads, then the clusters. */
async function clusterProject(store: Store, projectId: number, options: ClusterChunksOptions): Promise<void> {
  const { pool, model, signal, onProgress } = options;
  const run = { ...(signal && { signal }) };
  const place = { databasePath: store.path, projectId, modelId: model.id, dim: model.dim };
  const { ids, vectors } = await pool.run(loadVectors, place, run);
  const { rows, scores, k } = await nearestNeighbours({
    ...run,
    pool,
    vectors,
    dim: model.dim,
    k: Math.max(NEIGHBOURS, MIN_SAMPLES),
    onProgress: (done, total) => onProgress?.((NEIGHBOURS_SHARE * done) / total),
  });
  const matrix = { ids, vectors, dim: model.dim, neighbours: { rows, scores, k } };
  const shares = Array.from({ length: pool.threads }, (_, index) => ({ index, count: pool.threads }));
  const joins = await Promise.all(shares.map((share) => pool.run(joinShare, { ...matrix, share }, run)));
  await pool.run(storePass, { ...place, ...matrix, joins }, run);
  onProgress?.(1);
}

/** Finding neighbours takes about this share of a large pass. */
const NEIGHBOURS_SHARE = 0.5;
