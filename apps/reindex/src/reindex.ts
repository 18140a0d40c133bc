import { existsSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { openEmbedder, WorkerPool } from '@causantic/compute';
import {
  causanticHome,
  currentFolder,
  databasePath,
  loadConfig,
  NotFoundError,
  StorageError,
  transcriptFolders,
  waitingNotice,
  type Config,
} from '@causantic/domain';
import { StepBar } from '@causantic/domain/step-bar';
import {
  applyRetention,
  exclusionBySettings,
  ingestTree,
  updateTopics,
  updateVectors,
  type TreeReport,
  type VectorUpdate,
} from '@causantic/ingest';
import { databaseExists, Store } from '@causantic/storage';
import { explained } from './explained.js';

export interface ReindexOptions {
  source?: string[];
  rebuild?: 'transcripts' | 'vectors' | 'edges' | 'clusters' | 'all';
  dryRun?: boolean;
}

export interface ReindexReport extends TreeReport {
  edges: number;
  vectors: number;
  /** Why vectors are missing, or null: what has none is found by words alone. */
  vectorProblem: string | null;
  /** Why topics are not up to date, or null. */
  topicProblem: string | null;
  clusters: number;
  /** How long making vectors and finding topics took; `seconds` is for reading. */
  vectorSeconds: number;
  topicSeconds: number;
  /** Chunks that the retention settings no longer keep, deleted. */
  expired: number;
}

/**
 * Brings the memory up to date with these sources: turns and chunks, then edges, then vectors, then topics. The next run
 * finishes whatever was interrupted.
 * @throws NotFoundError for a source that does not exist; StorageError
 */
export async function reindex(options: ReindexOptions): Promise<ReindexReport> {
  const home = causanticHome();
  const config = loadConfig({ home, projectDir: currentFolder(), env: process.env });
  const folders = sources(options, databaseExists(databasePath(home)));
  const store = options.dryRun ? throwAwayStore(databasePath(home)) : openStore(databasePath(home));
  const progress = new StepBar();
  try {
    // Reading the sources ends with linking whatever has no edges.
    if (options.rebuild === 'edges' || options.rebuild === 'all') store.edges.clear();
    // A pass makes the edges between chunks of one topic as well.
    if (options.rebuild !== undefined) store.clusters.expire();
    const report = ingestTree(store, folders, {
      exclude: exclusionBySettings(home, config.ingest.excludePaths),
      anew: options.rebuild === 'transcripts',
      onProgress: ({ bytes, totalBytes }) => progress.show('Reading transcripts', bytes, totalBytes),
      onLinking: (share) => progress.show('Linking', share, 1),
    });
    store.assertInPlace();
    const expired = options.dryRun ? 0 : expire(store, home, config);
    const made = options.dryRun ? NO_VECTORS : await embed(store, home, options, progress);
    store.assertInPlace();
    const { edges, clusters } = store.statistics();
    return { ...report, edges, ...made, clusters, expired };
  } catch (error) {
    // Whatever failed, that is why: other threads open what is at its path now.
    store.assertInPlace();
    throw error;
  } finally {
    progress.stop();
    store.close();
  }
}

function openStore(path: string): Store {
  return Store.open(path, { onWait: waitingNotice('causantic-reindex') });
}

/** Knows what is in memory already, so that a dry run tells what would be new. */
function throwAwayStore(path: string): Store {
  return existsSync(path) ? Store.openCopy(path) : Store.open(':memory:');
}

/** What the user does not want to keep, with its vectors in index files, which are made anew. */
function expire(store: Store, home: string, { retention }: Config): number {
  const expired = applyRetention(store, retention, Date.now());
  if (expired > 0) rmSync(join(home, 'indexes'), { recursive: true, force: true });
  return expired;
}

type Vectors = Pick<
  ReindexReport,
  'vectors' | 'vectorProblem' | 'topicProblem' | 'vectorSeconds' | 'topicSeconds'
>;

const NO_VECTORS: Vectors = {
  vectors: 0,
  vectorProblem: null,
  topicProblem: null,
  vectorSeconds: 0,
  topicSeconds: 0,
};

/**
 * Makes vectors for all chunks that lack one, and the topics. With `--rebuild vectors` it makes all of them, continuing
 * where an interrupted run stopped. What was read is in memory even without vectors, so missing ones are a failure only
 * if vectors were asked for, or if the memory fails.
 */
async function embed(
  store: Store,
  home: string,
  { rebuild }: ReindexOptions,
  progress: StepBar,
): Promise<Vectors> {
  const startedAtMs = performance.now();
  const pool = new WorkerPool({ threads: availableParallelism() });
  const embedded = ({ stored: vectors }: VectorUpdate): Vectors => ({
    ...NO_VECTORS,
    vectors,
    vectorSeconds: secondsSince(startedAtMs),
  });
  let made: Vectors | undefined;
  try {
    if (rebuild === 'vectors' || rebuild === 'all') await dropVectors(store, { pool, home }, progress);
    const update = await updateVectors(store, {
      pool,
      home,
      seize: true,
      onProgress: ({ done, total }) => progress.show('Embedding', done, total),
      beforeRelease: async (update) => {
        const embeddedAtMs = performance.now();
        made = embedded(update);
        await updateTopics(store, {
          pool,
          home,
          onProgress: (share) => progress.show('Finding topics', share, 1),
        });
        made.topicSeconds = secondsSince(embeddedAtMs);
      },
    });
    return made ?? embedded(update);
  } catch (error) {
    if (rebuild !== undefined || error instanceof StorageError) throw error;
    return made
      ? { ...made, topicProblem: explained(error) }
      : { ...NO_VECTORS, vectorProblem: explained(error) };
  } finally {
    await pool.close();
  }
}

function secondsSince(ms: number): number {
  return (performance.now() - ms) / 1000;
}

/**
 * Unless a run that was killed has dropped them all: then the vectors that are there were made since.
 * @throws ComputeError for a model that cannot make others; then none is dropped
 */
async function dropVectors(
  store: Store,
  place: { pool: WorkerPool; home: string },
  progress: StepBar,
): Promise<void> {
  const embedder = await openEmbedder(store.embedding.state().chosen, place);
  await embedder.embed(['Does this become a vector?'], 'passage');
  const { id: modelId } = embedder.model;
  if (store.embedding.remaking() === modelId) return;
  const total = store.vectors.countByModel()[modelId] ?? 0;
  store.vectors.dropAll(modelId, (done) => progress.show('Dropping vectors', done, total));
  store.embedding.noteRemaking(modelId);
}

/**
 * The named folders; without any, those where the clients keep their transcripts. Asked before the memory is opened,
 * which a mistyped name is not to create. A memory that there is may lack vectors, or hold what is to go, where the
 * transcripts are gone.
 */
function sources({ source = [] }: ReindexOptions, hasMemory: boolean): string[] {
  const missing = source.find((path) => !existsSync(path));
  if (missing !== undefined)
    throw new NotFoundError(`No such file or folder: "${missing}"`, { data: { path: missing } });
  if (source.length > 0) return source;
  const standard = transcriptFolders();
  const existing = standard.filter((folder) => existsSync(folder));
  if (existing.length > 0 || hasMemory) return existing;
  throw new NotFoundError(`No transcripts at ${standard.join(', ')}. Use --source to name a folder.`, {
    data: { paths: standard },
  });
}
