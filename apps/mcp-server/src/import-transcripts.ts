import { availableParallelism } from 'node:os';
import { WorkerPool } from '@causantic/compute';
import {
  causanticHome,
  counted,
  databasePath,
  errorMessage,
  loadConfig,
  waitingNotice,
} from '@causantic/domain';
import { StepBar } from '@causantic/domain/step-bar';
import { exclusionBySettings, ingestTree, updateTopics, updateVectors } from '@causantic/ingest';
import { Store } from '@causantic/storage';

/**
 * Read these transcripts into the memory, with a bar on a terminal. Whatever is interrupted is finished by the next
 * run. Returns a sentence on what was read.
 * @throws StorageError, ConfigError
 */
export async function importTranscripts(folders: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const home = causanticHome(env);
  const config = loadConfig({ home, projectDir: process.cwd(), env });
  const store = Store.open(databasePath(home), { onWait: waitingNotice('causantic') });
  const bar = new StepBar();
  try {
    const { sessions, chunks, issues } = ingestTree(store, folders, {
      exclude: exclusionBySettings(home, config.ingest.excludePaths),
      onProgress: ({ bytes, totalBytes }) => bar.show('Reading transcripts', bytes, totalBytes),
      onLinking: (share) => bar.show('Linking', share, 1),
    });
    const vectors = await embed(store, home, bar);
    store.assertInPlace();
    // What was read is not looked into again by itself.
    const listing = 'causantic-reindex --rebuild transcripts --dry-run';
    const problems = issues.length > 0 ? ` ${counted(issues.length, 'problem')}; ${listing} lists them.` : '';
    return `Read ${counted(sessions, 'session')}: ${counted(chunks, 'new chunk')}${vectors}.${problems}`;
  } finally {
    bar.stop();
    store.close();
  }
}

/** Vectors, and the topics that come of them. Without a model, words alone are searched; that is told, and no reason to fail. */
async function embed(store: Store, home: string, bar: StepBar): Promise<string> {
  const pool = new WorkerPool({ threads: availableParallelism() });
  const told = (vectors: number): string => `, ${counted(vectors, 'vector')}`;
  let vectors: string | undefined;
  try {
    const { stored } = await updateVectors(store, {
      pool,
      home,
      seize: true,
      onProgress: ({ done, total }) => bar.show('Embedding', done, total),
      beforeRelease: async ({ stored }) => {
        vectors = told(stored);
        await updateTopics(store, {
          pool,
          home,
          onProgress: (share) => bar.show('Finding topics', share, 1),
        });
      },
    });
    return told(stored);
  } catch (error) {
    return vectors === undefined
      ? ` (without vectors: ${errorMessage(error)})`
      : `${vectors} (without topics: ${errorMessage(error)})`;
  } finally {
    await pool.close();
  }
}
