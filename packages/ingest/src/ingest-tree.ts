import { type InputIssue, errorMessage, StorageError } from '@causantic/domain';
import type { Store } from '@causantic/storage';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import type { IngestReport } from './report.js';
import { joinHashedFolders } from './clients/gemini/hashed-folders.js';
import type { TranscriptFile } from './transcripts/describe-transcript.js';
import {
  describeTranscripts,
  type FoundTranscripts,
  transcriptPaths,
} from './transcripts/find-transcripts.js';
import { stampIfThere } from './transcripts/open-transcript.js';
import { type IngestOptions, ingestTranscript, sessionOfUnchanged } from './ingest-transcript.js';
import { linkSessions } from './links/link-sessions.js';
import { inOneOpening } from './clients/opencode/database.js';

export interface TreeProgress {
  files: number;
  bytes: number;
  totalBytes: number;
}

export interface TreeOptions extends IngestOptions {
  /** Called after each file. */
  onProgress?(progress: TreeProgress): void;
  /** Called while what was read is linked, with the share that is done, from 0 to 1. */
  onLinking?(share: number): void;
  /** Checked between files: what was read stays, and the rest is left to the next run. */
  signal?: AbortSignal;
}

export interface TreeReport {
  files: number;
  /** Bytes of the files, whether read in this run or before. */
  bytes: number;
  sessions: number;
  /** Turns and chunks written in this run. */
  turns: number;
  chunks: number;
  /** Files that were unchanged, excluded, or not transcripts. */
  skipped: number;
  copiedRecords: number;
  issues: InputIssue[];
  redactions: Record<string, number>;
  seconds: number;
}

/** Share of the memory. Of less, the index of words is in so few pieces more that they need not be put together. */
const MUCH_READ = 0.2;

/**
 * Brings the store up to date with all transcripts under these roots, one transaction per file. A file that cannot be read
 * is an issue, and does not affect the others. Synchronous, and takes long: run it in a worker or a batch process.
 * @throws NotFoundError if a root does not exist; StorageError
 */
export function ingestTree(store: Store, roots: readonly string[], options: TreeOptions = {}): TreeReport {
  return inOneOpening(() => store.asking(() => ingestRoots(store, roots, options)));
}

function ingestRoots(store: Store, roots: readonly string[], options: TreeOptions): TreeReport {
  const started = performance.now();
  const report: TreeReport = {
    files: 0,
    bytes: 0,
    sessions: 0,
    turns: 0,
    chunks: 0,
    skipped: 0,
    copiedRecords: 0,
    issues: [],
    redactions: {},
    seconds: 0,
  };
  const takenFrom = readFiles(store, roots, options, report);
  for (const fork of takenFrom) {
    const result = ingestSafely(store, fork, options, report.issues);
    if (result?.status === 'ingested') addTo(report, result);
    for (const other of result?.takenFrom ?? []) takenFrom.add(other);
  }
  dropDeletedNotes(store, roots);
  joinHashedFolders(store);
  linkSessions(store, undefined, options.onLinking);
  if (report.chunks > 0 && report.chunks >= MUCH_READ * store.keywords.size()) store.keywords.merge();
  report.seconds = (performance.now() - started) / 1000;
  return report;
}

/** @returns transcripts that are to be read again */
function readFiles(
  store: Store,
  roots: readonly string[],
  options: TreeOptions,
  report: TreeReport,
): Set<string> {
  const onIssue = (issue: InputIssue): void => void report.issues.push(issue);
  const { unread: files, unchanged } = findUnread(options.anew ? undefined : store, roots, onIssue);
  const sessions = new Set(unchanged.map(({ session }) => session));
  report.files = report.skipped = unchanged.length;
  report.bytes = unchanged.reduce((sum, { bytes }) => sum + bytes, 0);
  const totalBytes = files.reduce((sum, file) => sum + file.bytes, report.bytes);
  const takenFrom = new Set<string>();
  for (const file of files) {
    if (options.signal?.aborted) break;
    const result = ingestSafely(store, file.path, options, report.issues);
    report.files++;
    report.bytes += file.bytes;
    if (result && result.status !== 'excluded') sessions.add(file.sessionUuid);
    if (result) addTo(report, result);
    for (const fork of result?.takenFrom ?? []) takenFrom.add(fork);
    options.onProgress?.({ files: report.files, bytes: report.bytes, totalBytes });
  }
  report.sessions = sessions.size;
  return takenFrom;
}

interface KnownFile {
  session: string;
  bytes: number;
}

/**
 * What under these roots is not in memory as it stands, in the order in which it should be read: that alone is looked into.
 * @param store none where nothing is known yet, or all is to be read anew
 * @throws NotFoundError when a root does not exist
 */
export function findUnread(
  store: Store | undefined,
  roots: readonly string[],
  onIssue: (issue: InputIssue) => void,
): { unread: TranscriptFile[]; unchanged: KnownFile[] } {
  const found = transcriptPaths(roots, onIssue);
  const unchanged = store ? takeUnchanged(store, found) : [];
  return { unread: describeTranscripts(found, onIssue), unchanged };
}

/** Takes what is in memory as it stands out of what was found. */
function takeUnchanged(store: Store, found: FoundTranscripts): KnownFile[] {
  const unchanged: KnownFile[] = [];
  for (const [path, head] of found) {
    const stamp = head?.stamp ?? stampIfThere(path);
    const session = stamp && sessionOfUnchanged(store, path, stamp);
    if (!session) continue;
    unchanged.push({ session, bytes: stamp.size });
    found.delete(path);
  }
  return unchanged;
}

/**
 * Drops notes that were read on this machine and whose files are gone. Sessions whose files are gone stay, and so do notes
 * whose whole project is gone, as after moving the memory to another machine.
 * @param roots existing folders; only notes under them are checked
 */
export function dropDeletedNotes(store: Store, roots: readonly string[]): void {
  const folders = roots.map((root) => realpathSync(root));
  for (const path of store.transcripts.pathsOf('claude-code-notes')) {
    const isUnderRoot = folders.some((folder) => path.startsWith(folder + sep));
    const isDeleted = isUnderRoot && !existsSync(path) && existsSync(dirname(dirname(path)));
    if (isDeleted) store.transcripts.remove(path);
  }
}

/** An error of the store ends the run; an error with one file, or with its project's settings, does not. */
export function ingestSafely(
  store: Store,
  path: string,
  options: IngestOptions,
  issues: InputIssue[],
): IngestReport | null {
  try {
    return ingestTranscript(store, path, options);
  } catch (error) {
    if (error instanceof StorageError) throw error;
    issues.push({ file: path, line: null, code: 'failed', message: errorMessage(error) });
    return null;
  }
}

function addTo(report: TreeReport, result: IngestReport): void {
  report.turns += result.turns;
  report.chunks += result.chunks;
  report.copiedRecords += result.copiedRecords;
  if (result.status !== 'ingested') report.skipped++;
  report.issues.push(...result.issues);
  for (const [kind, count] of Object.entries(result.redactions)) {
    report.redactions[kind] = (report.redactions[kind] ?? 0) + count;
  }
}
