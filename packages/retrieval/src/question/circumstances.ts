import type { KeywordScope, SessionRef, Store } from '@causantic/storage';
import { isAboutNothing } from './around-the-question.js';
import { beforeName, LETTER, QUOTE, withoutQuotes } from './patterns.js';
import { isClearlyNamed, projectsNamed } from './project-names.js';
import { type AskedTime, MOST_CHARACTERS, timesAsked } from './times-asked.js';

/** When and where something was said, as far as a question names it. */
export interface Circumstances {
  times: readonly AskedTime[];
  branches: readonly string[];
  sessionIds: readonly number[];
  projectIds: readonly number[];
  /** The question, in composed letters (NFC), without the names of branches, sessions and projects, which few chunks of theirs contain. */
  question: string;
  /** The question without times, too. */
  rest: string;
}

const WORD = `${LETTER}+`;
const WORDS = `(?:${LETTER}|[_./#-])+`;
/** A name of several words (`fix/login-page`), or one beside the word "branch": the main reason is not on `main`. */
const BRANCH = new RegExp(
  `(?<=\\b${beforeName('branch')}${QUOTE}?)${WORDS}|${WORDS}(?=${QUOTE}?\\s+branch\\b)|${WORD}(?:[_./#-]+${WORD})+`,
  'giu',
);
const HEX_ID = `(?<!${LETTER}|[_/.-])[\\da-f]{8}(?:-[\\da-f]{1,4}){0,3}(?:-[\\da-f]{1,12})?(?!${LETTER}|[_/-])`;
/** Whole, or as headers show it; of some clients' ids only the word "session" tells that they are any. */
const SESSION_ID = new RegExp(`(?<=\\b${beforeName('session')}${QUOTE}?)[\\w-]{8,}|${HEX_ID}`, 'giu');

export function circumstancesOf(store: Store, asked: string, nowMs?: number): Circumstances {
  const query = asked.normalize('NFC');
  if (query.length > MOST_CHARACTERS)
    return { times: [], branches: [], sessionIds: [], projectIds: [], question: query, rest: query };
  const branches = Array.from(query.matchAll(BRANCH), namedAt)
    .map((named) => ({ ...named, stored: branchesNamed(store, named.name) }))
    .filter(({ stored }) => stored.length > 0);
  const withoutBranches = without(query, 'branch', branches);
  const sessions = Array.from(withoutBranches.matchAll(SESSION_ID), namedAt).flatMap((named) =>
    sessionNamed(store, named.name).map(({ id }) => ({ ...named, id })),
  );
  const question = without(withoutBranches, 'session', sessions);
  const { projectIds, others: alone } = projectsNamed(store, question, isClearlyNamed);
  const { times, rest } = timesAsked(question, nowMs);
  return {
    times,
    branches: branches.flatMap(({ stored }) => stored),
    sessionIds: sessions.map(({ id }) => id),
    projectIds,
    question: isAboutNothing(alone, query) ? query : alone,
    rest,
  };
}

/** Git keeps the letters of a name as they were given. */
function branchesNamed({ chunks }: Store, name: string): string[] {
  return [...new Set([name, name.normalize('NFD')])].filter((spelling) => chunks.hasBranch(spelling));
}

/** The only one whose id begins so; a UUID may be written in capitals. */
function sessionNamed({ sessions }: Store, name: string): SessionRef[] {
  const spellings = [...new Set([name, name.toLowerCase()])];
  const found = spellings.flatMap((spelling) => sessions.withPrefix(spelling, 2));
  return found.length === 1 ? found : [];
}

interface NamedAt {
  name: string;
  index: number;
}

/** Without the end of the sentence. */
function namedAt({ 0: found, index }: RegExpExecArray): NamedAt {
  return { name: found.replace(/\.+$/, ''), index };
}

/** @param kind what may be said before or behind a name */
function without(text: string, kind: string, names: readonly NamedAt[]): string {
  // From the last on, so that the others stay where they are.
  return names.reduceRight((rest, named) => withoutOne(rest, kind, named), text);
}

function withoutOne(text: string, kind: string, { name, index }: NamedAt): string {
  const [before, behind] = withoutQuotes(text.slice(0, index), text.slice(index + name.length));
  const ofKind = [new RegExp(`\\b${beforeName(kind)}$`, 'i'), new RegExp(`^\\s+${kind}\\b`, 'i')] as const;
  return `${before.replace(ofKind[0], '')} ${behind.replace(ofKind[1], '')}`;
}

/** Days are remembered one off, and work goes on after midnight. */
const NEAR_MS = 24 * 60 * 60 * 1000;
const NEAR = 0.5;

/**
 * Chunks of such circumstances by id: 1, or less near the time. Evidence: docs/decisions/0116-times-in-questions.md,
 * 0117-branches-in-questions.md.
 */
export function chunksIn(
  { chunks }: Store,
  { times, branches, sessionIds }: Circumstances,
  { projectId }: KeywordScope,
): Map<number, number> {
  const found = new Map<number, number>();
  const add = (ids: readonly number[], share: number): void => ids.forEach((id) => found.set(id, share));
  const spans = times.flat();
  for (const { fromMs, beforeMs } of spans) {
    add(chunks.idsBetween(fromMs - NEAR_MS, fromMs, projectId), NEAR);
    add(chunks.idsBetween(beforeMs, beforeMs + NEAR_MS, projectId), NEAR);
  }
  for (const { fromMs, beforeMs } of spans) add(chunks.idsBetween(fromMs, beforeMs, projectId), 1);
  for (const branch of branches) add(chunks.idsOnBranch(branch, projectId), 1);
  for (const id of sessionIds) add(chunks.idsOfSession(id), 1);
  return found;
}

/** Most questions are about the project that one works in. */
const OWN = 0.4;

/** By session: 1 in a project that the question names, less in the caller's own. Evidence: docs/decisions/0119-own-project.md. */
export function sessionsIn(
  { sessions }: Store,
  { projectIds: named }: Circumstances,
  { projectId: only }: KeywordScope,
  own: number | undefined,
): Map<number, number> {
  // Where one project is asked for, all sessions are alike.
  if (only !== undefined) return new Map();
  const isAnyNamed = named.length > 0;
  const projectIds = isAnyNamed || own === undefined ? named : [own];
  const share = isAnyNamed ? 1 : OWN;
  return new Map(projectIds.flatMap((id) => sessions.idsOfProject(id)).map((id) => [id, share]));
}
