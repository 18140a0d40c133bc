import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorReason, type InputIssue, NotFoundError, type ProjectDraft, projectOf } from '@causantic/domain';
import type { FileStamp, Store, TranscriptCheckpoint, TranscriptWriter } from '@causantic/storage';
import { checksum, sessionOf, stampOf } from './checkpoint.js';
import { NO_BRANCHES } from './clients/claude-code/branches.js';
import { type Exclusion, isExcluded } from './exclusion.js';
import {
  describeOpenTranscript,
  HEAD_BYTES,
  type TranscriptFile,
} from './transcripts/describe-transcript.js';
import {
  fileOf,
  type OpenTranscript,
  type OpenTranscriptOptions,
  stampOfTranscript,
  transcriptName,
  whileOpen,
} from './transcripts/open-transcript.js';
import { databaseOf } from './clients/opencode/database.js';
import { type Foreknown, ReadAgain } from './read-again.js';
import { emptyReport, type IngestReport } from './report.js';
import { TranscriptRun } from './transcript-run.js';

export interface IngestOptions {
  exclude?: Exclusion;
  /**
   * Reads at most about this many new bytes, or as many as it has to read again of a turn that is longer, and leaves the
   * rest to the next call, for a caller that may be stopped. Anything other than lines in a plain file is read as a whole.
   */
  maxNewBytes?: number;
  /** Reads the file from its start, changed or not, for example because this version stores something differently. */
  anew?: boolean;
}

/** For `maxNewBytes`: read and written in about half a second. */
export const PIECE_BYTES = 4_000_000;

/**
 * Brings the store up to date with one transcript, in one transaction: everything new, or nothing. An unchanged file is not
 * read, a longer one is read from its last open turn on, and a rewritten one from its start.
 * @throws NotFoundError if the file does not exist, StorageError
 */
export function ingestTranscript(store: Store, path: string, options: IngestOptions = {}): IngestReport {
  try {
    return store.asking(() => ingestNamed(store, canonicalName(path), options));
  } catch (error) {
    if (error instanceof LeftOut) return error.report;
    throw error;
  }
}

/** @throws LeftOut */
function ingestNamed(store: Store, name: string, options: IngestOptions): IngestReport {
  if (!options.anew && sessionOfUnchanged(store, name, stampOfTranscript(name)) !== null)
    return emptyReport('unchanged');
  // What is left out needs no place in the memory, nor waits for those who write there.
  const { file } = whileOpen(name, { maxBytes: HEAD_BYTES }, (open) => describe(store, name, open, options));
  if (store.transcripts.checkpoint(name) === null) followMove(store, file);
  const branches = options.anew ? NO_BRANCHES : null;
  return readInto(store, name, options, { moved: [], branches, inVain: 0 });
}

/** Ends the reading of a file that is not to be read. */
class LeftOut extends Error {
  constructor(readonly report: IngestReport) {
    super(report.status);
  }
}

/** A transcript is one row, whichever link leads to it, compressed or not. */
function canonicalName(path: string): string {
  try {
    const file = realpathSync(fileOf(transcriptName(path)));
    return databaseOf(path) === null ? transcriptName(file) : join(file, basename(path));
  } catch (cause) {
    throw new NotFoundError(`Cannot open transcript ${path}: ${errorReason(cause)}`, {
      data: { path },
      cause,
    });
  }
}

function damageOf({ file, size, damage }: OpenTranscript): InputIssue {
  const message = `damaged (${damage}): nothing can be read after the first ${size} bytes of text`;
  return { file: file.path, line: null, code: 'damaged-compression', message };
}

/**
 * An archived rollout, or one in a renamed folder, stays the same transcript, including its open turn. It is recognized by
 * a file that is gone and whose text this one begins with.
 */
function followMove(store: Store, { path, sessionUuid, layout, kind }: TranscriptFile): void {
  // A session may have a thousand agents, whose files are named after them.
  const mayBe = (before: string): boolean => kind === 'main' || basename(before) === basename(path);
  const gone = store.transcripts
    .pathsOfSession(sessionUuid)
    .filter((before) => mayBe(before) && !existsSync(fileOf(before)));
  if (gone.length === 0 || layout !== 'lines') return;
  const before = whileOpen(path, scratchBeside(store), (open) =>
    gone.find((other) => beginsAsRead(open, store.transcripts.checkpoint(other))),
  );
  if (before !== undefined) store.transcripts.move(before, path);
}

/** Does the text begin, to the byte, with all that was read then? */
function beginsAsRead({ descriptor, size }: OpenTranscript, known: TranscriptCheckpoint | null): boolean {
  if (known === null || known.size > size) return false;
  return known.wholeChecksum === checksum(descriptor, 0, known.size);
}

function scratchBeside(store: Store): OpenTranscriptOptions {
  return store.path === ':memory:' ? {} : { scratchDir: dirname(store.path) };
}

