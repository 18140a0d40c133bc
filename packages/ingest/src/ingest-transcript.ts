import { closeSync, fstatSync, openSync, realpathSync } from 'node:fs';
import { NotFoundError } from '@causantic/domain';
import type { Store, TranscriptCheckpoint } from '@causantic/storage';
import { stateOf } from './checkpoint.js';
import { type Exclusion, isExcluded } from './exclusion.js';
import { describeTranscript } from './describe-transcript.js';
import { projectOf } from './projects.js';
import { emptyReport, type IngestReport } from './report.js';
import { TranscriptRun } from './transcript-run.js';

export interface IngestOptions {
  exclude?: Exclusion;
  /**
   * Read no more than about so many bytes beyond what was read before, and leave the rest to the next call: for a
   * caller that may be stopped. Files that are no lines are read as a whole.
   */
  maxNewBytes?: number;
}

/**
 * Bring the store up to date with one transcript: all of what is new, in one transaction, or nothing. An unchanged
 * file is not read; a longer one is read from its last open turn on; a rewritten one from its start.
 * @throws NotFoundError when the file does not exist, StorageError
 */
export function ingestTranscript(store: Store, path: string, options: IngestOptions = {}): IngestReport {
  const descriptor = openTranscript(path);
  try {
    return ingestOpenFile(store, canonicalPath(path), descriptor, options);
  } finally {
    closeSync(descriptor);
  }
}

function openTranscript(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new NotFoundError(`Cannot open transcript ${path}`, { data: { path }, cause });
  }
}

/** One transcript is one row, whatever link it is reached by. */
function canonicalPath(path: string): string {
  return realpathSync(path);
}

function ingestOpenFile(
  store: Store,
  path: string,
  descriptor: number,
  options: IngestOptions,
): IngestReport {
  const { size, mtimeMs } = fstatSync(descriptor);
  if (sessionOfUnchanged(store, path, { size, mtimeMs }) !== null) return emptyReport(path, 'unchanged');
  const file = describeTranscript(path);
  if (!file) return emptyReport(path, 'no-transcript');
  const project = projectOf(file.cwd ?? file.folder);
  if (options.exclude && isExcluded(options.exclude, path, [project.path, file.cwd])) {
    return emptyReport(path, 'excluded');
  }
  return store.transcripts.write(path, (writer) => {
    const end = file.layout === 'lines' ? endOfPiece(writer.checkpoint, size, options) : size;
    const run = new TranscriptRun(writer, file, project, { descriptor, size: end });
    run.read();
    run.finish(mtimeMs);
    return run.report;
  });
}

/** As if the file ended there: reading in pieces gives what reading at once does. */
function endOfPiece(
  known: TranscriptCheckpoint | null,
  size: number,
  { maxNewBytes = Infinity }: IngestOptions,
): number {
  const before = known && known.size <= size ? known.size : 0;
  return Math.min(size, before + maxNewBytes);
}

/** The session of a file that is as the last run left it; null for any other. The path must be canonical. */
export function sessionOfUnchanged(
  store: Store,
  path: string,
  file: { size: number; mtimeMs: number },
): string | null {
  const known = store.transcripts.checkpoint(path);
  if (known?.size !== file.size || known.mtimeMs !== file.mtimeMs) return null;
  return stateOf(known)?.session.uuid ?? null;
}
