import type { Database } from 'better-sqlite3';

export interface Statistics {
  chunks: number;
  sessions: number;
  turns: number;
  agentChunks: number;
  agents: number;
}

/** Counts over the whole store. */
export function statistics(db: Database): Statistics {
  return db
    .prepare(
      `SELECT (SELECT count(*) FROM chunk) AS chunks,
         (SELECT count(*) FROM session) AS sessions,
         (SELECT count(*) FROM turn) AS turns,
         (SELECT count(*) FROM chunk WHERE agent_id IS NOT NULL) AS agentChunks,
         (SELECT count(DISTINCT lower(name)) FROM agent) AS agents`,
    )
    .get() as Statistics;
}