/** @throws LeftOut */
function describe(
  store: Store,
  name: string,
  open: OpenTranscript,
  options: IngestOptions,
): Pick<Reading, 'file' | 'project'> {
  const file = describeOpenTranscript(name, open);
  if (!file) {
    const issues = open.damage === null ? [] : [damageOf(open)];
    throw new LeftOut({ ...emptyReport('no-transcript'), issues });
  }
  const project = projectOfSession(store, file);
  if (isExcluded(options.exclude ?? {}, name, { cwd: file.cwd, project: project.path }))
    throw new LeftOut(emptyReport('excluded'));
  return { file, project };
}

/** Whether a transcript is never read. */
export function isLeftOut(store: Store | undefined, file: TranscriptFile, exclude: Exclusion): boolean {
  const { path, cwd } = file;
  return isExcluded(exclude, path, { cwd, project: projectOfSession(store, file).path });
}

/** The project of a deleted folder comes from earlier sessions: a deleted worktree no longer names its repository. */
function projectOfSession(store: Store | undefined, file: TranscriptFile): ProjectDraft {
  const folder = file.cwd ?? file.folder;
  const known = existsSync(folder) ? undefined : store?.sessions.projectOfFolder(folder);
  const project = known === undefined ? undefined : store?.projects.get(known);
  return project ? { path: project.path, name: project.slug } : projectOf(folder);
}

interface Reading {
  file: TranscriptFile;
  project: ProjectDraft;
  open: OpenTranscript;
  options: IngestOptions;
}

/** Then what was read is stored, and the next run reads it anew. */
const MOST_IN_VAIN = 3;

/**
 * Opens the file only once nobody else can write to the memory. Otherwise another process could store what was added to
 * the file meanwhile, and this run would drop it again.
 */
function readInto(store: Store, name: string, options: IngestOptions, known: Foreknown): IngestReport {
  try {
    return store.transcripts.write(name, (writer) =>
      whileOpen(name, scratchBeside(store), (open) => {
        const reading = { ...describe(store, name, open, options), open, options };
        const report = readWith(writer, reading, known);
        if (open.damage !== null) report.issues.push(damageOf(open));
        return report;
      }),
    );
  } catch (error) {
    if (!(error instanceof ReadAgain)) throw error;
    return readInto(store, name, options, { ...known, ...error.found });
  }
}

/** @throws ReadAgain */
function readWith(
  writer: TranscriptWriter,
  { file, project, open, options }: Reading,
  { moved, branches, inVain }: Foreknown,
): IngestReport {
  for (const { id, line } of moved) writer.moveForgotten(id, line);
  const { checkpoint } = writer;
  // More was read of it when it was whole: that stays.
  if (open.damage !== null && checkpoint && checkpoint.size > open.size) return emptyReport('unchanged');
  if (!options.anew && checkpoint && isRead(checkpoint, file, open)) {
    writer.save({ ...checkpoint, ...stampOf(open) });
    return emptyReport('unchanged');
  }
  const isInPieces = file.layout === 'lines' && !open.isCopy;
  const size = isInPieces ? endOfPiece(checkpoint, open.size, options) : open.size;
  const run = new TranscriptRun(writer, file, project, { ...open, size }, branches);
  run.read();
  const isWhole = size === open.size && open.damage === null;
  const places = moved.length === 0 ? run.movedPieces(isWhole) : [];
  if (places.length > 0) throw new ReadAgain({ moved: places });
  if (run.isRewritten() && inVain < MOST_IN_VAIN) throw new ReadAgain({ inVain: inVain + 1 });
  run.finish();
  return run.report;
}

/** Lines that are to the byte what the last run read, whatever happened to the file since. */
function isRead(known: TranscriptCheckpoint, { layout }: TranscriptFile, open: OpenTranscript): boolean {
  return (
    layout === 'lines' && sessionOf(known) !== null && known.size === open.size && beginsAsRead(open, known)
  );
}

/**
 * Reads as if the file ended there: reading in pieces has the same result as reading at once. A turn is read again with each
 * of its pieces, so these grow with it: a long one takes twice the time that it takes at once, and not the square.
 */
function endOfPiece(
  known: TranscriptCheckpoint | null,
  size: number,
  { maxNewBytes = Infinity }: IngestOptions,
): number {
  const { size: before, offset } = known && known.size <= size ? known : { size: 0, offset: 0 };
  return Math.min(size, before + Math.max(maxNewBytes, before - offset));
}

/** The session of a file that has not changed since the last run; null for any other. The path must be canonical. */
export function sessionOfUnchanged(store: Store, path: string, file: FileStamp): string | null {
  const known = store.transcripts.checkpointOfUnchanged(path, file);
  return known && sessionOf(known);
}
