import { setImmediate } from 'node:timers/promises';
import { ComputeError, errorMessage } from '@causantic/domain';
import type { TaskContext } from '@causantic/compute';
import { transferred } from '@causantic/compute';
import { AnswerMemo } from './answer-memo.js';
import { FileTagReader } from './file-tags.js';
import { listFiles, type FileListing } from './file-listing.js';
import { loadProjectFiles, saveProjectFiles, type ProjectFiles } from './project-cache.js';
import { mapProject, type MapRequest, type ProjectMap } from './project-map.js';
import { BatchBuilder, mergeUpdate, planUpdate, type ReadBatch, type UpdatePlan } from './project-update.js';
import { columnBuffers } from './tag-columns.js';
import type { RepoMapIssue } from './tags.js';

/** The functions a worker runs; each blocks its thread. */

export interface SurveyInput {
  request: MapRequest;
  /** Undefined to keep nothing on disk. */
  cacheFile: string | undefined;
}

export interface FinishedMap {
  map: ProjectMap;
  issues: RepoMapIssue[];
  parsedFiles: number;
}

/** Either the finished map, where there was little to read, or what to read first. */
export type Survey = { finished: FinishedMap } | { listing: FileListing; toRead: Uint32Array };

/** With this little to read it is read at once instead of being handed out. */
const AT_ONCE_FILES = 24;
const AT_ONCE_BYTES = 200_000;

export async function surveyProject(input: SurveyInput, context: TaskContext): Promise<Survey> {
  const listing = listFiles(input.request.root);
  const known = planned(input, listing);
  const bytes = known.plan.toRead.reduce((sum, file) => sum + listing.size[file]!, 0);
  stopIfCancelled(context);
  if (known.plan.toRead.length > AT_ONCE_FILES || bytes > AT_ONCE_BYTES) {
    return { listing, toRead: Uint32Array.from(known.plan.toRead) };
  }
  return { finished: await finish({ ...input, listing, batches: [] }, known, context) };
}

interface Known {
  cached: ProjectFiles | undefined;
  plan: UpdatePlan;
}

function planned({ cacheFile, request }: SurveyInput, listing: FileListing): Known {
  const cached = cachedFiles(cacheFile);
  return { cached, plan: planUpdate(request.root, listing, cached) };
}

export interface ReadInput {
  root: string;
  files: Uint32Array;
  /** One path a file, in the same order. */
  paths: readonly string[];
}

/** For a pool: the columns are moved to the caller. */
export async function readFiles(input: ReadInput, context: TaskContext): Promise<ReadBatch> {
  const batch = await readBatch(input, context);
  return transferred(batch, columnBuffers(batch.tags));
}

/**
 * Native trees are freed in the event loop, which a worker between two tasks does not turn: without a turn now and then
 * 13,000 files took 2 GB instead of 0.3.
 */
const FILES_PER_TURN = 20;

export async function readBatch({ root, files, paths }: ReadInput, context: TaskContext): Promise<ReadBatch> {
  const reader = readerFor(root);
  const batch = new BatchBuilder();
  for (const [place, path] of paths.entries()) {
    stopIfCancelled(context);
    batch.add(files[place]!, await reader.read(path));
    if (place % FILES_PER_TURN === 0) await setImmediate();
    context.progress(place + 1, paths.length);
  }
  return batch.finish();
}

export interface FinishInput extends SurveyInput {
  listing: FileListing;
  batches: readonly ReadBatch[];
}

/** Another process may have replaced the cache since the survey: the plan is made anew, and gaps are read here. */
export async function finishProject(input: FinishInput, context: TaskContext): Promise<FinishedMap> {
  return finish(input, planned(input, input.listing), context);
}

async function finish(input: FinishInput, known: Known, context: TaskContext): Promise<FinishedMap> {
  const { request, listing, cacheFile } = input;
  const parsedFiles = known.plan.toRead.length;
  const unchanged = known.cached !== undefined && !known.plan.cacheIsStale;
  const files = unchanged ? known.cached! : await updatedFiles(input, known, context);
  const issues = [...listing.issues, ...files.issues];
  if (!unchanged && cacheFile !== undefined)
    reporting(cacheFile, issues, () => saveProjectFiles(cacheFile, files));
  stopIfCancelled(context);
  const memo = cacheFile === undefined || request.includeDetails ? undefined : new AnswerMemo(cacheFile);
  const answer = memo?.find(files, request);
  if (answer !== undefined) return { map: answer, issues, parsedFiles };
  const map = mapProject(files, request);
  if (memo !== undefined) reporting(cacheFile!, issues, () => memo.keep(files, request, map));
  return { map, issues, parsedFiles };
}

async function updatedFiles(
  { request, listing, batches }: FinishInput,
  { cached, plan }: Known,
  context: TaskContext,
): Promise<ProjectFiles> {
  const read = new Set(batches.flatMap(({ files }) => [...files]));
  const missing = plan.toRead.filter((file) => !read.has(file));
  if (missing.length === 0) return mergeUpdate(listing, plan, cached, batches);
  const paths = missing.map((file) => listing.paths[file]!);
  const silent = { cancelled: () => context.cancelled(), progress: () => undefined };
  const rest = await readBatch({ root: request.root, files: Uint32Array.from(missing), paths }, silent);
  return mergeUpdate(listing, plan, cached, [...batches, rest]);
}

function cachedFiles(cacheFile: string | undefined): ProjectFiles | undefined {
  if (cacheFile === undefined) return undefined;
  try {
    return loadProjectFiles(cacheFile);
  } catch {
    return undefined; // Unreadable, so rebuilt; if it cannot be written either, that is reported.
  }
}

/** A cache that cannot be written costs time later, not this answer. */
function reporting(cacheFile: string, issues: RepoMapIssue[], save: () => void): void {
  try {
    save();
  } catch (error) {
    issues.push({ file: cacheFile, code: 'CACHE_FAILED', message: errorMessage(error) });
  }
}

function stopIfCancelled(context: TaskContext): void {
  if (context.cancelled()) throw new ComputeError('ABORTED', 'The repo map was cancelled.');
}

const readers = new Map<string, FileTagReader>();

function readerFor(root: string): FileTagReader {
  let reader = readers.get(root);
  if (reader === undefined) {
    reader = new FileTagReader(root);
    readers.set(root, reader);
  }
  return reader;
}
