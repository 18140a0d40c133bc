import type { Database } from 'better-sqlite3';
import { asCompared, type Commit, type TranscriptSource, type TurnFacts } from '@causantic/domain';
import { prepared } from './database/prepared.js';

export interface SessionSummary {
  id: number;
  uuid: string;
  /** What to call it: see `SHORT_ID`. */
  shortId: string;
  title: string | null;
  source: TranscriptSource;
  gitBranch: string | null;
  continuesUuid: string | null;
  chunks: number;
  tokens: number;
  startTimeMs: number | null;
  endTimeMs: number | null;
}

/** A session that was named by its id, or by the beginning of it. */
export type SessionRef = Pick<SessionSummary, 'id' | 'uuid' | 'shortId'> & { projectId: number };

/** A turn that edited files, with those as its transcript names them. */
export interface EditingTurn {
  turnId: number;
  sessionId: number;
  files: string[];
}

/** What one turn did, and when it ended. */
export interface TurnRecord {
  sessionId: number;
  /** False for a sub-agent's turn. */
  isMain: boolean;
  endTimeMs: number | null;
  facts: TurnFacts;
}

/** What a person asked, on one line, and when. */
export interface RequestRecord {
  turnId: number;
  projectId: number;
  /** Whether a program asked. */
  byProgram: boolean;
  sessionShortId: string;
  startTimeMs: number;
  request: string;
}

interface TouchedFile {
  path: string;
  cwd: string | null;
}

export interface SessionFilter {
  projectId: number;
  /** Sessions of which a chunk starts at or after (milliseconds since the epoch); with `beforeMs` the same chunk. */
  fromMs?: number;
  /** Sessions of which a chunk starts before. */
  beforeMs?: number;
}

/** Whether another session than `s` begins with the same characters. */
const isShared = (length: number): string => `EXISTS (
    SELECT 1 FROM session o WHERE o.id <> s.id
      AND o.uuid >= substr(s.uuid, 1, ${length}) AND o.uuid < substr(s.uuid, 1, ${length}) || char(0x10ffff)
  )`;

/**
 * The short name of a session `s`: 8 characters of its id; 13 if others begin with the same 8, like sessions of Codex that start
 * within the same minute, and of opencode within a quarter of an hour; or the whole id.
 */
export const SHORT_ID = `CASE WHEN NOT ${isShared(8)} THEN substr(s.uuid, 1, 8)
  WHEN NOT ${isShared(13)} THEN substr(s.uuid, 1, 13) ELSE s.uuid END`;

const SUMMARY = `
  SELECT s.id, s.uuid, ${SHORT_ID} AS shortId, s.title, s.source, s.git_branch AS gitBranch, s.continues_uuid AS continuesUuid,
    count(*) AS chunks, sum(c.tokens) AS tokens, min(c.start_time) AS startTimeMs, max(c.end_time) AS endTimeMs
  FROM session s JOIN chunk c INDEXED BY chunk_extent ON c.session_id = s.id`;

/** Sessions, their agents and what their turns did. */
export class Sessions {
  constructor(private readonly db: Database) {}

  /** Non-empty conversations of a project, latest first; a client's notes are not conversations. */
  list(filter: SessionFilter): SessionSummary[] {
    return this.db
      .prepare(
        `${SUMMARY} WHERE s.project_id = @projectId AND s.source <> 'claude-code-notes' GROUP BY s.id
         HAVING max((@fromMs IS NULL OR c.start_time >= @fromMs) AND (@beforeMs IS NULL OR c.start_time < @beforeMs))
         ORDER BY endTimeMs DESC, s.id DESC`,
      )
      .all({ fromMs: null, beforeMs: null, ...filter }) as SessionSummary[];
  }

  idsOfProject(projectId: number): number[] {
    return prepared(this.db, 'SELECT id FROM session WHERE project_id = ?')
      .pluck()
      .all(projectId) as number[];
  }

