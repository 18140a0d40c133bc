import type { Database, Statement } from 'better-sqlite3';

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
  private readonly find: Statement;
  private readonly insert: Statement;
  private readonly insertAlias: Statement;
  private readonly insertMention: Statement;
  private readonly byAlias: Statement;
  private readonly mentions: Statement;
  private readonly mentionsInProject: Statement;

  constructor(private readonly db: Database) {
    this.find = db.prepare('SELECT id FROM entity WHERE kind = ? AND name = ?').pluck();
    this.insert = db.prepare('INSERT INTO entity (kind, name) VALUES (?, ?)');
    this.insertAlias = db.prepare('INSERT INTO entity_alias VALUES (?, ?) ON CONFLICT DO NOTHING');
    this.insertMention = db.prepare('INSERT INTO chunk_entity VALUES (?, ?) ON CONFLICT DO NOTHING');
    // By an index: rows of the chunk table lie a page apart.
    const withProject = `chunk_entity ce JOIN chunk c INDEXED BY chunk_place ON c.id = ce.chunk_id
      JOIN session s ON s.id = c.session_id`;
    this.byAlias = db.prepare(
      `SELECT DISTINCT id, kind, name FROM (
         SELECT e.id, e.kind, e.name, row_number() OVER (PARTITION BY a.alias ORDER BY e.id) AS place
         FROM entity_alias a JOIN entity e ON e.id = a.entity_id
         WHERE a.alias IN (SELECT value FROM json_each(@aliases)) AND (@projectId IS NULL
           OR EXISTS (SELECT 1 FROM ${withProject} WHERE ce.entity_id = e.id AND s.project_id = @projectId)))
       WHERE place <= @limit ORDER BY id`,
    );
    const newest = 'ORDER BY ce.chunk_id DESC LIMIT ?';
    this.mentions = db
      .prepare(`SELECT ce.chunk_id FROM chunk_entity ce WHERE ce.entity_id = ? ${newest}`)
      .pluck();
    this.mentionsInProject = db
      .prepare(`SELECT ce.chunk_id FROM ${withProject} WHERE ce.entity_id = ? AND s.project_id = ? ${newest}`)
      .pluck();
  }

  /** Stores what a chunk names. Call this inside the transaction that reads the chunk. */
  put(chunkId: number, entities: readonly Entity[]): void {
    for (const entity of entities) this.insertMention.run(this.idOf(entity), chunkId);
  }

  /** Nearly all that a chunk names is known, with its aliases. */
  private idOf({ kind, name, aliases }: Entity): number {
    const known = this.find.get(kind, name) as number | undefined;
    if (known !== undefined) return known;
    const id = Number(this.insert.run(kind, name).lastInsertRowid);
    for (const alias of [name.toLowerCase(), ...aliases]) this.insertAlias.run(alias, id);
    return id;
  }

  /** Entities known by any of these names, given in lower case, in one project or all; at most `limit` of each name. */
  named(aliases: readonly string[], limit: number, projectId?: number): NamedEntity[] {
    const given = { aliases: JSON.stringify(aliases), limit, projectId: projectId ?? null };
    return this.byAlias.all(given) as NamedEntity[];
  }

  /** Chunks that name an entity, the `limit` newest. */
  chunksNaming(entityId: number, projectId: number | undefined, limit: number): number[] {
    const ids =
      projectId === undefined
        ? this.mentions.all(entityId, limit)
        : this.mentionsInProject.all(entityId, projectId, limit);
    return ids as number[];
  }
}
