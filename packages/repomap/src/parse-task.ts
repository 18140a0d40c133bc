import { setImmediate } from 'node:timers/promises';
import { errorMessage } from '@causantic/domain/errors';
import { loadTokens } from '@causantic/domain/tokens';
import { AnswerMemo } from './cache/answer-memo.js';
import { NOT_READ, readTags } from './extraction/file-tags.js';
import { behindLinks } from './files/linked-folders.js';
import type { FileListing } from './files/file-listing.js';
import type { ProjectFiles } from './cache/project-cache.js';
import { TagColumnsBuilder } from './cache/tag-columns.js';
import { mapProject, type MapRequest, type ProjectMap } from './project-map.js';
import { ProjectState, type Known } from './project-state.js';
import { mergeUpdate, type ReadBatch } from './project-update.js';
import { stopIfCancelled, type Cancelling } from './stop-if-cancelled.js';
import type { RepoMapIssue } from './tags.js';
import { loadTreeSitter } from './extraction/tree-sitter-extractor.js';

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

export interface UnreadFiles {
  listing: FileListing;
  /** Their numbers in the listing. */
  toRead: Uint32Array;
}

/** Either the finished map, if there was little to read, or what to read first. */
export type Survey = { finished: FinishedMap } | UnreadFiles;

/** With this little to read (some tenths of a second), distributing the work takes longer than it saves. */
const AT_ONCE_FILES = 100;
const AT_ONCE_BYTES = 700_000;

export async function surveyProject(input: SurveyInput, context: Cancelling): Promise<Survey> {
  const state = stateOf(input);
  const { assumed, actual } = state.look(context);
  if (assumed === undefined) {
    if (!state.isKnown()) await loadWhatReadingTakes();
    return surveyListed(input, await actual, context);
  }
  const survey = await surveyListed(input, assumed, context);
  if ((await actual) === assumed) return survey;
  return alsoRead(survey, await surveyListed(input, await actual, context));
}

/** If the assumption was wrong, what was read is still used. */
function alsoRead(before: Survey, survey: Survey): Survey {
  if (!('finished' in before && 'finished' in survey)) return survey;
  const parsedFiles = before.finished.parsedFiles + survey.finished.parsedFiles;
  return { finished: { ...survey.finished, parsedFiles } };
}

/** If nothing is known, everything will be read, and git takes a while to list it. */
async function loadWhatReadingTakes(): Promise<void> {
  loadTokens();
  await loadTreeSitter();
}

async function surveyListed(input: SurveyInput, listing: FileListing, context: Cancelling): Promise<Survey> {
  const known = stateOf(input).planned(listing);
  const bytes = known.plan.toRead.reduce((sum, file) => sum + listing.size[file]!, 0);
  stopIfCancelled(context);
  if (known.plan.toRead.length > AT_ONCE_FILES || bytes > AT_ONCE_BYTES) {
    return { listing, toRead: Uint32Array.from(known.plan.toRead) };
  }
  return { finished: await finish({ ...input, listing, batches: [] }, known, context) };
}

export interface ReadInput {
  root: string;
  files: Uint32Array;
  /** One path a file, in the same order. */
  paths: readonly string[];
}

/**
 * Native trees are freed in the event loop, which does not turn in a worker between two tasks. Without an occasional turn,
 * 13,000 files took 2 GB instead of 0.3.
 */
const FILES_PER_TURN = 20;

export async function readFiles({ root, files, paths }: ReadInput, context: Cancelling): Promise<ReadBatch> {
  const tags = new TagColumnsBuilder();
  const hashes = new Uint32Array(paths.length);
  const issues: RepoMapIssue[] = [];
  // Not for each map: of a folder that was moved and linked to, what was read before is still right.
  const isBehindLink = behindLinks(root);
  for (const [place, path] of paths.entries()) {
    stopIfCancelled(context);
    const read = isBehindLink(path) ? NOT_READ : await readTags(root, path);
    tags.addFile(read.tags);
    hashes[place] = read.hash;
    if (read.issue !== undefined) issues.push(read.issue);
    if (place % FILES_PER_TURN === 0) await setImmediate();
  }
  return { files, tags: tags.finish(), hashes, issues };
}

export interface FinishInput extends SurveyInput {
  listing: FileListing;
  batches: readonly ReadBatch[];
}

/** Another process may have replaced the cache since the survey, so the plan is made again and gaps are read here. */
export async function finishProject(input: FinishInput, context: Cancelling): Promise<FinishedMap> {
  return finish(input, stateOf(input).planned(input.listing), context);
}

/** Keeps what a cancelled map had read, together with what was known, for the next one. */
export function keepRead(input: FinishInput): Promise<void> {
  const state = stateOf(input);
  const { cached, plan } = state.planned(input.listing);
  state.keep(mergeUpdate(input.listing, plan, cached, input.batches), plan.staleFiles);
  return Promise.resolve();
}

async function finish(input: FinishInput, known: Known, context: Cancelling): Promise<FinishedMap> {
  const { listing, cacheFile } = input;
  const request = { ...input.request, repositories: listing.repositories };
  const unchanged = known.cached !== undefined && !known.plan.cacheIsStale;
  const files = unchanged ? known.cached! : await updatedFiles(input, known, context);
  // What turned out not to be source is not in the map.
  const parsedFiles = known.plan.toRead.filter((file) => files.tags.language[file]! > 0).length;
  const issues = [...listing.issues, ...files.issues];
  const state = stateOf(input);
  if (!unchanged) reporting(cacheFile, issues, () => state.keep(files, known.plan.staleFiles));
  stopIfCancelled(context);
  const memo = cacheFile === undefined || request.includeDetails ? undefined : new AnswerMemo(cacheFile);
  const answer = memo?.find(files, request);
  if (answer !== undefined) return { map: answer, issues, parsedFiles };
  const map = mapProject(files, state.graphOf(files), request);
  if (memo !== undefined) reporting(cacheFile, issues, () => memo.keep(files, request, map));
  return { map, issues, parsedFiles };
}

async function updatedFiles(
  { request, listing, batches }: FinishInput,
  { cached, plan }: Known,
  context: Cancelling,
): Promise<ProjectFiles> {
  const read = new Set(batches.flatMap(({ files }) => [...files]));
  const missing = plan.toRead.filter((file) => !read.has(file));
  if (missing.length === 0) return mergeUpdate(listing, plan, cached, batches);
  const paths = missing.map((file) => listing.paths[file]!);
  const rest = await readFiles({ root: request.root, files: Uint32Array.from(missing), paths }, context);
  return mergeUpdate(listing, plan, cached, [...batches, rest]);
}

/** If the cache cannot be written, only later maps take longer. */
function reporting(cacheFile: string | undefined, issues: RepoMapIssue[], save: () => void): void {
  try {
    save();
  } catch (error) {
    issues.push({ file: cacheFile ?? '', code: 'CACHE_FAILED', message: errorMessage(error) });
  }
}

/** One per thread, because a server mostly maps one project. */
let state: ProjectState | undefined;

function stateOf({ request: { root }, cacheFile }: SurveyInput): ProjectState {
  if (state?.root !== root || state.cacheFile !== cacheFile) state = new ProjectState(root, cacheFile);
  return state;
}
