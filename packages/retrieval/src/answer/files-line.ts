import { groupBy } from '@causantic/domain';
import type { Store } from '@causantic/storage';
import { bestScore } from '../ranking/best-scored.js';
import type { Assembly } from './assembly.js';
import { headerTokens, type Hit, SEPARATOR_TOKENS } from './presentation.js';
import { editCounts, filesByFolder, pathsInProject } from './project-files.js';

const MOST_FILES = 15;
/** Less likely files than this share of the likeliest are left out. */
const MIN_RELATIVE_WEIGHT = 0.2;
/** Of the scores' ratios: beside good answers, weak ones say little. */
const SHARPNESS = 3;
/** A search names the folder it looks into. */
const LIKE_FILE = /[^/]\.\w+$/;
/** Of a file that a turn read, but did not edit. */
const READ_WEIGHT = 0.25;
/** What else a session edited says less of a question than what was edited in the turn that answers it. */
const SESSION_WEIGHT = 0.5;

const MOST_TOKENS = 200;
/** Small budgets are for what was said. */
const MOST_SHARE = 0.08;

/** What an answer leaves for the line of files, and a remark below it. */
export function filesLineRoom(budgetTokens: number): number {
  return Math.floor(Math.min(MOST_TOKENS, budgetTokens * MOST_SHARE));
}

/**
 * The answer below the files that were edited or read where it comes from, and the search's remark, as far as they fit into
 * this many tokens. The files are likely to be needed next: docs/decisions/0126-files-of-answers.md.
 *
 * @param found the search's hits, best first
 */
export function belowFilesLine<T extends Assembly>(
  { store, ownProjectId }: { store: Store; ownProjectId?: number | undefined },
  answer: T,
  { found, roomTokens }: { found: { hits: readonly Hit[]; remark?: string | undefined }; roomTokens: number },
): T {
  if (answer.hits.length === 0) return answer;
  const { hits, remark = '' } = found;
  const told = costOf(remark) <= roomTokens ? remark : '';
  const room = roomTokens - costOf(told) - SEPARATOR_TOKENS;
  const files = filesLine(filesOf(store, hits), room, placeOf(answer.hits, hits[0], ownProjectId));
  const lines = [files, told].filter(Boolean);
  const tokens = lines.reduce((sum, line) => sum + costOf(line), answer.tokens);
  return { ...answer, text: [...lines, answer.text].join('\n\n'), tokens };
}

function costOf(line: string): number {
  return line === '' ? 0 : headerTokens(line) + SEPARATOR_TOKENS;
}

/** `in shop, `: whose files are told, where an answer tells of other projects, too, or is given in another one. */
function placeOf(shown: readonly Hit[], best: Hit | undefined, ownProjectId: number | undefined): string {
  const { projectId, projectSlug } = best?.chunk ?? {};
  const told = new Set([...shown.map(({ chunk }) => chunk.projectId), ownProjectId ?? projectId]);
  return told.size > 1 ? `in ${projectSlug}, ` : '';
}

/** Files of the best hit's project, most likely first. */
function filesOf(store: Store, found: readonly Hit[]): string[] {
  const projectId = found[0]?.chunk.projectId;
  const hits = found.filter(({ chunk }) => chunk.projectId === projectId);
  const weights = new Map<string, number>();
  for (const { file, weight } of projectId === undefined ? [] : weighed(store, projectId, hits))
    weights.set(file, (weights.get(file) ?? 0) + weight);
  const ranked = [...weights].sort(([, a], [, b]) => b - a);
  const least = MIN_RELATIVE_WEIGHT * (ranked[0]?.[1] ?? 0);
  return ranked.filter(([, weight]) => weight >= least).map(([file]) => file);
}

/** Files of the hits' turns, then of their sessions. */
function* weighed(
  store: Store,
  projectId: number,
  hits: readonly Hit[],
): Generator<{ file: string; weight: number }> {
  const turnWeights = weightsOf(hits, ({ chunk }) => chunk.turnId);
  const sessionWeights = weightsOf(hits, ({ chunk }) => chunk.sessionId);
  const folders = store.projects.folders(projectId);
  const turns = store.sessions.editsIn([...sessionWeights.keys()]);
  const editedIn = new Map(turns.map(({ turnId, files }) => [turnId, files]));
  const touchedIn = store.chunks.filesOfTurns([...turnWeights.keys()]);
  for (const [turnId, weight] of turnWeights) {
    const edited = pathsInProject(editedIn.get(turnId), folders);
    const touched = pathsInProject(touchedIn.get(turnId), folders);
    const read = [...touched].filter((file) => LIKE_FILE.test(file) && !edited.has(file));
    const share = weight / Math.sqrt(edited.size + READ_WEIGHT * read.length);
    for (const file of edited) yield { file, weight: share };
    for (const file of read) yield { file, weight: READ_WEIGHT * share };
  }
  for (const [sessionId, ofSession] of groupBy(turns, (turn) => turn.sessionId)) {
    const filesByTurn = ofSession.map(({ files }) => files);
    const edits = editCounts(filesByTurn, folders);
    const share = (SESSION_WEIGHT * sessionWeights.get(sessionId)!) / Math.sqrt(edits.size);
    for (const [file, count] of edits) yield { file, weight: share * Math.log2(1 + count) };
  }
}

/** What each turn or session weighs, by the score of its first hit. */
function weightsOf(hits: readonly Hit[], idOf: (hit: Hit) => number): Map<number, number> {
  const best = bestScore(hits);
  return new Map([...groupBy(hits, idOf)].map(([id, [first]]) => [id, (first!.score / best) ** SHARPNESS]));
}

/** `[files: src/auth/: refresh.ts, token.ts; README.md]`; '' if not one fits. */
function filesLine(files: readonly string[], roomTokens: number, place: string): string {
  for (let count = Math.min(files.length, MOST_FILES); count > 0; count--) {
    // A file may have any name, but the name must not start a line of its own.
    const names = filesByFolder(files.slice(0, count))
      .join('; ')
      .replace(/[\s\p{Bidi_Control}]+/gu, ' ');
    const line = `[files: ${place}${names}]`;
    if (headerTokens(line) <= roomTokens) return line;
  }
  return '';
}
