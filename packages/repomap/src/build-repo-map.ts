import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { defineTask, type Task, type WorkerPool } from '@causantic/compute';
import { errorMessage, InvalidArgumentError, NotFoundError } from '@causantic/domain';
import type { FileListing } from './files/file-listing.js';
import { mapHeader } from './output/map-header.js';
import type { FinishInput, FinishedMap, ReadInput, Survey, SurveyInput, UnreadFiles } from './parse-task.js';
import { cacheFileOf } from './cache/project-cache.js';
import type { MapFile, MapRequest } from './project-map.js';
import type { ReadBatch } from './project-update.js';
import { columnBuffers } from './cache/tag-columns.js';
import type { Cancelling } from './stop-if-cancelled.js';
import type { RepoMapIssue } from './tags.js';

export interface RepoMapOptions {
  /** The project's folder. */
  root: string;
  /** Come first, and raise the rank of what they use and what uses them; see {@link resolveFocus} for how to name files. */
  focusFiles?: readonly string[];
  /** Exact paths of files the current session touched: they and what they use are ranked up more mildly. */
  sessionFiles?: readonly string[];
  /** Token budget of the whole answer. Default 1,000. */
  maxTokens?: number;
  /** The folder where tags are cached between runs; without it, every run reads every file. */
  cacheDir?: string;
  /** Without a pool, everything runs on the calling thread. */
  pool?: Pick<WorkerPool, 'run' | 'threads'>;
  signal?: AbortSignal;
  /** Reports how many of the files to read have been read, some at a time, ever more; only called if there are many. */
  onProgress?: (done: number, total: number) => void;
  /** Also return every file's rank, definitions and references, for `--json` and the HTML page. */
  includeDetails?: boolean;
}

export interface RepoMap {
  /** The complete answer: header and map, without a line end. */
  text: string;
  files: number;
  definitions: number;
  /** Pairs of files where one mentions what the other defines. */
  references: number;
  /** Files of the map that had to be parsed, because they are new or changed. */
  parsedFiles: number;
  elapsedMs: number;
  /** In the order of the text. */
  shownFiles: string[];
  unmatchedFocusFiles: string[];
  /** Folders that are left out because they are separate repositories; each has a map under its own path. */
  repositories: string[];
  issues: RepoMapIssue[];
  details: MapFile[] | undefined;
}

const DEFAULT_MAX_TOKENS = 1000;

const tasksUrl = new URL('./parse-task.js', import.meta.url);
const surveyTask = defineTask<SurveyInput, Survey>(tasksUrl, 'surveyProject');
const readTask = defineTask<ReadInput, ReadBatch>(tasksUrl, 'readFiles');
const finishTask = defineTask<FinishInput, FinishedMap>(tasksUrl, 'finishProject');
const keepTask = defineTask<FinishInput, void>(tasksUrl, 'keepRead');

/**
 * Maps a source tree: what is defined where, most referenced first, within a token budget.
 *
 * @throws InvalidArgumentError if the root is not a folder or the budget is not a positive number
 * @throws NotFoundError if the root does not exist or has no source files
 * @throws ComputeError ABORTED after `signal`
 */
export async function buildRepoMap(options: RepoMapOptions): Promise<RepoMap> {
  const startedAt = performance.now();
  const request = await checkedRequest(options);
  const cacheFile = options.cacheDir === undefined ? undefined : cacheFileOf(options.cacheDir, request.root);
  const run = taskRunner(options.pool, options.signal);
  const onProgress = onlyForward(options.onProgress);
  const { map, issues, parsedFiles } = await finishedMap({ request, cacheFile }, run, {
    ...options,
    onProgress,
  });
  if (map.files === 0)
    throw new NotFoundError(noSourceMessage(request.root, map.repositories, issues), {
      data: { root: request.root, repositories: map.repositories },
    });
  const elapsedMs = Math.round(performance.now() - startedAt);
  const { body, ...rest } = map;
  return {
    ...rest,
    text: (mapHeader(map, elapsedMs, parsedFiles) + body).trimEnd(),
    parsedFiles,
    elapsedMs,
    issues,
  };
}

async function checkedRequest(options: RepoMapOptions): Promise<MapRequest> {
  const {
    maxTokens = DEFAULT_MAX_TOKENS,
    focusFiles = [],
    sessionFiles = [],
    includeDetails = false,
  } = options;
  if (!Number.isFinite(maxTokens) || maxTokens < 1) {
    throw new InvalidArgumentError('max_tokens', maxTokens, 'a number of at least 1');
  }
  return { root: await existingFolder(options.root), focusFiles, sessionFiles, maxTokens, includeDetails };
}

/** System error codes for paths where there is no folder, or cannot be one. */
const NO_FOLDER = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

async function existingFolder(root: string): Promise<string> {
  if (root === '') throw new InvalidArgumentError('project', root, 'the path of a folder');
  const path = resolve(root);
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (!NO_FOLDER.has(error.code ?? ''))
      throw new InvalidArgumentError('project', root, `a folder that can be read (${errorMessage(error)})`);
    throw new NotFoundError(
      `Invalid argument "project": there is no folder ${path}; expected the path of a source tree.`,
      { data: { argument: 'project', root: path }, cause: error },
    );
  });
  if (!stats.isDirectory()) throw new InvalidArgumentError('project', root, 'a folder, but this is a file');
  return realpath(path);
}

