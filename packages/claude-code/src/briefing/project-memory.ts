import { isInWords } from '@causantic/domain';
import type { SessionSummary, Store, StoredProject, TurnRecord } from '@causantic/storage';
import { type Decision, latestDecisions } from './decisions.js';
import { lastFailure, type LastWords, lastWords } from './last-words.js';

/** Sessions a briefing looks into; what is older is found by searching. */
const SESSIONS = 20;
/** Among so many they are looked for, where programs ask in between. */
const LOOKED_AT = 80;
/** Chunks with questions to the user that are looked into. */
const QUESTION_CHUNKS = 12;

/** What is known of a project, as far as a briefing tells it. */
export interface ProjectMemory {
  slug: string;
  folders: readonly string[];
  /** All sessions that hold something to read, the latest first. */
  sessions: readonly SessionSummary[];
  /** Those of them that are looked into: of the topic branch that is checked out first, then by time. */
  recent: readonly SessionSummary[];
  /** The session in which work was done last on the topic branch that is checked out, or else on any. */
  last: SessionSummary;
  /** Whether that is the session that is told of it, which was compacted. */
  isOwn: boolean;
  /** Ids of sessions that ended on that branch, and of the one that was compacted. */
  ofBranch: ReadonlySet<number>;
  /** Turns of the latest sessions, in the order of time. */
  turns: readonly TurnRecord[];
  /** What the agent said at the end of the last session. */
  lastWords: LastWords;
  /** What broke the last session off; empty where nothing did. */
  failure: string;
  /** What the user was asked and answered, the latest first. */
  decisions: readonly Decision[];
}

export interface MemoryRequest {
  project: StoredProject;
  /** Uuid of the session that begins or goes on. */
  session?: string | undefined;
  /** The one that is checked out. */
  topicBranch?: string | undefined;
  /** A session that begins is not told of itself; one that was compacted has to hear of itself. */
  about?: 'earlier sessions' | 'this session';
}

/** What the store knows about a project; undefined if that is nothing worth showing. */
export function readProjectMemory(
  store: Store,
  { project, session, topicBranch, about = 'earlier sessions' }: MemoryRequest,
): ProjectMemory | undefined {
  const all = store.sessions.list({ projectId: project.id }).filter(({ id }) => store.chunks.isReadable(id));
  const isOwn = ({ uuid }: SessionSummary): boolean => uuid === session;
  const others = all.filter((each) => !isOwn(each));
  const own = about === 'this session' ? all.filter(isOwn) : [];
  const sessions = [...own, ...others];
  const ofBranch = others.filter(({ gitBranch }) => topicBranch !== undefined && gitBranch === topicBranch);
  const recent = [...new Set([...own, ...sessionsOfWork(store, ofBranch), ...sessionsOfWork(store, others)])];
  if (recent.length === 0) recent.push(...others.slice(0, SESSIONS));
  const ids = recent.map(({ id }) => id);
  const turns = store.sessions.turns(ids);
  const asked = recent.filter(({ id }) => turns.some((turn) => turn.sessionId === id && hasRequest(turn)));
  // Without a network, nobody answers; and a greeting is answered with one.
  const isWork = ({ id }: SessionSummary): boolean => {
    const own = turns.filter(({ sessionId }) => sessionId === id);
    return (
      own.some(({ facts }) => facts.toolCounts) ||
      (own.some((turn) => hasRequest(turn) && saysWhat(turn.facts.request!)) &&
        lastWords(store, id).text !== '')
    );
  };
  const last = asked.find(isWork) ?? asked[0];
  if (!last) return undefined;
  return {
    slug: project.slug,
    folders: store.projects.folders(project.id),
    sessions,
    recent,
    last,
    ofBranch: new Set([...own, ...ofBranch].map(({ id }) => id)),
    isOwn: isOwn(last),
    turns,
    lastWords: lastWords(store, last.id),
    failure: isOwn(last) ? '' : lastFailure(store, last.id),
    decisions: latestDecisions(store.chunks.withTool(ids, 'AskUserQuestion', QUESTION_CHUNKS)),
  };
}

/**
 * The latest sessions, except those in which a program had a single question answered, as scripts do at every commit: they
 * would hide the session in which work was done.
 */
function sessionsOfWork(store: Store, sessions: readonly SessionSummary[]): SessionSummary[] {
  const found: SessionSummary[] = [];
  for (let at = 0; at < Math.min(sessions.length, LOOKED_AT) && found.length < SESSIONS; at += SESSIONS) {
    const some = sessions.slice(at, at + SESSIONS);
    const turns = store.sessions.turns(some.map(({ id }) => id));
    found.push(...some.filter(({ id }) => !isAnswer(turns.filter((turn) => turn.sessionId === id))));
  }
  return found.slice(0, SESSIONS);
}

/** Whether all that a session holds is the answer to one question of a program. */
function isAnswer(turns: readonly TurnRecord[]): boolean {
  const asked = turns.filter(hasRequest);
  const changesSomething = turns.some(
    ({ facts }) => facts.filesTouched !== undefined || facts.commits !== undefined,
  );
  return asked.length === 1 && asked[0]!.facts.byProgram === true && !changesSomething;
}

/** When the first of them began, if any says. */
export function firstStartMs(sessions: readonly SessionSummary[]): number | undefined {
  const starts = sessions.flatMap(({ startTimeMs }) => startTimeMs ?? []);
  return starts.length > 0 ? starts.reduce((a, b) => Math.min(a, b)) : undefined;
}

/** Whether a person asked for something in this turn that can be told in words. */
export function hasRequest({ isMain, facts }: TurnRecord): boolean {
  return isMain && facts.request !== undefined && isInWords(facts.request);
}

/** "hey", ".", "继续": a word, or a few characters of a script without blanks; not a command. */
const A_WORD = /^(?!\/)(?:[^\s\p{Lo}]{1,20}|.{1,4})$/u;

/** Whether a request tells what a session was about. */
export function saysWhat(request: string): boolean {
  return !A_WORD.test(request);
}
