import type { Database } from 'better-sqlite3';
import { prepared } from '../database/prepared.js';

/** Something that chunks name: a file, a symbol, an error code, a person. */
export interface Entity {
  kind: string;
  /** As people write it. */
  name: string;
  /** Other spellings, in lower case; its own name in lower case is always one. */
  aliases: string[];
}

/** An entity that a question names. */
export interface NamedEntity {
  id: number;
  kind: string;
  name: string;
}

/** The people and things that chunks name. An entity is deleted with the last chunk that names it. */
export class Entities {
  constructor(private readonly db: Database) {}

  /** Stores what a chunk names. Call this inside the transaction that reads the chunk. */
  put(chunkId: number, entities: readonly Entity[]): void {
    const insert = prepared(this.db, 'INSERT INTO chunk_entity VALUES (?, ?) ON CONFLICT DO NOTHING');
    for (const entity of entities) insert.run(this.idOf(entity), chunkId);
  }

  /** Nearly all that a chunk names is known, with its aliases. */
  private idOf({ kind, name, aliases }: Entity): number {
    const find = prepared(this.db, 'SELECT id FROM entity WHERE kind = ? AND name = ?').pluck();
    const known = find.get(kind, name) as number | undefined;
    if (known !== undefined) return known;
    const insert = prepared(this.db, 'INSERT INTO entity (kind, name) VALUES (?, ?)');
    const insertAlias = prepared(this.db, 'INSERT INTO entity_alias VALUES (?, ?) ON CONFLICT DO NOTHING');
    const id = Number(insert.run(kind, name).lastInsertRowid);
    for (const alias of [name.toLowerCase(), ...aliases]) insertAlias.run(alias, id);
    return id;
  }

  /** Entities known by any of these names, given in lower case, in one project or all; at most `limit` of each name. */
  named(aliases: readonly string[], limit: number, projectId?: number): NamedEntity[] {
    const given = { aliases: JSON.stringify(aliases), limit, projectId: projectId ?? null };
    return prepared(this.db, BY_ALIAS).all(given) as NamedEntity[];
  }

  /** Chunks that name an entity, the `limit` newest. */
  chunksNaming(entityId: number, projectId: number | undefined, limit: number): number[] {
    const ids = prepared(this.db, projectId === undefined ? MENTIONS : MENTIONS_IN_PROJECT).pluck();
    return ids.all({ entityId, projectId: projectId ?? null, limit }) as number[];
  }
}

/** By an index: rows of the chunk table lie a page apart. */
const WITH_PROJECT = `chunk_entity ce JOIN chunk c INDEXED BY chunk_place ON c.id = ce.chunk_id
  JOIN session s ON s.id = c.session_id`;

const BY_ALIAS = `
  SELECT DISTINCT id, kind, name FROM (
    SELECT e.id, e.kind, e.name, row_number() OVER (PARTITION BY a.alias ORDER BY e.id) AS place
    FROM entity_alias a JOIN entity e ON e.id = a.entity_id
    WHERE a.alias IN (SELECT value FROM json_each(@aliases)) AND (@projectId IS NULL
      OR EXISTS (SELECT 1 FROM ${WITH_PROJECT} WHERE ce.entity_id = e.id AND s.project_id = @projectId)))
  WHERE place <= @limit ORDER BY id`;

const NEWEST = 'ORDER BY ce.chunk_id DESC LIMIT @limit';
const MENTIONS = `SELECT ce.chunk_id FROM chunk_entity ce WHERE ce.entity_id = @entityId ${NEWEST}`;
const MENTIONS_IN_PROJECT = `SELECT ce.chunk_id FROM ${WITH_PROJECT}
  WHERE ce.entity_id = @entityId AND s.project_id = @projectId ${NEWEST}`;
