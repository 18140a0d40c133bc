/**
 * A window over chunks; every bound is optional. Within one millisecond each chunk counts as a microsecond later than
 * the one before, so that a bound with a fraction can separate chunks of the same moment (`placeInMoment`).
 */
export interface ChunkFilter {
  projectId?: number;
  sessionId?: number;
  /** Milliseconds since the epoch; chunks that start at or after. Those without a time are in no window that is bounded. */
  fromMs?: number;
  /** Chunks that start before. */
  beforeMs?: number;
  /** The main agent of a session has the session's id with a minus. */
  agentIds?: readonly number[];
  /** Without clients' notes. */
  isConversation?: true;
}

/**
 * Takes the agents' ids, as in `ChunkFilter`, as one JSON array. A main agent's chunks by its turns, since whose a chunk is
 * stands in its row, and not in an index.
 */
export const IDS_OF_AGENTS = `
  SELECT said.id FROM json_each(?) agents CROSS JOIN chunk said ON said.agent_id = agents.value
    OR said.turn_id IN (SELECT id FROM turn WHERE session_id = -agents.value AND agent_id IS NULL)`;

/** For the chunk `c`. One moment can have hundreds: all chunks of a sub-agent that was recorded when it had finished. */
export function placeInMoment(isOfProject: boolean): string {
  return `(SELECT count(*) FROM chunk o WHERE ${isOfProject ? 'o.project_id = c.project_id AND ' : ''}
    o.order_time = c.order_time AND (o.transcript_id, o.seq) < (c.transcript_id, c.seq))`;
}

/** A chunk without a time is not before any, nor after. */
const HAS_TIME = '(order_time > 0 OR start_time IS NOT NULL)';

/** The filter as a condition on `chunk c`; always at least `1`. */
export function filterSql(filter: ChunkFilter): { where: string; parameters: unknown[] } {
  const { projectId, sessionId, fromMs, beforeMs, agentIds, isConversation } = filter;
  const conditions: string[] = ['1'];
  const parameters: unknown[] = [];
  const add = (condition: string, ...values: unknown[]): void => {
    conditions.push(condition);
    parameters.push(...values);
  };
  const place = placeInMoment(projectId !== undefined);
  if (projectId !== undefined) add('c.project_id = ?', projectId);
  if (sessionId !== undefined) add('c.session_id = ?', sessionId);
  if (fromMs !== undefined) {
    const { ms, us } = wholeAndMicroseconds(fromMs);
    if (us === 0) add(`c.order_time >= ? AND ${HAS_TIME}`, ms);
    else add(`c.order_time >= ? AND (c.order_time > ? OR ${place} >= ?)`, ms, ms, us);
  }
  if (beforeMs !== undefined) {
    const { ms, us } = wholeAndMicroseconds(beforeMs);
    if (us === 0) add(`c.order_time < ? AND ${HAS_TIME}`, ms);
    else add(`c.order_time <= ? AND (c.order_time < ? OR ${place} < ?) AND ${HAS_TIME}`, ms, ms, us);
  }
  if (agentIds) add(`c.id IN (${IDS_OF_AGENTS})`, JSON.stringify(agentIds));
  if (isConversation) add("c.session_id NOT IN (SELECT id FROM session WHERE source = 'claude-code-notes')");
  return { where: conditions.join(' AND '), parameters };
}

function wholeAndMicroseconds(timeMs: number): { ms: number; us: number } {
  const ms = Math.floor(timeMs);
  return { ms, us: Math.round((timeMs - ms) * 1000) };
}
