// Makes the vectors that are missing, in batches.
import { defineTask, type Embedder } from '@causantic/compute';
import { StorageError } from '@causantic/domain';
import { LONG_WAIT_MS, type Store } from '@causantic/storage';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BacklogBatch, BacklogInput, ReadBacklogInput, StoreVectorsInput } from './embedding-task.js';

export interface EmbedProgress {
  done: number;
  total: number;
}

export interface EmbedChunksOptions {
  onProgress?: (progress: EmbedProgress) => void;
  /** Stops the work. What is stored stays, and the next run continues there. */
  signal?: AbortSignal;
  /** The right to make vectors: work ends if another process takes it. Without it, this is not checked. */
  leaseOwner?: string;
  /** Stops after about this long. */
  forMs?: number;
}

/** Between two transactions: a kill loses at most this. Slow models get smaller batches. */
const BATCH_MS = 1_000;
/** Few, because a batch that takes longer than {@link LEASE_MS} is lost to another process, which is then as slow. */
const FIRST_BATCH_CHUNKS = 4;
const MAX_BATCH_CHUNKS = 512;

/** Renewed with every batch; a process that died unnoticed blocks the others for this long. */
export const LEASE_MS = 30_000;

const BUSY_PAUSE_MS = 100;

const entry = new URL('./embedding-task.js', import.meta.url);
const countBacklog = defineTask<BacklogInput, number>(entry, 'countBacklog');
const readBacklog = defineTask<ReadBacklogInput, BacklogBatch>(entry, 'readBacklog');
const storeVectors = defineTask<StoreVectorsInput, number | null>(entry, 'storeVectors');

/**
 * Makes a vector for every ranked chunk that lacks one, in the embedder's workers; this thread only coordinates. Returns
 * the number stored.
 *
 * @param store in a file
 * @throws ComputeError ABORTED if the signal fires; and errors of the model
 */
export async function embedChunks(
  store: Store,
  embedder: Embedder,
  options: EmbedChunksOptions = {},
): Promise<number> {
  const { pool } = embedder;
  const untilMs = performance.now() + (options.forMs ?? Infinity);
  const place = { databasePath: store.path, modelId: embedder.model.id };
  const total = await whenNotBusy(store, () => pool.run(countBacklog, place), options.signal);
  let storedInAll = 0;
  let afterId = 0;
  let batchChunks = FIRST_BATCH_CHUNKS;
  for (let seen = 0; performance.now() < untilMs && !options.signal?.aborted;) {
    const input = { ...place, afterId, limit: batchChunks };
    const batch = await whenNotBusy(store, () => pool.run(readBacklog, input), options.signal);
    if (batch.ids.length === 0) break;
    const startedAtMs = performance.now();
    const stored = await embedBatch(store, embedder, { ...place, ...batch }, options);
    if (stored === null) break;
    batchChunks = nextBatch(batchChunks, performance.now() - startedAtMs);
    storedInAll += stored;
    afterId = batch.ids.at(-1)!;
    seen += batch.ids.length;
    options.onProgress?.({ done: seen, total: Math.max(total, seen) });
  }
  return storedInAll;
}

/** The number of new vectors; null if another process makes them now. */
async function embedBatch(
  store: Store,
  embedder: Embedder,
  { texts, ...input }: BacklogInput & BacklogBatch,
  { signal, leaseOwner }: EmbedChunksOptions,
): Promise<number | null> {
  const vectors = await embedder.embed(texts, 'passage', signal ? { signal } : {});
  const lease = (): StoreVectorsInput['lease'] =>
    leaseOwner === undefined ? undefined : { owner: leaseOwner, untilMs: Date.now() + LEASE_MS };
  const write = () => embedder.pool.run(storeVectors, { ...input, vectors, lease: lease() });
  return whenNotBusy(store, write, signal);
}

function nextBatch(chunks: number, tookMs: number): number {
  const wanted = Math.round((chunks * BATCH_MS) / Math.max(tookMs, 1));
  return Math.max(1, Math.min(wanted, chunks * 2, MAX_BATCH_CHUNKS));
}

/** A large transcript is written in one transaction of seconds; the worker is free meanwhile. */
export async function whenNotBusy<T>(
  store: Pick<Store, 'tellOfLongWait'>,
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const startedAtMs = performance.now();
  for (let isTold = false; ;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'BUSY') throw error;
      if (!isTold && performance.now() - startedAtMs > LONG_WAIT_MS) {
        store.tellOfLongWait();
        isTold = true;
      }
      await sleep(BUSY_PAUSE_MS, undefined, signal && { signal });
    }
  }
}