  /** Sessions whose id starts with this prefix, optionally of one project. At most `limit`. */
  withPrefix(prefix: string, limit: number, projectId?: number): SessionRef[] {
    return this.db
      .prepare(
        `SELECT s.id, s.uuid, ${SHORT_ID} AS shortId, s.project_id AS projectId FROM session s
         WHERE substr(s.uuid, 1, length(@prefix)) = @prefix AND (@projectId IS NULL OR s.project_id = @projectId)
         ORDER BY s.uuid LIMIT @limit`,
      )
      .all({ prefix, limit, projectId: projectId ?? null }) as SessionRef[];
  }

  /** Ids of non-empty sessions that start with a prefix; the one first that was first read last. */
  latest(prefix: string, limit: number): string[] {
    return this.db
      .prepare(
        `SELECT uuid FROM session s WHERE substr(uuid, 1, length(@prefix)) = @prefix
         AND EXISTS (SELECT 1 FROM chunk WHERE session_id = s.id) ORDER BY id DESC LIMIT @limit`,
      )
      .pluck()
      .all({ prefix, limit }) as string[];
  }

  get(id: number): SessionSummary | undefined {
    return this.db.prepare(`${SUMMARY} WHERE s.id = ? GROUP BY s.id`).get(id) as SessionSummary | undefined;
  }

  /** The turns of these sessions, in chronological order. */
  turns(sessionIds: readonly number[]): TurnRecord[] {
    const rows = this.db
      .prepare(
        `SELECT session_id, agent_id IS NULL, end_time, facts FROM turn
         WHERE session_id IN (SELECT value FROM json_each(?)) ORDER BY start_time, transcript_id, ordinal`,
      )
      .raw()
      .all(JSON.stringify(sessionIds)) as [number, number, number | null, string][];
    return rows.map(([sessionId, isMain, endTimeMs, facts]) => ({
      sessionId,
      isMain: isMain === 1,
      endTimeMs,
      facts: JSON.parse(facts) as TurnFacts,
    }));
  }

  /** The turns of these sessions that edited files, session by session, oldest first. */
  editsIn(sessionIds: readonly number[]): EditingTurn[] {
    const rows = prepared(
      this.db,
      // All of it stands in the index: the facts of a long session's turns take long to read.
      `SELECT id, session_id, facts -> '$.filesTouched' FROM turn INDEXED BY turn_edits
       WHERE session_id IN (SELECT value FROM json_each(?)) AND facts -> '$.filesTouched' IS NOT NULL
       ORDER BY session_id, id`,
    )
      .raw()
      .all(JSON.stringify(sessionIds)) as [number, number, string][];
    return rows.map(([turnId, sessionId, files]) => ({
      turnId,
      sessionId,
      files: JSON.parse(files) as string[],
    }));
  }

  /**
   * The commits of the first turn of its session that made any: this one, or one that began later, as far as so many
   * turns of the main agent.
   */
  commitsFrom(turnId: number, mainTurns: number): Commit[] {
    const commits = prepared(
      this.db,
      `SELECT commits FROM (
         SELECT later.facts -> '$.commits' AS commits, (
             SELECT count(*) FROM turn WHERE session_id = one.session_id AND agent_id IS NULL
               AND (start_time, transcript_id, ordinal) BETWEEN (one.start_time, one.transcript_id, one.ordinal)
                 AND (later.start_time, later.transcript_id, later.ordinal)) AS main
         FROM turn one JOIN turn later INDEXED BY turn_commits
           ON later.session_id = one.session_id AND later.facts -> '$.commits' IS NOT NULL
             AND (later.start_time, later.transcript_id, later.ordinal) >= (one.start_time, one.transcript_id, one.ordinal)
         WHERE one.id = ? ORDER BY later.start_time, later.transcript_id, later.ordinal LIMIT 1)
       WHERE main <= ?`,
    )
      .pluck()
      .get(turnId, mainTurns) as string | undefined;
    return commits === undefined ? [] : (JSON.parse(commits) as Commit[]);
  }

