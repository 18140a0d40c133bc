import { existsSync } from 'node:fs';
import { databasePath, errorMessage } from '@causantic/domain';
import { SCHEMA_VERSION, Store } from '@causantic/storage';
import { countTranscripts } from '../install/unread.js';
import { type Check, failure, info, ok, warning } from './check.js';

export function checkDatabase(home: string): Check {
  const path = databasePath(home);
  if (!existsSync(path)) return info('database', 'not made yet: nothing was read');
  try {
    const store = Store.open(path);
    try {
      return describeStore(store);
    } finally {
      store.close();
    }
  } catch (error) {
    return failure('database', errorMessage(error), `move ${path} away and run causantic init`);
  }
}

function describeStore(store: Store): Check {
  const issues = store.integrityIssues();
  if (issues.length > 0) {
    return failure('database', `damaged: ${issues[0]}`, `move ${store.path} away and run causantic init`);
  }
  const { chunks, sessions } = store.statistics();
  return ok('database', `${chunks} chunks of ${sessions} sessions, schema ${SCHEMA_VERSION}`);
}

/** Does the model turn a text into a vector? */
export async function checkModel(): Promise<Check> {
  const { defaultModelDir, Embedder, WorkerPool } = await import('@causantic/compute');
  const pool = new WorkerPool({ threads: 1 });
  try {
    const embedder = await Embedder.open({ pool, modelDir: defaultModelDir() });
    await embedder.embed(['Does this become a vector?'], 'query');
    return ok('model', `${embedder.model.id}, ${embedder.model.dim} dimensions`);
  } catch (error) {
    return failure(
      'model',
      errorMessage(error),
      'install Causantic again; until then words alone are searched',
    );
  } finally {
    await pool.close();
  }
}

export function checkTranscripts(home: string, env: NodeJS.ProcessEnv): Check {
  try {
    const { folder, files, unreadFiles, unreadBytes } = countTranscripts(home, env);
    if (files === 0) return info('transcripts', `there are none in ${folder}`);
    if (unreadFiles === 0) return ok('transcripts', `all ${files} are in memory`);
    const size = `${(unreadBytes / 1_000_000).toFixed(1)} MB`;
    return warning(
      'transcripts',
      `${unreadFiles} of ${files} have something new (${size})`,
      'run causantic init --yes',
    );
  } catch (error) {
    return failure('transcripts', errorMessage(error), 'mend what is said above of the database');
  }
}
