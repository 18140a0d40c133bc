import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Config, counted, type InputIssue, errorMessage, StorageError } from '@causantic/domain';
import {
  dropDeletedNotes,
  findTranscripts,
  ingestTranscript,
  linkSessions,
  PIECE_BYTES,
  updateVectors,
} from '@causantic/ingest';
import type { Store } from '@causantic/storage';
import { withNewMemory } from './memory-store.js';
import { type HookContext, type HookOutcome, millisecondsSinceStart } from './hook.js';

/** Vectors are computed until then, after the start of the process; the rest is done by the next server. */
const EMBED_UNTIL_MS = 1_000;
/** Starting a worker and loading a model takes about as long. */
const WORTH_STARTING_MS = 300;

/** The limit of the hook lies above. */
const READ_WITHIN_MS = 40_000;

/** Reads the session's transcript, its sub-agents' included, before it is compacted or closed. */
export async function ingestSession(context: HookContext): Promise<HookOutcome> {
  const { input, home, config } = context;
  const path = input.transcriptPath;
  if (path === undefined || statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    return { message: 'no transcript: nothing was said' };
  const read = withNewMemory(home, async (store) => {
    const { chunks, problems } = readSession(store, path, { config, withinMs: READ_WITHIN_MS });
    const vectors = chunks > 0 ? await embedInTime(store, context) : '';
    const notes = [...(vectors === '' ? [] : [vectors]), ...problems];
    return { message: [counted(chunks, 'new chunk'), ...notes].join('; ') };
  });
  return read.catch((error: unknown) => {
    // Nothing is lost: who comes next reads it.
    if (!(error instanceof StorageError && error.code === 'BUSY')) throw error;
    return { message: 'left to the server: another process was writing all the time' };
  });
}

export interface ReadSessionOptions {
  config: Config;
  /** What is not read by then is left to the next hook. */
  withinMs: number;
}

/**
 * Reads one session's transcript, those of its sub-agents and the project's notes, drops notes that are gone, and links
 * what is new.
 * @param path of the main transcript
 */
export function readSession(
  store: Store,
  path: string,
  { config, withinMs }: ReadSessionOptions,
): { chunks: number; problems: string[] } {
  const untilMs = performance.now() + withinMs;
  const problems: string[] = [];
  const onIssue = ({ file, message }: InputIssue): void => void problems.push(`${file}: ${message}`);
  const folder = dirname(path);
  // Sub-agents' transcripts lie in a folder named by the session, as which Claude Code names the transcript, too.
  const session = findTranscripts([path])[0]?.sessionUuid ?? '';
  const beside = [path.replace(/\.jsonl$/, ''), join(folder, session), join(folder, 'memory')];
  const roots = [path, ...beside.filter((other) => dirname(other) === folder && existsSync(other))];
  const files = findTranscripts(roots, onIssue);
  let chunks = 0;
  for (const file of files) chunks += readInPieces(store, file.path, { config, untilMs });
  dropDeletedNotes(store, [folder]);
  linkSessions(store);
  return { chunks, problems };
}

/** What was read stays when a client gives the hook up: the next one goes on there. */
function readInPieces(
  store: Store,
  path: string,
  { config, untilMs }: { config: Config; untilMs: number },
): number {
  const options = { exclude: { paths: config.ingest.excludePaths }, maxNewBytes: PIECE_BYTES };
  let chunks = 0;
  for (let isGoingOn = true; isGoingOn && performance.now() < untilMs;) {
    const report = ingestTranscript(store, path, options);
    isGoingOn = report.status === 'ingested';
    chunks += report.chunks;
  }
  return chunks;
}

/** Never fails: search by words needs no vectors, and the next server computes what is missing. */
async function embedInTime(store: Store, { home }: HookContext): Promise<string> {
  const leftMs = EMBED_UNTIL_MS - millisecondsSinceStart();
  if (leftMs < WORTH_STARTING_MS) return 'vectors left to the server';
  const { WorkerPool } = await import('@causantic/compute');
  const pool = new WorkerPool({ threads: 1 });
  const signal = AbortSignal.timeout(leftMs);
  try {
    const { stored } = await updateVectors(store, { pool, home, signal });
    return counted(stored, 'vector');
  } catch (error) {
    // That the time is over is nothing that went wrong.
    return `vectors left to the server${signal.aborted ? '' : ` (${errorMessage(error)})`}`;
  } finally {
    await pool.close({ abort: true });
  }
}
