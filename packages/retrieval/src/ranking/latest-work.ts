import { groupBy } from '@causantic/domain';
import type { KeywordScope, Store, StoredChunk } from '@causantic/storage';
import { type Hit, hitsInOrder } from '../answer/presentation.js';
import type { LatestWork } from '../question/asked-latest-work.js';
import type { TimeSpan } from '../question/time-spans.js';
import type { AskedTime } from '../question/times-asked.js';

/** More than an answer holds, and than the sessions have of which it tells one each. */
const MOST_TURNS = 5_000;

type Turn = ReturnType<Store['sessions']['latestTurns']>[number];

/** Turns in the order in which they are told, and the time in which nothing was done, if these are earlier than any that is asked for. */
export interface LatestTurns {
  turns: Iterable<number>;
  missed?: TimeSpan;
}

/**
 * The turns of each time in which anything was done or, if there is none, before the first; of main agents where no agent is
 * asked for. Of a time, or of several sessions, each session tells first what came of it: the last one alone could fill the answer.
 */
export function latestTurns(
  { sessions, chunks }: Store,
  scope: KeywordScope,
  { times, ownBranch, branches, sessionIds, projectIds, earliest = false, latestSessions }: LatestWork,
): LatestTurns {
  const { projectId, agentIds } = scope;
  const asked = {
    branches,
    sessionIds,
    agentIds,
    projectIds: projectId === undefined ? projectIds : [projectId],
  };
  const turnsIn = (span: TimeSpan, more: { branches?: string[]; earliest?: boolean } = {}): Turn[] =>
    sessions.latestTurns({ ...asked, ...span, ...more, limit: MOST_TURNS });
  const asMeant = (time: AskedTime): (TimeSpan & { turns: Turn[] })[] => {
    for (const span of time) {
      const turns = turnsIn(span, { earliest });
      if (turns.length > 0) return [{ ...span, turns }];
    }
    return [];
  };
  // A request that nobody answered ("/exit") does not tell what came of a session, unless none has an answer.
  const whatCame = (ofSession: readonly Turn[]): Turn =>
    ofSession.find(({ id }) => chunks.lastSaidOf(id) !== undefined) ?? ofSession[0]!;
  const spans = times.flatMap(asMeant);
  spans.sort((a, b) => (earliest ? a.fromMs - b.fromMs : b.beforeMs - a.beforeMs));
  if (spans.length > 0) {
    const first = earliest ? [] : spans.flatMap(({ turns }) => bySession(turns).map(whatCame));
    return { turns: idsOf([...first, ...spans.flatMap(({ turns }) => turns)]) };
  }
  const missed = times[0]?.[0];
  const until = { fromMs: 0, beforeMs: missed?.beforeMs ?? Number.MAX_SAFE_INTEGER };
  if (earliest && !missed) return { turns: idsOf(turnsIn(until, { earliest })) };
  if (latestSessions && !missed) {
    const turns = turnsIn(until);
    const last = bySession(turns)
      .slice(...latestSessions)
      .map(whatCame);
    const asked = new Set(last.map(({ sessionId }) => sessionId));
    return { turns: idsOf([...last, ...turns.filter(({ sessionId }) => asked.has(sessionId))]) };
  }
  const onBranch = ownBranch === undefined ? [] : turnsIn(until, { branches: [ownBranch] });
  return { turns: idsOf([...onBranch, ...turnsIn(until)]), ...(missed && { missed }) };
}

function bySession(turns: readonly Turn[]): Turn[][] {
  return [...groupBy(turns, ({ sessionId }) => sessionId).values()];
}

function idsOf(turns: readonly Turn[]): Set<number> {
  return new Set(turns.map(({ id }) => id));
}

/** What came of each turn. */
export function hitsOfTurns(store: Store, turns: Iterable<number>): Generator<Hit> {
  return hitsInOrder(lastOfTurns(store, turns));
}

function* lastOfTurns({ chunks }: Store, turns: Iterable<number>): Generator<StoredChunk> {
  for (const turn of turns) {
    const last = chunks.lastSaidOf(turn) ?? chunks.firstOf(turn);
    const chunk = last === undefined ? undefined : chunks.find(last);
    if (chunk !== undefined) yield chunk;
  }
}
