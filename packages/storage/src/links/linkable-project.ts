import type { Database } from 'better-sqlite3';
import type { ChunkKind, Span } from '@causantic/domain';
import { RANKED } from '../chunks/chunks.js';
import { decodeSpans } from '../chunks/stored-spans.js';
import { prepared } from '../database/prepared.js';
import { Projects } from '../projects.js';

/** A chunk as edges are made from it, identified independently of the order of ingestion. */
export interface LinkableChunk {
  id: number;
  sessionUuid: string;
  agentKey: string | null;
  turnId: number;
  orderTimeMs: number;
  startTimeMs: number | null;
  endTimeMs: number | null;
  files: string[];
  tools: string[];
  kind: ChunkKind;
  /** Whether it continues a message that an earlier chunk began. */
  continues: boolean;
  /** As last stored; null for a chunk that was never linked. */
  clock: string | null;
  spans: Span[];
  text: string;
}

export type FileTouch = Pick<LinkableChunk, 'id' | 'sessionUuid' | 'agentKey' | 'orderTimeMs' | 'files'>;

/** A chunk's place among those of its project. */
export interface ChunkPlace {
  id: number;
  sessionUuid: string;
  agentKey: string | null;
  /** In its transcript. */
  seq: number;
  orderTimeMs: number;
}

export interface LinkableSession {
  id: number;
  uuid: string;
  cwd: string | null;
  continuesUuid: string | null;
}

export interface LinkableAgent {
  sessionUuid: string;
  key: string;
  kind: string;
  name: string;
  /** Empty if the user deleted the call that has it. */
  description: string | null;
}

/** An order independent of when something was ingested: for two transcripts of one stream, the path decides. */
const IN_ORDER = 'ORDER BY c.order_time, t.path, c.seq';

/** What the edges of a project are made from. */
export class LinkableProject {
  constructor(
    protected readonly db: Database,
    protected readonly projectId: number,
  ) {}

  projectFolders(): string[] {
    return new Projects(this.db).folders(this.projectId);
  }

  /** The project's sessions that changed since their edges were made. */
  unlinkedSessions(): LinkableSession[] {
    return this.sessions('s.project_id = ? AND s.linked = 0', this.projectId);
  }

  /** The project's sessions that continue another one. */
  continuations(): LinkableSession[] {
    return this.sessions('s.project_id = ? AND s.continues_uuid IS NOT NULL', this.projectId);
  }

  sessionByUuid(uuid: string): LinkableSession | undefined {
    return this.sessions('s.project_id = ? AND s.uuid = ?', this.projectId, uuid)[0];
  }

  private sessions(where: string, ...parameters: unknown[]): LinkableSession[] {
    return prepared(
      this.db,
      `SELECT s.id, s.uuid, s.cwd, s.continues_uuid AS continuesUuid FROM session s WHERE ${where} ORDER BY s.uuid`,
    ).all(...parameters) as LinkableSession[];
  }

  /** Sub-agents of one session, in an order that does not depend on ingestion. */
  agentsOf(sessionId: number): LinkableAgent[] {
    return this.agents("a.session_id = ? AND a.kind <> 'teammate'", sessionId);
  }

  /** Members of agent teams in the project's sessions. */
  teamMembers(): LinkableAgent[] {
    return this.agents("s.project_id = ? AND a.kind = 'teammate'", this.projectId);
  }

  /** Sessions in which members of agent teams or their leads act, in the order of their own ids. */
  teamSessions(): number[] {
    return this.db
      .prepare(
        `SELECT s.id FROM session s WHERE s.project_id = ? AND (
           EXISTS (SELECT 1 FROM agent a WHERE a.session_id = s.id AND a.kind = 'teammate')
           OR EXISTS (SELECT 1 FROM chunk c WHERE c.session_id = s.id
             AND (c.tools LIKE '%"TeamCreate"%' OR c.tools LIKE '%"SendMessage"%')))
         ORDER BY s.uuid`,
      )
      .pluck()
      .all(this.projectId) as number[];
  }

  private agents(where: string, id: number): LinkableAgent[] {
    return prepared(
      this.db,
      `SELECT s.uuid AS sessionUuid, a.key, a.kind, a.name, a.description
       FROM agent a JOIN session s ON s.id = a.session_id WHERE ${where} ORDER BY s.uuid, a.key`,
    ).all(id) as LinkableAgent[];
  }

  /** The ranked chunks of a session, in order within each thought stream. */
  chunks(sessionId: number): LinkableChunk[] {
    const rows = prepared(
      this.db,
      `SELECT c.id, s.uuid AS sessionUuid, a.key AS agentKey, c.turn_id AS turnId, c.order_time AS orderTimeMs,
         c.start_time AS startTimeMs, c.end_time AS endTimeMs, c.files, c.tools, c.kind, c.continues, c.clock,
         c.spans, c.text
       FROM chunk c JOIN session s ON s.id = c.session_id JOIN transcript t ON t.id = c.transcript_id
       LEFT JOIN agent a ON a.id = c.agent_id
       WHERE c.session_id = ? AND c.${RANKED} ${IN_ORDER}`,
    ).all(sessionId) as (Omit<LinkableChunk, 'files' | 'tools' | 'spans'> &
      Record<'files' | 'tools' | 'spans', string>)[];
    return rows.map((row) => ({
      ...row,
      continues: Boolean(row.continues),
      files: JSON.parse(row.files) as string[],
      tools: JSON.parse(row.tools) as string[],
      spans: decodeSpans(row.spans),
    }));
  }

  /** The project's ranked chunks that touched a file, in order within each thought stream, with their session's folder. */
  fileTouches(): (FileTouch & { cwd: string | null })[] {
    const rows = this.db
      .prepare(
        `SELECT c.id, s.uuid AS sessionUuid, s.cwd, a.key AS agentKey, c.order_time AS orderTimeMs, c.files
         FROM chunk c JOIN session s ON s.id = c.session_id JOIN transcript t ON t.id = c.transcript_id
         LEFT JOIN agent a ON a.id = c.agent_id
         WHERE c.project_id = ? AND c.files <> '[]' AND c.${RANKED} ${IN_ORDER}`,
      )
      .all(this.projectId) as (Omit<FileTouch, 'files'> & { files: string; cwd: string | null })[];
    return rows.map((row) => ({ ...row, files: JSON.parse(row.files) as string[] }));
  }

  /** The positions of the project's ranked chunks. */
  places(): ChunkPlace[] {
    return this.db
      .prepare(
        `SELECT c.id, s.uuid AS sessionUuid, a.key AS agentKey, c.seq, c.order_time AS orderTimeMs
         FROM chunk c JOIN session s ON s.id = c.session_id LEFT JOIN agent a ON a.id = c.agent_id
         WHERE c.project_id = ? AND c.${RANKED}`,
      )
      .all(this.projectId) as ChunkPlace[];
  }
}
