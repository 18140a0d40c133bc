import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { prepared } from '../database/prepared.js';
import { writeTransaction } from '../database/write-transaction.js';
import { LinkableProject } from './linkable-project.js';

/** A directed, weighted link between two chunks. `type` is the graph's. */
export interface StoredEdge {
  type: string;
  from: number;
  to: number;
  weight: number;
}

/** Ids of chunks whose edges are counted before other work gets a turn: about 5 ms. */
const COUNTED_AT_ONCE = 20_000;

const EDGE = 'e.type, e.from_id AS "from", e.to_id AS "to", e.weight FROM edge e';
const INTO = `SELECT ${EDGE} WHERE e.to_id IN (SELECT value FROM json_each(?))`;
const OUT_OF = `SELECT ${EDGE} WHERE e.from_id IN (SELECT value FROM json_each(?))`;
const BOTH_WAYS = `
  SELECT from_id, to_id, type FROM edge
  WHERE from_id IN (SELECT value FROM json_each(@ids)) AND type IN (SELECT value FROM json_each(@types))
  UNION ALL
  SELECT to_id, from_id, type FROM edge
  WHERE to_id IN (SELECT value FROM json_each(@ids)) AND type IN (SELECT value FROM json_each(@types))`;

/** The stored causal graph. Each edge is stored once, and deleted with either of its chunks. */
export class Edges {
  constructor(private readonly db: Database) {}

  /** Edges that end at any of these chunks. */
  endingAt(ids: readonly number[]): StoredEdge[] {
    return prepared(this.db, INTO).all(JSON.stringify(ids)) as StoredEdge[];
  }

  /** Edges that start at any of these chunks. */
  startingAt(ids: readonly number[]): StoredEdge[] {
    return prepared(this.db, OUT_OF).all(JSON.stringify(ids)) as StoredEdge[];
  }

  /** Edges of these types into or out of any of these chunks: the chunk, the one at the other end, and the type. */
  around(ids: readonly number[], types: readonly string[]): [id: number, other: number, type: string][] {
    const edges = prepared(this.db, BOTH_WAYS).raw();
    const given = { ids: JSON.stringify(ids), types: JSON.stringify(types) };
    return edges.all(given) as [number, number, string][];
  }

  /** Number of edges by type, in alphabetical order; types without any are left out. Looks at all edges, with pauses. */
  async countByType(): Promise<Record<string, number>> {
    const last = (this.db.prepare('SELECT max(from_id) FROM edge').pluck().get() as number | null) ?? 0;
    const some = this.db
      .prepare('SELECT type, count(*) FROM edge WHERE from_id > ? AND from_id <= ? GROUP BY type')
      .raw();
    const counts = new Map<string, number>();
    for (let from = 0; from < last; from += COUNTED_AT_ONCE) {
      if (from > 0) await setImmediate();
      for (const [type, count] of some.all(from, from + COUNTED_AT_ONCE) as [string, number][])
        counts.set(type, (counts.get(type) ?? 0) + count);
    }
    return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
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
    this.revise(projectId, (writer) => {
      work(writer);
      this.db.prepare('UPDATE session SET linked = 1 WHERE project_id = ? AND linked = 0').run(projectId);
    });
  }
}

/** Reads what a project's edges are made from, and changes them. Valid only inside `Edges.write` and `Edges.revise`. */
export class EdgeWriter extends LinkableProject {
  /** Stored edges of these types that end at a chunk of this session. */
  endingInSession(sessionId: number, types: readonly string[]): StoredEdge[] {
    return this.select('e.to_id IN (SELECT id FROM chunk WHERE session_id = ?)', sessionId, types);
  }

  /** Stored edges of these types that end at a chunk of this project. */
  endingInProject(types: readonly string[]): StoredEdge[] {
    return this.select('e.to_id IN (SELECT id FROM chunk WHERE project_id = ?)', this.projectId, types);
  }

  private select(where: string, id: number, types: readonly string[]): StoredEdge[] {
    return prepared(
      this.db,
      `SELECT ${EDGE} WHERE ${where} AND e.type IN (SELECT value FROM json_each(?))`,
    ).all(id, JSON.stringify(types)) as StoredEdge[];
  }

  /** Store the vector clocks of chunks. */
  putClocks(clocks: ReadonlyMap<number, string>): void {
    const update = prepared(this.db, 'UPDATE chunk SET clock = ? WHERE id = ?');
    for (const [id, clock] of clocks) update.run(clock, id);
  }

  apply({ add, remove }: { add: readonly StoredEdge[]; remove: readonly StoredEdge[] }): void {
    const drop = prepared(this.db, 'DELETE FROM edge WHERE from_id = ? AND to_id = ? AND type = ?');
    const insert = prepared(
      this.db,
      'INSERT INTO edge (type, from_id, to_id, weight) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
    for (const { from, to, type } of remove) drop.run(from, to, type);
    for (const { from, to, type, weight } of add) insert.run(type, from, to, weight);
  }
}
