import { ComputeError, errorMessage } from '@causantic/domain';
import type { TaskContext } from '@causantic/compute';
import { transferred } from '@causantic/compute';
import { FileTagReader } from './file-tags.js';
import { listFiles, type FileListing } from './file-listing.js';
import { mapHeader } from './map-header.js';
import { loadProjectFiles, saveProjectFiles, type ProjectFiles } from './project-cache.js';
import { mapProject, type MapRequest, type ProjectMap } from './project-map.js';
import { BatchBuilder, mergeUpdate, planUpdate, type ReadBatch } from './project-update.js';
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
  const cached = cachedFiles(input.cacheFile);
  const { toRead } = planUpdate(input.request.root, listing, cached);
  const bytes = toRead.reduce((sum, file) => sum + listing.size[file]!, 0);
  stopIfCancelled(context);
  if (toRead.length > AT_ONCE_FILES || bytes > AT_ONCE_BYTES)
    return { listing, toRead: Uint32Array.from(toRead) };
  return { finished: await finishProject({ ...input, listing, batches: [] }, context) };
}

export interface ReadInput {
  root: string;
  files: Uint32Array;
  /** One path a file, in the same order. */
  paths: readonly string[];
}

export async function readFiles({ root, files, paths }: ReadInput, context: TaskContext): Promise<ReadBatch> {
  const reader = readerFor(root);
  const batch = new BatchBuilder();
  for (const [place, path] of paths.entries()) {
    stopIfCancelled(context);
    batch.add(files[place]!, await reader.read(path));
    context.progress(place + 1, paths.length);
  }
  const read = batch.finish();
  return transferred(read, [
    read.tags.referenceName.buffer as ArrayBuffer,
    read.tags.definitionName.buffer as ArrayBuffer,
  ]);
}

export interface FinishInput extends SurveyInput {
  listing: FileListing;
  batches: readonly ReadBatch[];
}

/** Another process may have replaced the cache since the survey: the plan is made anew, and gaps are read here. */
export async function finishProject(input: FinishInput, context: TaskContext): Promise<FinishedMap> {
  const { request, listing, cacheFile } = input;
  const cached = cachedFiles(cacheFile);
  const plan = planUpdate(request.root, listing, cached);
  const read = new Set(input.batches.flatMap(({ files }) => [...files]));
  const missing = plan.toRead.filter((file) => !read.has(file));
  const batches = [...input.batches];
  if (missing.length > 0) {
    const paths = missing.map((file) => listing.paths[file]!);
    batches.push(await readHere(request.root, missing, paths, context));
  }
  const files =
    plan.cacheIsStale || cached === undefined ? mergeUpdate(listing, plan, cached, batches) : cached;
  const issues = [...listing.issues, ...files.issues];
  if (files !== cached && cacheFile !== undefined) saveOrReport(cacheFile, files, issues);
  stopIfCancelled(context);
  const parsedFiles = plan.toRead.length;
  const map = await mapProject(files, request, (counts) => mapHeader(counts, 9999, parsedFiles));
  return { map, issues, parsedFiles };
}

async function readHere(
  root: string,
  files: readonly number[],
  paths: readonly string[],
  context: TaskContext,
): Promise<ReadBatch> {
  const reader = readerFor(root);
  const batch = new BatchBuilder();
  for (const [place, path] of paths.entries()) {
    stopIfCancelled(context);
    batch.add(files[place]!, await reader.read(path));
  }
  return batch.finish();
}

function cachedFiles(cacheFile: string | undefined): ProjectFiles | undefined {
  if (cacheFile === undefined) return undefined;
  try {
    return loadProjectFiles(cacheFile);
  } catch {
    return undefined; // Unreadable, so rebuilt; if it cannot be written either, that is reported.
  }
}

function saveOrReport(cacheFile: string, files: ProjectFiles, issues: RepoMapIssue[]): void {
  try {
    saveProjectFiles(cacheFile, files);
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
