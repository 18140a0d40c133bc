import type { Database, Statement } from 'better-sqlite3';
import type { ChunkKind, Span } from '@causantic/domain';
import { RANKED } from './chunks.js';
import { Projects } from './projects.js';
import { decodeSpans } from './stored-spans.js';
import { writeTransaction } from './write-transaction.js';

/** A directed, weighted link between two chunks. `type` is the graph's. */
export interface StoredEdge {
  type: string;
  from: number;
  to: number;
  weight: number;
}

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

const EDGE = 'e.type, e.from_id AS "from", e.to_id AS "to", e.weight FROM edge e';

/** An order independent of when something was ingested: for two transcripts of one stream, the path decides. */
const IN_ORDER = 'ORDER BY c.order_time, t.path, c.seq';

/** The stored causal graph. Each edge is stored once, and deleted with either of its chunks. */
export class Edges {
  private readonly into: Statement;
  private readonly outOf: Statement;
  private readonly bothWays: Statement;

  constructor(private readonly db: Database) {
    this.into = db.prepare(`SELECT ${EDGE} WHERE e.to_id IN (SELECT value FROM json_each(?))`);
    this.outOf = db.prepare(`SELECT ${EDGE} WHERE e.from_id IN (SELECT value FROM json_each(?))`);
    this.bothWays = db
      .prepare(
        `SELECT from_id, to_id, type FROM edge
         WHERE from_id IN (SELECT value FROM json_each(@ids)) AND type IN (SELECT value FROM json_each(@types))
         UNION ALL
         SELECT to_id, from_id, type FROM edge
         WHERE to_id IN (SELECT value FROM json_each(@ids)) AND type IN (SELECT value FROM json_each(@types))`,
      )
      .raw();
  }

  /** Edges that end at any of these chunks. */
  endingAt(ids: readonly number[]): StoredEdge[] {
    return this.into.all(JSON.stringify(ids)) as StoredEdge[];
  }

  /** Edges that start at any of these chunks. */
  startingAt(ids: readonly number[]): StoredEdge[] {
    return this.outOf.all(JSON.stringify(ids)) as StoredEdge[];
  }

  /** Edges of these types into or out of any of these chunks: the chunk, the one at the other end, and the type. */
  around(ids: readonly number[], types: readonly string[]): [id: number, other: number, type: string][] {
    return this.bothWays.all({ ids: JSON.stringify(ids), types: JSON.stringify(types) }) as [
      number,
      number,
      string,
    ][];
  }

  /** Number of edges by type; types without any are left out. */
  countByType(): Record<string, number> {
    const rows = this.db.prepare('SELECT type, count(*) FROM edge GROUP BY type ORDER BY type').raw().all();
    return Object.fromEntries(rows as [string, number][]);
  }

  /** Drops all edges, so that the next linking makes them again. */
  clear(): void {
    writeTransaction(this.db, () => this.db.exec('DELETE FROM edge; UPDATE session SET linked = 0'));
  }

  /** Projects with sessions that changed since their edges were made. */
  unlinkedProjects(): number[] {
    return this.db
      .prepare('SELECT DISTINCT project_id FROM session WHERE linked = 0 ORDER BY project_id')
      .pluck()
      .all() as number[];
  }

  /** Runs `work` in one immediate transaction, without marking any session as linked. */
  revise(projectId: number, work: (writer: EdgeWriter) => void): void {
    writeTransaction(this.db, () => work(new EdgeWriter(this.db, projectId)));
  }

  /** Runs `work` in one immediate transaction that also marks the project's sessions as linked. */
  write(projectId: number, work: (writer: EdgeWriter) => void): void {
    writeTransaction(this.db, () => {
      work(new EdgeWriter(this.db, projectId));
      this.db.prepare('UPDATE session SET linked = 1 WHERE project_id = ? AND linked = 0').run(projectId);
    });
  }
}

