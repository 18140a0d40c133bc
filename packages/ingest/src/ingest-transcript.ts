import { closeSync, existsSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type InputIssue, NotFoundError, type ProjectDraft } from '@causantic/domain';
import type { Store, TranscriptCheckpoint, TranscriptWriter } from '@causantic/storage';
import { stateOf } from './checkpoint.js';
import { type BranchesState, BranchWentOn, NO_BRANCHES } from './claude-code/branches.js';
import { type Exclusion, isExcluded } from './exclusion.js';
import { describeOpenTranscript, type TranscriptFile } from './describe-transcript.js';
import { LinesMoved, type MovedPiece } from './forgotten.js';
import { fileOf, type OpenTranscript, openTranscript, transcriptName } from './open-transcript.js';
import { projectOf } from './projects.js';
import { emptyReport, type IngestReport } from './report.js';
import { TranscriptRun } from './transcript-run.js';

export interface IngestOptions {
  exclude?: Exclusion;
  /**
   * Read no more than about so many bytes beyond what was read before, and leave the rest to the next call: for a
   * caller that may be stopped. Files that are no lines, or compressed, are read as a whole.
   */
  maxNewBytes?: number;
  /** Read it from its start, changed or not: for what this version keeps in another form than the one before. */
  anew?: boolean;
}

/**
 * Bring the store up to date with one transcript: all of what is new, in one transaction, or nothing. An unchanged
 * file is not read; a longer one is read from its last open turn on; a rewritten one from its start.
 * @throws NotFoundError when the file does not exist, StorageError
 */
export function ingestTranscript(store: Store, path: string, options: IngestOptions = {}): IngestReport {
  const name = canonicalName(path);
  const file = statSync(fileOf(name));
  if (!options.anew && sessionOfUnchanged(store, name, file) !== null) return emptyReport(name, 'unchanged');
  const open = openTranscript(name, store.path === ':memory:' ? {} : { scratchDir: dirname(store.path) });
  try {
    const report = ingestOpenTranscript(store, name, open, options);
    if (open.damage !== null) report.issues.push(damageOf(open));
    return report;
  } finally {
    closeSync(open.descriptor);
  }
}

/** One transcript is one row, whatever link it is reached by, and compressed or not. */
function canonicalName(path: string): string {
  try {
    return transcriptName(realpathSync(fileOf(transcriptName(path))));
  } catch (cause) {
    throw new NotFoundError(`Cannot open transcript ${path}`, { data: { path }, cause });
  }
}

function damageOf({ file, size, damage }: OpenTranscript): InputIssue {
  const message = `damaged (${damage}): nothing can be read behind the first ${size} bytes of text`;
  return { file: file.path, line: null, code: 'damaged-compression', message };
}

function ingestOpenTranscript(
  store: Store,
  path: string,
  open: OpenTranscript,
  options: IngestOptions,
): IngestReport {
  const file = describeOpenTranscript(path, open);
  if (!file) return emptyReport(path, 'no-transcript');
  const project = projectIn(store, file.cwd ?? file.folder);
  if (options.exclude && isExcluded(options.exclude, path, [project.path, file.cwd])) {
    return emptyReport(path, 'excluded');
  }
  return readInto(
    store,
    { file, project, open, options },
    { moved: [], branches: options.anew ? NO_BRANCHES : null },
  );
}

/** A folder that is gone is told by the sessions before: where it was, a worktree names its repository no more. */
function projectIn(store: Store, folder: string): ProjectDraft {
  const known = existsSync(folder) ? undefined : store.sessions.projectOfFolder(folder);
  const project = known === undefined ? undefined : store.projects.get(known);
  return project ? { path: project.path, name: project.slug } : projectOf(folder);
}

interface Reading {
  file: TranscriptFile;
  project: ProjectDraft;
  open: OpenTranscript;
  options: IngestOptions;
}

/** What a reading found out that has to be known from the file's start. */
interface Foreknown {
  moved: readonly MovedPiece[];
  branches: BranchesState | null;
}

function readInto(store: Store, reading: Reading, known: Foreknown): IngestReport {
  try {
    return store.transcripts.write(reading.file.path, (writer) => readWith(writer, reading, known));
  } catch (error) {
    if (error instanceof LinesMoved) return readInto(store, reading, { ...known, moved: error.pieces });
    if (error instanceof BranchWentOn)
      return readInto(store, reading, { ...known, branches: error.branches });
    throw error;
  }
}

/** @throws LinesMoved, BranchWentOn */
function readWith(
  writer: TranscriptWriter,
  { file, project, open, options }: Reading,
  { moved, branches }: Foreknown,
): IngestReport {
  for (const { id, line } of moved) writer.moveForgotten(id, line);
  const { checkpoint } = writer;
  // More was read of it when it was whole: that stays.
  if (open.damage !== null && checkpoint && checkpoint.size > open.size)
    return emptyReport(file.path, 'unchanged');
  const isInPieces = file.layout === 'lines' && !open.isCompressed;
  const size = isInPieces ? endOfPiece(checkpoint, open.size, options) : open.size;
  const run = new TranscriptRun(writer, file, project, { descriptor: open.descriptor, size }, branches);
  run.read();
  const isWhole = size === open.size && open.damage === null;
  const places = moved.length === 0 ? run.movedPieces(isWhole) : [];
  if (places.length > 0) throw new LinesMoved(places);
  run.finish(open);
  return run.report;
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
  const known = store.transcripts.checkpointOfUnchanged(path, file);
  return known && (stateOf(known)?.session.uuid ?? null);
}
