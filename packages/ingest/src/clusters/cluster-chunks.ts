// Decides which projects are clustered, and has workers do it.
import { setImmediate } from 'node:timers/promises';
import type { RankedNeighbours, Share } from '@causantic/algorithms';
import { defineTask, openEmbedder, type WorkerPool } from '@causantic/compute';
import type { ClusterState, Store } from '@causantic/storage';
import type {
  AssignInput,
  JoinInput,
  JoinOutput,
  NeighboursInput,
  PassInput,
  ProjectVectors,
  TopicLimits,
  VectorsInput,
  VectorsOutput,
} from './cluster-task.js';

export interface ClusterChunksOptions {
  /** A pool of its own: a pass holds its threads for seconds. */
  pool: WorkerPool;
  /** The model whose vectors are clustered. */
  modelId: string;
  /** {@link Embedder.cosineOfPassages} of that model; without it, its cosines mean as much as the built-in one's. */
  cosineOf?: (ofBuiltIn: number) => number;
  /** Share of all work that is done, 0 to 1. */
  onProgress?: (share: number) => void;
  /** Stops the clustering. Finished projects keep their result, and the next run continues there. */
  signal?: AbortSignal;
}

/** Fewer chunks have no topics worth naming. */
const FEWEST_CHUNKS = 20;
/** A full pass is due when the chunks that came or went since the last one make up this share of it. */
const STALE_SHARE = 0.2;
/** From this many vectors on, a pass starts with new threads: what others hold, a model for one, is as large as it is. */
const LARGE_PASS = 10_000;
/** Pairs of chunks that make a share: half a second's comparisons, about what a thread costs to start and to be sent them. */
const PAIRS_PER_SHARE = 20_000_000;
/**
 * Neighbours listed for each chunk: enough for clustering to prove most joins, and to find a chunk's nearest relative
 * beyond its neighbours in its own session.
 */
const NEIGHBOURS = 24;

/**
 * Limits, as cosines of the built-in model; chosen on real sessions,
 * docs/decisions/0090-clusters-and-topic-edges.md.
 */
const COPY_COSINE = 0.98;
const LINK_COSINE = 0.8;
const MEMBER_COSINE = 0.75;

const entry = new URL('./cluster-task.js', import.meta.url);
const loadVectors = defineTask<VectorsInput, VectorsOutput>(entry, 'loadVectors');
const neighbourShare = defineTask<NeighboursInput, RankedNeighbours>(entry, 'neighbourShare');
const mergeNeighbours = defineTask<RankedNeighbours[], RankedNeighbours>(entry, 'mergeNeighbours');
const joinShare = defineTask<JoinInput, JoinOutput>(entry, 'joinShare');
const storePass = defineTask<PassInput, void>(entry, 'storePass');
const dropEmptyTopics = defineTask<Pick<ProjectVectors, 'databasePath'>, void>(entry, 'dropEmptyTopics');
const storeNoTopics = defineTask<ProjectVectors, void>(entry, 'storeNoTopics');
const assignPending = defineTask<AssignInput, void>(entry, 'assignPending');

/**
 * Brings the topics of all projects up to date with their vectors, in worker threads. New chunks join the nearest cluster.
 * When a fifth has changed, the project is clustered again; clusters that keep enough members keep their ids. A full pass
 * also links chunks that are each other's nearest (`topic` edges). The result depends on the vectors alone.
 *
 * @returns the number of full passes
 * @throws ComputeError ABORTED after `signal`
 */
export async function clusterChunks(store: Store, options: ClusterChunksOptions): Promise<number> {
  const { modelId, pool, cosineOf = (ofBuiltIn) => ofBuiltIn, signal } = options;
  const limits = {
    copy: cosineOf(COPY_COSINE),
    link: cosineOf(LINK_COSINE),
    member: cosineOf(MEMBER_COSINE),
  };
  if (store.clusters.hasEmpty()) await pool.run(dropEmptyTopics, { databasePath: store.path });
  const projects = await changedProjects(store, modelId);
  const passes = projects.filter(isStale);
  for (const { place } of projects.filter((project) => !isStale(project))) {
    await pool.run(assignPending, { ...place, limits }, { ...(signal && { signal }) });
  }
  const total = passes.reduce((sum, { vectors }) => sum + vectors, 0);
  // One for all projects: each thread keeps what it was given until it collects garbage, which is late.
  const bytes = Math.max(0, ...passes.map(({ place, vectors }) => vectors * place.dim * 4));
  const shared = new SharedArrayBuffer(bytes);
  let before = 0;
  for (const { place, vectors } of passes) {
    if (vectors >= LARGE_PASS) await pool.endThreads();
    const report = (share: number): void => options.onProgress?.((before + share * vectors) / total);
    await clusterProject({ ...place, shared }, limits, { ...options, onProgress: report });
    before += vectors;
  }
  return passes.length;
}

