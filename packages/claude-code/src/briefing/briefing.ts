import { counted, excerpt, oneLine } from '@causantic/domain';
import { countTokens } from '@causantic/domain/tokens';
import { filesByFolder, formatDate, formatTimeRange, plainRequest } from '@causantic/retrieval';
import type { SessionSummary } from '@causantic/storage';
import { type DatedCommit, editedFiles, openErrors, openTasks, recentCommits } from './open-work.js';
import { projectCommands } from './project-commands.js';
import { firstStartMs, hasRequest, saysWhat, type ProjectMemory } from './project-memory.js';
import { TokenBudget } from './token-budget.js';

const REQUESTS = 6;
const REQUEST_CHARS = 170;
const LAST_REQUEST_CHARS = 420;
const TASKS = 10;
const ERRORS = 3;
const DECISIONS = 6;
const COMMITS = 8;
const COMMANDS = 8;
const FILES = 20;
const EARLIER_SESSIONS = 5;
const EARLIER_CHARS = 130;
/** Share of the budget that the last words may take. */
const LAST_WORDS_SHARE = 0.35;

/**
 * What a returning developer needs to know about a project, within a token limit: the most important comes first, and
 * what does not fit is left out at the end.
 */
export function briefing(memory: ProjectMemory, budgetTokens: number): string {
  const closing = closingLine(memory);
  const budget = new TokenBudget(budgetTokens);
  budget.take(closing);
  const opening = openingLine(memory);
  if (!budget.take(opening)) return '';
  const lines = [
    opening,
    ...budget.section(`## ${lastSessionTitle(memory)}: ${sessionLine(memory.last)}`, requests(memory)),
    ...budget.section(endingTitle(memory), ending(memory, budget)),
    ...budget.section('It was cut short by:', failure(memory)),
    ...budget.section('## Open tasks', openTasks(memory).slice(0, TASKS).map(taskLine)),
    ...budget.section('## Unresolved errors', openErrors(memory).slice(0, ERRORS).map(listItem)),
    ...budget.section('## Decided by the user', memory.decisions.slice(0, DECISIONS).map(decisionLine)),
    ...budget.section('## Recent commits', recentCommits(memory).slice(0, COMMITS).map(commitLine)),
    ...budget.section('## Commands run in several sessions', commandLines(memory)),
    ...budget.section('## Recently edited files', fileLines(memory)),
    ...budget.section('## Earlier sessions', earlierSessions(memory)),
  ];
  return [...lines, '', closing].join('\n');
}

function openingLine({ slug, sessions }: ProjectMemory): string {
  const firstMs = firstStartMs(sessions);
  const since = firstMs === undefined ? '' : ` since ${formatDate(firstMs)}`;
  return `Causantic's memory of ${slug} (${counted(sessions.length, 'session')}${since}). A record of earlier work, not a request.`;
}

function closingLine({ slug, last }: ProjectMemory): string {
  const session = last.shortId;
  return `More: causantic's tools reconstruct (project "${slug}", session_id "${session}"), recall, search.`;
}

function lastSessionTitle({ isOwn, sessions, last, ofBranch }: ProjectMemory): string {
  if (isOwn) return 'This session, before it was compacted';
  return ofBranch.has(last.id) && !ofBranch.has(sessions[0]!.id)
    ? 'Last session on this branch'
    : 'Last session';
}

function sessionLine({ shortId, title, gitBranch, startTimeMs, endTimeMs }: SessionSummary): string {
  const branch = gitBranch && gitBranch !== 'HEAD' ? `, branch ${gitBranch}` : '';
  const place = `${shortId}, ${formatTimeRange(startTimeMs, endTimeMs, { withYear: true })}${branch}`;
  return title ? `${oneLine(title, 100)} (${place})` : place;
}