  /**
   * The latest turns of main agents, or of these (as in `ChunkFilter`), within this time, latest first, or the earliest ones;
   * a client's notes are none.
   */
  latestTurns({
    agentIds,
    projectIds = [],
    sessionIds = [],
    branches = [],
    earliest = false,
    ...bounds
  }: {
    /** Of any, if there are none; so are sessions and branches. */
    projectIds?: readonly number[];
    sessionIds?: readonly number[];
    branches?: readonly string[];
    agentIds?: readonly number[] | undefined;
    earliest?: boolean;
    fromMs: number;
    beforeMs: number;
    limit: number;
  }): { id: number; sessionId: number }[] {
    const order = earliest
      ? 't.start_time IS NULL, t.start_time, t.id'
      : 'coalesce(t.end_time, t.start_time, 0) DESC, t.id DESC';
    const ofAgents = agentIds
      ? 'coalesce(t.agent_id, -s.id) IN (SELECT value FROM json_each(@agentIds))'
      : 't.agent_id IS NULL AND @agentIds IS NULL';
    return this.db
      .prepare(
        `SELECT t.id, s.id AS sessionId FROM session s CROSS JOIN turn t ON t.session_id = s.id
         WHERE (@projectIds = '[]' OR s.project_id IN (SELECT value FROM json_each(@projectIds)))
           AND (@sessionIds = '[]' OR s.id IN (SELECT value FROM json_each(@sessionIds)))
           AND (@branches = '[]' OR t.id IN (
             SELECT turn_id FROM chunk WHERE git_branch IN (SELECT value FROM json_each(@branches))))
           AND s.source <> 'claude-code-notes' AND ${ofAgents}
           AND coalesce(t.end_time, t.start_time, 0) >= @fromMs AND coalesce(t.start_time, 0) < @beforeMs
         ORDER BY ${order} LIMIT @limit`,
      )
      .all({
        ...bounds,
        projectIds: JSON.stringify(projectIds),
        sessionIds: JSON.stringify(sessionIds),
        branches: JSON.stringify(branches),
        agentIds: agentIds ? JSON.stringify(agentIds) : null,
      }) as { id: number; sessionId: number }[];
  }

  /** Requests to main agents within this time, starting with the nearest to its end or to its beginning. */
  requests({
    latestFirst,
    ...bounds
  }: {
    projectId?: number;
    sessionId?: number;
    fromMs: number;
    beforeMs: number;
    latestFirst: boolean;
    limit: number;
  }): RequestRecord[] {
    const direction = latestFirst ? 'DESC' : 'ASC';
    // Sessions first: SQLite would read the turns of all projects. The order comes before the facts, which take long to read;
    // without a limit of its own, SQLite may leave it out.
    const inOrder = `
      SELECT t.id AS turn_id, s.id AS session_id FROM session s CROSS JOIN turn t ON t.session_id = s.id
      WHERE (@projectId IS NULL OR s.project_id = @projectId) AND (@sessionId IS NULL OR s.id = @sessionId)
        AND t.agent_id IS NULL AND t.start_time >= @fromMs AND t.start_time < @beforeMs
      ORDER BY t.start_time ${direction}, t.id ${direction} LIMIT -1`;
    const rows = this.db
      .prepare(
        `SELECT t.id AS turnId, s.project_id AS projectId, ${SHORT_ID} AS sessionShortId, t.start_time AS startTimeMs,
           json_extract(t.facts, '$.request') AS request, t.facts -> '$.byProgram' IS NOT NULL AS byProgram
         FROM (${inOrder}) each CROSS JOIN turn t ON t.id = each.turn_id CROSS JOIN session s ON s.id = each.session_id
         WHERE request IS NOT NULL LIMIT @limit`,
      )
      .all({ projectId: null, sessionId: null, ...bounds }) as (Omit<RequestRecord, 'byProgram'> & {
      byProgram: 0 | 1;
    })[];
    return rows.map((row) => ({ ...row, byProgram: row.byProgram === 1 }));
  }