function noSourceMessage(
  root: string,
  repositories: readonly string[],
  [issue]: readonly RepoMapIssue[],
): string {
  const none = `There are no source files in ${root}: none is in a supported language, or all are ignored, generated or vendored.`;
  const unread = issue ? ` What could not be read: ${join(root, issue.file)} (${issue.message}).` : '';
  if (repositories.length === 0) return none + unread;
  return `${none}${unread} It contains separate repositories, which you can map by their paths: ${repositories.join(', ')}.`;
}

type Run = <I, O>(task: Task<I, O>, input: I, transfer?: ArrayBuffer[]) => Promise<O>;

/** Interactive, because somebody is waiting for the map; at most one batch per thread runs at any time. */
function taskRunner(pool: RepoMapOptions['pool'], signal?: AbortSignal): Run {
  return async (task, input, transfer = []) =>
    pool === undefined
      ? runHere(task, input, signal)
      : pool.run(task, input, { priority: 'interactive', transfer, ...(signal && { signal }) });
}

/** The batch stays on this thread, so nothing has to be moved. */
async function runHere<I, O>({ name }: Task<I, O>, input: I, signal: AbortSignal | undefined): Promise<O> {
  const module = await import('./parse-task.js');
  const run = (module as Record<string, unknown>)[name] as (input: I, context: Cancelling) => Promise<O>;
  return run(input, { cancelled: () => signal?.aborted ?? false });
}

/** A map that reads much: others of the same tree wait for it, and find in the cache what it has read. */
interface Reading {
  map: Promise<FinishedMap>;
  /** Of all that wait for it. */
  listeners: Set<RepoMapOptions['onProgress']>;
}

/** Where the map that was waited for is given up, what is left to read is counted from the beginning. */
function onlyForward(onProgress: RepoMapOptions['onProgress']): NonNullable<RepoMapOptions['onProgress']> {
  let told = 0;
  return (done, total) => {
    if (done <= told) return;
    told = done;
    onProgress?.(done, total);
  };
}

/** By cache file. */
const readings = new Map<string, Reading>();

async function finishedMap(input: SurveyInput, run: Run, options: RepoMapOptions): Promise<FinishedMap> {
  const { cacheFile } = input;
  for (;;) {
    const survey = await run(surveyTask, input);
    if ('finished' in survey) return survey.finished;
    if (cacheFile === undefined) return readAndFinish(survey, input, run, options);
    const reading = readings.get(cacheFile);
    if (reading === undefined) return readForAll(survey, { ...input, cacheFile }, run, options);
    await endOf(reading, options);
  }
}

function readForAll(
  survey: UnreadFiles,
  input: SurveyInput & { cacheFile: string },
  run: Run,
  options: RepoMapOptions,
): Promise<FinishedMap> {
  const listeners: Reading['listeners'] = new Set([options.onProgress]);
  const onProgress = (done: number, total: number) => listeners.forEach((tell) => tell?.(done, total));
  const map = readAndFinish(survey, input, run, { ...options, onProgress }).finally(() =>
    readings.delete(input.cacheFile),
  );
  readings.set(input.cacheFile, { map, listeners });
  return map;
}

/** Of whatever kind: what it has not read, the next one reads. Who gives up waits no longer, and its next task says so. */
async function endOf({ map, listeners }: Reading, { signal, onProgress }: RepoMapOptions): Promise<void> {
  listeners.add(onProgress);
  const givenUp = new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
  await Promise.race([map.catch(() => undefined), givenUp]);
  listeners.delete(onProgress);
}

async function readAndFinish(
  { listing, toRead }: UnreadFiles,
  input: SurveyInput,
  run: Run,
  options: RepoMapOptions,
): Promise<FinishedMap> {
  const waiting = batchesOf(listing, toRead);
  const batches: ReadBatch[] = [];
  let done = 0;
  const readOnes = async () => {
    for (let files = waiting.shift(); files !== undefined; files = waiting.shift()) {
      const paths = Array.from(files, (file) => listing.paths[file]!);
      batches.push(await run(readTask, { root: input.request.root, files, paths }));
      done += files.length;
      options.onProgress?.(done, toRead.length);
    }
  };
  // One more than there are threads, so that none waits for this one to hand out the next batch; and no thread is started
  // for a single batch, since that takes longer than to read it.
  const readers = Math.min((options.pool?.threads ?? 0) + 1, Math.ceil(waiting.length / 2));
  const give = <O>(task: Task<FinishInput, O>, by: Run): Promise<O> => {
    batches.sort((a, b) => a.files[0]! - b.files[0]!);
    const transfer = batches.flatMap(({ tags }) => columnBuffers(tags));
    return by(task, { ...input, listing, batches }, transfer);
  };
  try {
    await Promise.all(Array.from({ length: readers }, readOnes));
  } catch (error) {
    waiting.length = 0;
    // Who gave up since it took too long asks again, and would again wait for all of it. What is lost is read anew.
    if (options.signal?.aborted && input.cacheFile !== undefined && batches.length > 0)
      await give(keepTask, taskRunner(options.pool)).catch(() => undefined);
    throw error;
  }
  return give(finishTask, run);
}

/** About a tenth of a second's work, for which a search may have to wait. */
const BATCH_BYTES = 300_000;
const BATCH_FILES = 100;

function batchesOf(listing: FileListing, toRead: Uint32Array): Uint32Array[] {
  const batches: Uint32Array[] = [];
  let start = 0;
  let bytes = 0;
  for (let i = 0; i < toRead.length; i++) {
    bytes += listing.size[toRead[i]!]!;
    if (bytes < BATCH_BYTES && i + 1 - start < BATCH_FILES && i + 1 < toRead.length) continue;
    batches.push(toRead.slice(start, i + 1));
    start = i + 1;
    bytes = 0;
  }
  return batches;
}
