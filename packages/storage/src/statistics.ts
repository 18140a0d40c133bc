import type { Database } from 'better-sqlite3';
import { RANKED } from './chunks/chunks.js';

export interface Statistics {
  chunks: number;
  /** Of them, what search looks at: no thoughts, errors and notes of clients. */
  searchedChunks: number;
  /** Conversations that hold something. */
  sessions: number;
  turns: number;
  edges: number;
  clusters: number;
  entities: number;
  agentChunks: number;
  /** Names of agents that said something. */
  agents: number;
}

/** Counts over the whole store. */
export function statistics(db: Database): Statistics {
  return db
    .prepare(
      `SELECT (SELECT count(*) FROM chunk) AS chunks,
         (SELECT count(*) FROM chunk INDEXED BY chunk_ranked WHERE ${RANKED}) AS searchedChunks,
         (SELECT count(*) FROM session WHERE source <> 'claude-code-notes'
           AND EXISTS (SELECT 1 FROM chunk WHERE session_id = session.id)) AS sessions,
         (SELECT count(*) FROM turn) AS turns,
         (SELECT count(*) FROM edge) AS edges,
         (SELECT count(*) FROM cluster) AS clusters,
         (SELECT count(*) FROM entity) AS entities,
         (SELECT count(*) FROM chunk WHERE agent_id IS NOT NULL) AS agentChunks,
         (SELECT count(DISTINCT lower(name)) FROM agent
           WHERE EXISTS (SELECT 1 FROM chunk WHERE agent_id = agent.id)) AS agents`,
    )
    .get() as Statistics;
}