/** What the person asked in the last session: the first, and the last ones. Each that reads like the next would hide another. */
function requests({ turns, last }: ProjectMemory): string[] {
  const asked = turns
    .filter((turn) => turn.sessionId === last.id && hasRequest(turn))
    .map(({ facts }) => plainRequest(facts.request!))
    .filter(
      (request, at, all) => oneLine(request, REQUEST_CHARS) !== oneLine(all[at + 1] ?? '', REQUEST_CHARS),
    );
  const [first, ...later] = asked;
  const hidden = Math.max(0, later.length - (REQUESTS - 1));
  const shown = [first!, ...(hidden > 0 ? [`(${hidden} more)`] : []), ...later.slice(hidden)];
  return shown.map((request, index) =>
    index === shown.length - 1
      ? `- last: ${oneLine(request, LAST_REQUEST_CHARS)}`
      : listItem(oneLine(request, REQUEST_CHARS)),
  );
}

function endingTitle({ isOwn, lastWords }: ProjectMemory): string {
  if (lastWords.beforeLastRequest) return 'The agent said before the last request:';
  return isOwn ? 'The agent said last:' : 'The agent ended with:';
}

function ending({ lastWords: { text } }: ProjectMemory, budget: TokenBudget): string[] {
  if (text === '') return [];
  const share = (budget.remaining * LAST_WORDS_SHARE) / countTokens(text);
  return excerpt(text, Math.floor(text.length * share))
    .split('\n')
    .map((line) => `> ${line}`);
}

/** A sub-agent that was cut short with the main one has reported it as its own words. */
function failure({ failure, lastWords }: ProjectMemory): string[] {
  return failure === '' || lastWords.text.endsWith(failure) ? [] : [`> ${oneLine(failure, REQUEST_CHARS)}`];
}

function taskLine({ text, status }: { text: string; status: string }): string {
  return listItem(status === 'in_progress' ? `${text} (in progress)` : text);
}

function decisionLine({ question, answer, timeMs }: ProjectMemory['decisions'][number]): string {
  return `- ${oneLine(question, 160)} → ${oneLine(answer, 160)} (${formatDate(timeMs)})`;
}

function commitLine({ subject, hash, timeMs }: DatedCommit): string {
  return `- ${hash ? `${hash.slice(0, 8)} ` : ''}${oneLine(subject, 120)} (${formatDate(timeMs)})`;
}

function commandLines(memory: ProjectMemory): string[] {
  const commands = projectCommands(memory).slice(0, COMMANDS);
  return commands.length === 0 ? [] : [listItem(commands.map((command) => `\`${command}\``).join(', '))];
}

function fileLines(memory: ProjectMemory): string[] {
  return filesByFolder(editedFiles(memory).slice(0, FILES)).map(listItem);
}

/**
 * A fork has the title of its original, a script asks the same at every run, and a form that is filled in begins alike: what reads
 * as was told above tells nothing. Nor do greetings, and questions answered in a line, of which a script asks many, where there was
 * more.
 */
function earlierSessions({ sessions, last, turns }: ProjectMemory): string[] {
  const told = new Set<string>();
  const asked = new Set<string>();
  const newOf = ({ id, title }: SessionSummary): string | undefined => {
    const requests = turns
      .filter((turn) => turn.sessionId === id && hasRequest(turn))
      .map(({ facts }) => shortRequest(facts.request!));
    const telling = requests.filter(saysWhat);
    const first = telling[0] ?? requests[0];
    const about =
      [title && shortRequest(title), first].find((each) => each && !told.has(each)) ??
      telling.find((each) => !asked.has(each));
    if (about) told.add(about);
    for (const request of requests) asked.add(request);
    return about ?? undefined;
  };
  newOf(last);
  const earlier = sessions
    .filter(({ id }) => id !== last.id)
    .flatMap((session) => {
      const about = newOf(session);
      return about ? [{ session, about }] : [];
    });
  const isLong = ({ session, about }: { session: SessionSummary; about: string }): boolean =>
    session.chunks > 1 && saysWhat(about);
  const [long, short] = [earlier.filter(isLong), earlier.filter((each) => !isLong(each))];
  const shown = new Set([...long, ...short].slice(0, EARLIER_SESSIONS));
  return earlier
    .filter((each) => shown.has(each))
    .map(({ session, about }) => `- ${formatDate(session.endTimeMs)} (${session.shortId}): ${about}`);
}

function shortRequest(request: string): string {
  return oneLine(plainRequest(request), EARLIER_CHARS);
}

function listItem(text: string): string {
  return `- ${text}`;
}
