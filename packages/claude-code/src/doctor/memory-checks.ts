import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import {
  CausanticError,
  clientFolders,
  clientTitles,
  counted,
  databasePath,
  errorMessage,
  loadConfig,
  megabytes,
  oneLine,
  StorageError,
  transcriptFolders,
} from '@causantic/domain';
import { databaseExists, SCHEMA_VERSION, Store, withStore } from '@causantic/storage';
import type { ClientPlace } from '../clients/client.js';
import { readers } from '../clients/other-clients.js';
import { projectOfFolder } from '../hooks/project-of-folder.js';
import { quoted } from '../install/program.js';
import { countTranscripts } from '../install/unread.js';
import { type Check, failure, info, ok, warning } from './check.js';

/** Several checks open the memory, and a person waits for all of them. */
const WAITS = { busyTimeoutMs: 3_000 };

export function checkDatabase(home: string): Check {
  const path = databasePath(home);
  try {
    if (!databaseExists(path)) return info('database', 'none yet: nothing has been read');
    return withStore(path, describeStore, { ...WAITS, forReading: true });
  } catch (error) {
    return failure('database', errorMessage(error), howToFix(error, path));
  }
}

function howToFix(error: unknown, path: string): string {
  const code = error instanceof StorageError ? error.code : undefined;
  if (code === 'NO_ACCESS') return `give yourself access to ${path}`;
  if (code === 'NO_ROOM' || code === 'DISK_FAILED') return 'free disk space, or check the disk';
  if (code === 'BUSY')
    return 'end the process that is using it, or wait for it; mount an SMB share with nobrl';
  if (code === 'MIGRATION_FAILED') return 'install the latest Causantic';
  return replaced(path);
}

function replaced(path: string): string {
  return `move ${path} away and run causantic init, or import an export with --replace`;
}

function describeStore(store: Store): Check {
  const [issue] = store.integrityIssues();
  if (issue !== undefined)
    return failure('database', `damaged: ${oneLine(issue, 200)}`, replaced(store.path));
  const { chunks, sessions } = store.statistics();
  return ok(
    'database',
    `${counted(chunks, 'chunk')} of ${counted(sessions, 'session')}, schema ${SCHEMA_VERSION}`,
  );
}

/** Does the model turn a text into a vector? Without a database, the model that comes with Causantic is asked. */
export async function checkModel(home: string): Promise<Check> {
  const { openEmbedder, WorkerPool } = await import('@causantic/compute');
  const pool = new WorkerPool({ threads: 1 });
  const store = memoryOrNone(databasePath(home));
  try {
    const embedder = await openEmbedder(store.embedding.state().chosen, { pool, home });
    await embedder.embed(['Does this become a vector?'], 'query');
    return ok('model', `${embedder.model.id}, ${embedder.model.dim} dimensions`);
  } catch (error) {
    const fix = await howToHaveModel(store);
    return failure('model', errorMessage(error), `${fix}; until then, search uses words alone`);
  } finally {
    await pool.close();
    store.close();
  }
}

/** One that the user has chosen is no part of Causantic. */
async function howToHaveModel(store: Store): Promise<string> {
  const { chosen } = store.embedding.state();
  if (chosen === null) return 'reinstall Causantic';
  const { builtInModel } = await import('@causantic/compute');
  const { id } = await builtInModel();
  return `install ${chosen} again (causantic model install), or go back to the built-in one (causantic model use ${id})`;
}

/** An empty one where SQLite cannot open what lies there: that is told by another check. */
function memoryOrNone(path: string): Store {
  try {
    if (databaseExists(path)) return Store.open(path, { ...WAITS, forReading: true });
  } catch (error) {
    if (!(error instanceof CausanticError)) throw error;
  }
  return Store.open(':memory:');
}

const FIX_DATABASE = 'fix the problem that the database check reports';

/** Folders that are gone, of which this one may be the new place. */
const MOST_GONE = 3;

/** What is remembered of the folder that the doctor was called in, which may have been moved. */
export function checkProject(home: string, projectDir: string): Check {
  const store = memoryOrNone(databasePath(home));
  try {
    const project = projectOfFolder(store, projectDir);
    const sessions = project ? store.sessions.list({ projectId: project.id }).length : 0;
    if (project && sessions > 0)
      return ok('project', `${project.slug}: ${counted(sessions, 'session')} in memory`);
    const gone = store.projects.list().filter(({ path }) => isAbsolute(path) && !existsSync(path));
    const shown = gone.slice(0, MOST_GONE);
    const former = shown.map(({ slug, path }) => `${slug} (${path})`).join(' or ');
    const name = shown.length === 1 ? quoted(shown[0]!.slug) : 'NAME';
    return {
      ...info('project', 'nothing from this folder in memory yet'),
      ...(gone.length > 0 && {
        fix: `if this folder was ${former} before it was moved: causantic join ${name} .`,
      }),
    };
  } catch (error) {
    return failure('project', errorMessage(error), FIX_DATABASE);
  } finally {
    store.close();
  }
}

const CLAUDE_CODE = { name: 'claude-code', title: 'Claude Code' } as const;

/** Nobody wants to be warned of the session that is open. */
const GOING_ON_MS = 3_600_000;

/** @param isInClaudeCode whether Claude Code starts the server */
export async function checkTranscripts(
  home: string,
  place: ClientPlace,
  isInClaudeCode: boolean,
): Promise<Check> {
  try {
    const all = isInClaudeCode ? [CLAUDE_CODE, ...(await readers(place))] : await readers(place);
    const clients = readsInBackground(home, place.env) ? all : [];
    const later = clients.flatMap(({ name }) => clientFolders(place.env)[name]);
    const rest = transcriptFolders(place.env).filter((folder) => !later.includes(folder));
    const [now, soon] = [
      await countTranscripts(home, rest, GOING_ON_MS, WAITS),
      await countTranscripts(home, later, GOING_ON_MS, WAITS),
    ];
    const files = now.files + soon.files;
    const unread = now.unreadFiles + soon.unreadFiles;
    if (files === 0) return info('transcripts', `none yet from ${clientTitles('or')}; no others are read`);
    if (unread === 0) return ok('transcripts', readSoFar(files, now.recentFiles + soon.recentFiles));
    const size = megabytes(now.unreadBytes + soon.unreadBytes);
    const message = `${unread} of ${files} have unread content (${size})`;
    if (now.unreadFiles > 0) return warning('transcripts', message, 'run causantic init --yes');
    const titles = clients.map(({ title }) => title).join(' or ');
    return info('transcripts', `${message}; the server reads it during the next session of ${titles}`);
  } catch (error) {
    return failure('transcripts', errorMessage(error), FIX_DATABASE);
  }
}

function readSoFar(files: number, recent: number): string {
  if (recent === 0) return `all ${files} are in memory`;
  return `${files - recent} of ${files} are in memory; the rest changed in the last hour and may still be in use`;
}

/** Settings that cannot be read are told of by another check. */
function readsInBackground(home: string, env: NodeJS.ProcessEnv): boolean {
  try {
    return loadConfig({ home, projectDir: undefined, env }).ingest.background;
  } catch {
    return false;
  }
}
