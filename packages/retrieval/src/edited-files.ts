import { groupBy } from '@causantic/domain';
import type { Store } from '@causantic/storage';
import type { Assembly } from './assembly.js';
import { bestScore } from './best-scored.js';
import { headerTokens, type Hit, SEPARATOR_TOKENS } from './presentation.js';
import { editCounts, filesByFolder } from './project-files.js';

const MOST_FILES = 15;
/** Less likely files than this share of the likeliest are left out. */
const MIN_RELATIVE_WEIGHT = 0.2;
/** Of the scores' ratios: beside good answers, weak ones say little. */
const SHARPNESS = 3;
/** What else a session edited says less of a question than what was edited in the turn that answers it. */
const SESSION_WEIGHT = 0.5;

const MOST_TOKENS = 200;
/** Small budgets are for what was said. */
const MOST_SHARE = 0.08;

/** What an answer leaves for the line of edited files. */
export function editedFilesRoom(budgetTokens: number): number {
  return Math.floor(Math.min(MOST_TOKENS, budgetTokens * MOST_SHARE));
}

/**
 * The answer below the files that were edited where it comes from, as far as they fit into this many tokens. They are
 * where the next edit is likely: docs/decisions/0126-edited-files.md.
 *
 * @param found what the search found, best first
 */
export function belowEditedFiles<T extends Assembly>(
  store: Store,
  answer: T,
  { found, roomTokens }: { found: readonly Hit[]; roomTokens: number },
): T {
  const line = editedLine(editedFiles(store, found), roomTokens - SEPARATOR_TOKENS);
  if (line === '' || answer.hits.length === 0) return answer;
  const tokens = answer.tokens + headerTokens(line) + SEPARATOR_TOKENS;
  return { ...answer, text: `${line}\n\n${answer.text}`, tokens };
}

/** Files of the best hit's project, most likely first. */
function editedFiles(store: Store, found: readonly Hit[]): string[] {
  const projectId = found[0]?.chunk.projectId;
  if (projectId === undefined) return [];
  const hits = found.filter(({ chunk }) => chunk.projectId === projectId);
  const turnWeights = weightsOf(hits, ({ chunk }) => chunk.turnId);
  const sessionWeights = weightsOf(hits, ({ chunk }) => chunk.sessionId);
  const folders = store.projects.folders(projectId);
  const turns = store.sessions.editsIn([...sessionWeights.keys()]);
  const weights = new Map<string, number>();
  const add = (edits: ReadonlyMap<string, number>, weight: number): void => {
    for (const [file, count] of edits) {
      const more = (weight * Math.log2(1 + count)) / Math.sqrt(edits.size);
      weights.set(file, (weights.get(file) ?? 0) + more);
    }
  };
  for (const { turnId, files } of turns) {
    const weight = turnWeights.get(turnId);
    if (weight !== undefined) add(editCounts([files], folders), weight);
  }
  for (const [sessionId, ofSession] of groupBy(turns, (turn) => turn.sessionId)) {
    const filesByTurn = ofSession.map(({ files }) => files);
    add(editCounts(filesByTurn, folders), SESSION_WEIGHT * sessionWeights.get(sessionId)!);
  }
  const ranked = [...weights].sort(([, a], [, b]) => b - a);
  const least = MIN_RELATIVE_WEIGHT * (ranked[0]?.[1] ?? 0);
  return ranked.filter(([, weight]) => weight >= least).map(([file]) => file);
}

/** What each turn or session weighs, by the score of its first hit. */
function weightsOf(hits: readonly Hit[], idOf: (hit: Hit) => number): Map<number, number> {
  const best = bestScore(hits);
  return new Map([...groupBy(hits, idOf)].map(([id, [first]]) => [id, (first!.score / best) ** SHARPNESS]));
}

/** `[files edited: src/auth/: refresh.ts, token.ts; README.md]`; '' if not one fits. */
function editedLine(files: readonly string[], roomTokens: number): string {
  for (let count = Math.min(files.length, MOST_FILES); count > 0; count--) {
    // A file may have any name, but the name must not start a line of its own.
    const names = filesByFolder(files.slice(0, count))
      .join('; ')
      .replace(/[\s\p{Bidi_Control}]+/gu, ' ');
    const line = `[files edited: ${names}]`;
    if (headerTokens(line) <= roomTokens) return line;
  }
  return '';
}