/**
 * The same by the vectors that are searched; nothing where there are none yet.
 *
 * @throws ComputeError MODEL_MISSING where their model is not installed any more, which tells what they mean
 */
export async function updateTopics(
  store: Store,
  { home, ...options }: Omit<ClusterChunksOptions, 'modelId' | 'cosineOf'> & { home: string },
): Promise<void> {
  const { serving: modelId } = store.embedding.state();
  if (modelId === null) return;
  const embedder = await openEmbedder(modelId, { pool: options.pool, home });
  await clusterChunks(store, {
    ...options,
    modelId,
    cosineOf: (ofBuiltIn) => embedder.cosineOfPassages(ofBuiltIn),
  });
}

/** Whether `clusterChunks` has anything to do; looks up an index entry for each vector, with a pause behind each project. */
export async function needsClustering(store: Store, modelId: string): Promise<boolean> {
  return (await changedProjects(store, modelId)).length > 0;
}

interface ChangedProject extends ClusterState {
  place: ProjectVectors;
}

async function changedProjects(store: Store, modelId: string): Promise<ChangedProject[]> {
  const dim = store.vectors.dimensions(modelId);
  const changed: ChangedProject[] = [];
  for (const projectId of store.vectors.projects(modelId)) {
    await setImmediate();
    const state = store.clusters.state(projectId, modelId);
    const place = { databasePath: store.path, projectId, modelId, dim };
    if (isStale(state) || (state.pending > 0 && state.inLastPass > 0)) changed.push({ ...state, place });
  }
  return changed;
}

function isStale({ vectors, pending, inLastPass }: ClusterState): boolean {
  const changed = Math.max(pending, Math.abs(vectors - inLastPass));
  return vectors >= FEWEST_CHUNKS && changed > inLastPass * STALE_SHARE;
}

/** One full pass: neighbours, then the spanning tree in one share per thread, then the clusters. */
async function clusterProject(
  { shared, ...place }: VectorsInput,
  limits: TopicLimits,
  options: ClusterChunksOptions,
): Promise<void> {
  const { pool, signal, onProgress } = options;
  const run = { ...(signal && { signal }) };
  const { memory, ids, vectors, unknown } = await pool.run(loadVectors, { ...place, shared }, run);
  if (ids.length < FEWEST_CHUNKS) return pool.run(storeNoTopics, place, run);
  const count = Math.min(pool.threads, Math.ceil(ids.length ** 2 / PAIRS_PER_SHARE));
  const shares = Array.from({ length: count }, (_, index) => ({ index, count }));
  // The shares are alike, so that one tells for all.
  const reporting = (share: Share, before: number) => ({
    ...run,
    ...(share.index === 0 && {
      onProgress: (done: number, total: number) => onProgress?.(before + (STEP_SHARE * done) / total),
    }),
  });
  const lists = await Promise.all(
    shares.map((share) => {
      const input = { vectors, dim: place.dim, k: NEIGHBOURS, share };
      return pool.run(neighbourShare, input, reporting(share, 0));
    }),
  );
  const neighbours = await pool.run(mergeNeighbours, lists, run);
  const matrix = { ids, vectors, dim: place.dim, neighbours };
  const joins = await Promise.all(
    shares.map((share) => pool.run(joinShare, { ...matrix, share }, reporting(share, STEP_SHARE))),
  );
  await pool.run(storePass, { ...place, ...matrix, memory, joins, unknown, limits }, run);
  onProgress?.(1);
}

/** Finding neighbours takes about this share of a large pass, and so does joining what they leave apart. */
const STEP_SHARE = 0.45;