/** Valid only inside `Edges.write`. */
export class EdgeWriter {
  constructor(
    private readonly db: Database,
    private readonly projectId: number,
  ) {}

  projectFolders(): string[] {
    return new Projects(this.db).folders(this.projectId);
  }

  /** The project's sessions that changed since their edges were made. */
  unlinkedSessions(): LinkableSession[] {
    return this.sessions('s.project_id = ? AND s.linked = 0', this.projectId);
  }

  /** The project's sessions that continue this one. */
  continuationsOf(sessionUuid: string): LinkableSession[] {
    return this.sessions('s.project_id = ? AND s.continues_uuid = ?', this.projectId, sessionUuid);
  }

  sessionByUuid(uuid: string): LinkableSession | undefined {
    return this.sessions('s.project_id = ? AND s.uuid = ?', this.projectId, uuid)[0];
  }

  private sessions(where: string, ...parameters: unknown[]): LinkableSession[] {
    return this.db
      .prepare(
        `SELECT s.id, s.uuid, s.cwd, s.continues_uuid AS continuesUuid FROM session s WHERE ${where} ORDER BY s.uuid`,
      )
      .all(...parameters) as LinkableSession[];
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
    return this.db
      .prepare(
        `SELECT s.uuid AS sessionUuid, a.key, a.kind, a.name, a.description
         FROM agent a JOIN session s ON s.id = a.session_id WHERE ${where} ORDER BY s.uuid, a.key`,
      )
      .all(id) as LinkableAgent[];
  }

  /** The ranked chunks of a session, in order within each thought stream. */
  chunks(sessionId: number): LinkableChunk[] {
    const rows = this.db
      .prepare(
        `SELECT c.id, s.uuid AS sessionUuid, a.key AS agentKey, c.turn_id AS turnId, c.order_time AS orderTimeMs,
           c.start_time AS startTimeMs, c.end_time AS endTimeMs, c.files, c.tools, c.kind, c.continues, c.clock,
           c.spans, c.text
         FROM chunk c JOIN session s ON s.id = c.session_id JOIN transcript t ON t.id = c.transcript_id
         LEFT JOIN agent a ON a.id = c.agent_id
         WHERE c.session_id = ? AND c.${RANKED} ${IN_ORDER}`,
      )
      .all(sessionId) as (Omit<LinkableChunk, 'files' | 'tools' | 'spans'> &
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

  /** Stored edges of these types that end at a chunk of this session. */
  endingInSession(sessionId: number, types: readonly string[]): StoredEdge[] {
    return this.select('e.to_id IN (SELECT id FROM chunk WHERE session_id = ?)', sessionId, types);
  }

  /** Stored edges of these types that end at a chunk of this project. */
  endingInProject(types: readonly string[]): StoredEdge[] {
    return this.select('e.to_id IN (SELECT id FROM chunk WHERE project_id = ?)', this.projectId, types);
  }

  private select(where: string, id: number, types: readonly string[]): StoredEdge[] {
    return this.db
      .prepare(`SELECT ${EDGE} WHERE ${where} AND e.type IN (SELECT value FROM json_each(?))`)
      .all(id, JSON.stringify(types)) as StoredEdge[];
  }

  /** Store the vector clocks of chunks. */
  putClocks(clocks: ReadonlyMap<number, string>): void {
    const update = this.db.prepare('UPDATE chunk SET clock = ? WHERE id = ?');
    for (const [id, clock] of clocks) update.run(clock, id);
  }

  apply({ add, remove }: { add: readonly StoredEdge[]; remove: readonly StoredEdge[] }): void {
    const drop = this.db.prepare('DELETE FROM edge WHERE from_id = ? AND to_id = ? AND type = ?');
    const insert = this.db.prepare(
      'INSERT INTO edge (type, from_id, to_id, weight) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
    for (const { from, to, type } of remove) drop.run(from, to, type);
    for (const { from, to, type, weight } of add) insert.run(type, from, to, weight);
  }
}
