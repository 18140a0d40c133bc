// Which vectors are to be made, and by which process.
import { randomUUID } from 'node:crypto';
import { defineTask, openEmbedder, type Embedder, type WorkerPool } from '@causantic/compute';
import { ComputeError } from '@causantic/domain';
import type { Store } from '@causantic/storage';
import { embedChunks, LEASE_MS, whenNotBusy, type EmbedProgress } from './embed-chunks.js';
import type { AcquireInput, DropInput, ReleaseInput, ServeInput } from './embedding-task.js';

export interface UpdateVectorsOptions {
  pool: WorkerPool;
  /** Causantic's home, where models are installed. */
  home: string;
  /** Take the work from whoever does it: for a program that somebody waits for. */
  seize?: boolean;
  onProgress?: (progress: EmbedProgress) => void;
  /** Called with the model that searches are about to go over to. */
  beforeServing?: (embedder: Embedder) => Promise<void>;
  /** What is to be made of the vectors, called before another process may begin; not if one has taken the work. */
  beforeRelease?: (update: VectorUpdate) => Promise<void>;
  signal?: AbortSignal;
}

export interface VectorUpdate {
  stored: number;
  /** All chunks have vectors of the chosen model; false when another process is making them, or new chunks came. */
  complete: boolean;
}

/** While a model is being switched, chunks that are new get a vector of the old one between two slices. */
const SLICE_MS = 5_000;
const DROPPED_AT_ONCE = 1_000;
/** Topics of 100,000 chunks take two minutes, and a process that is known to have died blocks nobody. */
const TOPICS_LEASE_MS = 300_000;

const entry = new URL('./embedding-task.js', import.meta.url);
const acquireLease = defineTask<AcquireInput, boolean>(entry, 'acquireLease');
const releaseLease = defineTask<ReleaseInput, void>(entry, 'releaseLease');
const serveIfComplete = defineTask<ServeInput, boolean>(entry, 'serveIfComplete');
const dropUnused = defineTask<DropInput, number>(entry, 'dropUnused');

/**
 * Makes the vectors that are missing, lets searches go over to the chosen model once it has all of them, and drops
 * those of other models. Of several processes on one store one does this at a time; the others get an incomplete
 * update back at once.
 *
 * @param store in a file
 * @throws ComputeError MODEL_MISSING for a model that is not there (any more), ABORTED
 */
export async function updateVectors(store: Store, options: UpdateVectorsOptions): Promise<VectorUpdate> {
  const { pool, seize = false, signal, beforeRelease } = options;
  const place = { databasePath: store.path, owner: `${process.pid}:${randomUUID()}` };
  const isMine = (leaseMs: number, seize = false): Promise<boolean> =>
    whenNotBusy(store, () => pool.run(acquireLease, { ...place, seize, leaseMs }), signal);
  if (!(await isMine(LEASE_MS, seize))) return { stored: 0, complete: false };
  try {
    const update = await updateUnderLease(store, options, place.owner);
    if (!beforeRelease) return update;
    if (!(await isMine(TOPICS_LEASE_MS))) return { ...update, complete: false };
    await beforeRelease(update);
    return update;
  } finally {
    const release = () => pool.run(releaseLease, place);
    // A process that ends has closed its pool; the lease runs out or is taken from the dead.
    await whenNotBusy(store, release, signal).catch(() => undefined);
  }
}

async function updateUnderLease(
  store: Store,
  options: UpdateVectorsOptions,
  leaseOwner: string,
): Promise<VectorUpdate> {
  const { pool, signal, beforeServing } = options;
  const chosen = await openEmbedder(store.embedding.state().chosen, options);
  const stored = await embedInSlices(store, chosen, options, leaseOwner);
  const { serving } = store.embedding.state();
  if (serving !== null && serving !== chosen.model.id) await beforeServing?.(chosen);
  const place = { databasePath: store.path, modelId: chosen.model.id, owner: leaseOwner };
  const complete = await whenNotBusy(store, () => pool.run(serveIfComplete, place), signal);
  const drop = () => pool.run(dropUnused, { ...place, limit: DROPPED_AT_ONCE });
  while (complete && (await whenNotBusy(store, drop, signal)) > 0);
  return { stored, complete };
}

async function embedInSlices(
  store: Store,
  chosen: Embedder,
  options: UpdateVectorsOptions,
  leaseOwner: string,
): Promise<number> {
  const old = await servingEmbedder(store, chosen, options);
  let stored = 0;
  for (;;) {
    const run = { leaseOwner, ...(options.signal && { signal: options.signal }) };
    if (old) await embedChunks(store, old, run);
    const before = stored;
    const onProgress = ({ done, total }: EmbedProgress): void =>
      options.onProgress?.({ done: before + done, total: before + total });
    stored += await embedChunks(store, chosen, { ...run, onProgress, forMs: SLICE_MS });
    if (stored === before) return stored;
  }
}

/** The model that questions are still answered with; undefined when it is the chosen one or gone. */
async function servingEmbedder(
  store: Store,
  chosen: Embedder,
  options: UpdateVectorsOptions,
): Promise<Embedder | undefined> {
  const { serving } = store.embedding.state();
  if (serving === null || serving === chosen.model.id) return undefined;
  try {
    return await openEmbedder(serving, options);
  } catch (error) {
    if (error instanceof ComputeError && error.code === 'MODEL_MISSING') return undefined;
    throw error;
  }
}