  /**
   * Files that a project's turns touched since then, latest first, each once: absolute, or relative to the session's
   * folder, which is returned beside it.
   */
  filesTouched({
    projectId,
    fromMs,
    limit,
  }: {
    projectId: number;
    fromMs: number;
    limit: number;
  }): TouchedFile[] {
    return this.db
      .prepare(
        `SELECT f.value AS path, s.cwd FROM session s JOIN turn t ON t.session_id = s.id,
           json_each(t.facts, '$.filesTouched') f
         WHERE s.project_id = @projectId AND coalesce(t.end_time, t.start_time) >= @fromMs
         GROUP BY f.value, s.cwd ORDER BY max(coalesce(t.end_time, t.start_time)) DESC, f.value LIMIT @limit`,
      )
      .all({ projectId, fromMs, limit }) as TouchedFile[];
  }

  /** The project last worked on from this folder; undefined if no session was. */
  projectOfFolder(cwd: string): number | undefined {
    const sql = 'SELECT project_id FROM session WHERE cwd = ? ORDER BY id DESC LIMIT 1';
    return prepared(this.db, sql).pluck().get(cwd) as number | undefined;
  }

  /** Folders of projects, and those of sessions with the project that was last worked on from there. */
  folders(): { path: string; projectId: number }[] {
    return this.db
      .prepare(
        `SELECT path, coalesce(joined_to, id) AS projectId FROM project
         UNION SELECT cwd, project_id FROM session
           WHERE id IN (SELECT max(id) FROM session WHERE cwd IS NOT NULL GROUP BY cwd)`,
      )
      .all() as { path: string; projectId: number }[];
  }

  /** Ids of agents with this name (in any letter case) that said something, in one project or all, of one client or any. */
  agentIds(name: string, projectId?: number, source?: TranscriptSource): number[] {
    // SQLite itself knows the case of ASCII letters only.
    const wanted = asCompared(name);
    const names = this.db.prepare('SELECT DISTINCT name FROM agent').pluck().all() as string[];
    const alike = names.filter((each) => asCompared(each) === wanted);
    return this.db
      .prepare(
        `SELECT a.id FROM agent a JOIN session s ON s.id = a.session_id
         WHERE a.name IN (SELECT value FROM json_each(@names)) AND (@projectId IS NULL OR s.project_id = @projectId)
           AND (@source IS NULL OR s.source = @source) AND EXISTS (SELECT 1 FROM chunk WHERE agent_id = a.id)`,
      )
      .pluck()
      .all({
        names: JSON.stringify(alike),
        projectId: projectId ?? null,
        source: source ?? null,
      }) as number[];
  }

  /** The main agents of a client's sessions, those that said something, as `ChunkFilter` takes them. */
  mainAgentIds(source: TranscriptSource, projectId?: number): number[] {
    return this.db
      .prepare(
        `SELECT -s.id FROM session s WHERE s.source = @source AND (@projectId IS NULL OR s.project_id = @projectId)
           AND EXISTS (SELECT 1 FROM chunk WHERE session_id = s.id AND agent_id IS NULL)`,
      )
      .pluck()
      .all({ source, projectId: projectId ?? null }) as number[];
  }

  /** Names of agents that said something, most active first. */
  agentNames(projectId?: number): string[] {
    return this.db
      .prepare(
        `SELECT a.name FROM agent a JOIN session s ON s.id = a.session_id JOIN chunk c ON c.agent_id = a.id
         WHERE @projectId IS NULL OR s.project_id = @projectId GROUP BY a.name ORDER BY count(*) DESC, a.name`,
      )
      .pluck()
      .all({ projectId: projectId ?? null }) as string[];
  }
}
