import type { Database } from 'better-sqlite3';
import { StorageError, errorMessage } from '@causantic/domain';
import { BRANCHES_AS_IN_CHUNKS } from './checkpoint-branches.js';
import { CONTINUATIONS_ANEW } from './continuations.js';
import { isSqliteError } from './sqlite.js';
import { VECTORS_IN_SHARED_PAGES } from './vector-table.js';
import {
  indexFoldedLettersAnew,
  indexListedCommitsAnew,
  indexUnspacedTextAnew,
} from '../words/word-index.js';

/** SQL, or what has to look at what is stored. */
type Migration = string | ((db: Database) => void);

/**
 * The schema, one entry a version. A published entry never changes: a new version is a new entry.
 *
 * - `record` remembers every transcript record that was read, so that the copied prefix of a forked session
 *   is indexed once. Its rows outlive `forget`: what was deleted must not come back with the next run.
 * - `session.linked` is 0 while its edges are not yet made from all of its chunks: a run that is killed between the
 *   two leaves a mark, and the next one goes on there.
 * - `chunk_fts` holds no text of its own (contentless): the text lives in `chunk`. Its first column holds
 *   a scope word (`p12`), so that the project filter is answered by the index itself.
 */
const MIGRATIONS: readonly Migration[] = [
  `
  CREATE TABLE project (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    slug TEXT NOT NULL UNIQUE
  ) STRICT;

  CREATE TABLE session (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE,
    project_id INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    cwd TEXT,
    title TEXT,
    git_branch TEXT,
    client_version TEXT,
    continues_uuid TEXT,
    linked INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX session_by_project ON session(project_id);

  CREATE TABLE agent (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    tool_use_id TEXT,
    team_name TEXT,
    UNIQUE (session_id, key)
  ) STRICT;

  CREATE TABLE transcript (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    session_id INTEGER REFERENCES session(id) ON DELETE SET NULL,
    checkpoint TEXT
  ) STRICT;

  CREATE TABLE record (
    uuid BLOB PRIMARY KEY,
    transcript_id INTEGER NOT NULL,
    session_uuid TEXT
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE forgotten (
    transcript_id INTEGER NOT NULL,
    line_start INTEGER NOT NULL,
    line_end INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX forgotten_by_transcript ON forgotten(transcript_id, line_end);

  CREATE TABLE turn (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
    transcript_id INTEGER NOT NULL,
    agent_id INTEGER REFERENCES agent(id) ON DELETE SET NULL,
    ordinal INTEGER NOT NULL,
    prompt_uuid TEXT,
    prompt_parent_uuid TEXT,
    line_start INTEGER NOT NULL,
    start_time INTEGER,
    end_time INTEGER,
    facts TEXT NOT NULL,
    UNIQUE (transcript_id, ordinal)
  ) STRICT;
  CREATE INDEX turn_by_session ON turn(session_id);
  CREATE INDEX turn_by_parent ON turn(transcript_id, prompt_parent_uuid);

  CREATE TABLE chunk (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project_id INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
    session_id INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
    transcript_id INTEGER NOT NULL,
    turn_id INTEGER NOT NULL REFERENCES turn(id) ON DELETE CASCADE,
    agent_id INTEGER REFERENCES agent(id) ON DELETE SET NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    start_time INTEGER,
    end_time INTEGER,
    order_time INTEGER NOT NULL,
    line_start INTEGER NOT NULL,
    line_end INTEGER NOT NULL,
    continues INTEGER NOT NULL,
    git_branch TEXT,
    files TEXT NOT NULL,
    tools TEXT NOT NULL,
    spans TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (transcript_id, seq)
  ) STRICT;
  CREATE INDEX chunk_by_session ON chunk(session_id, order_time, transcript_id, seq);
  CREATE INDEX chunk_by_project ON chunk(project_id, order_time);
  CREATE INDEX chunk_by_turn ON chunk(turn_id);
  CREATE INDEX chunk_place ON chunk(id, session_id, transcript_id, seq, continues);
  CREATE INDEX chunk_by_agent ON chunk(agent_id) WHERE agent_id IS NOT NULL;

  CREATE VIRTUAL TABLE chunk_fts USING fts5(
    scope, prompt, said, tools, results, words,
    content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
  );
  CREATE TRIGGER chunk_fts_delete AFTER DELETE ON chunk BEGIN
    DELETE FROM chunk_fts WHERE rowid = old.id;
  END;

  CREATE TABLE chunk_vector (
    model_id TEXT NOT NULL,
    project_id INTEGER NOT NULL,
    chunk_id INTEGER NOT NULL REFERENCES chunk(id) ON DELETE CASCADE,
    vector BLOB NOT NULL,
    PRIMARY KEY (model_id, project_id, chunk_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX vector_by_chunk ON chunk_vector(chunk_id);
  CREATE TABLE vector_version (
    model_id TEXT NOT NULL,
    project_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (model_id, project_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER vector_added AFTER INSERT ON chunk_vector BEGIN
    INSERT INTO vector_version VALUES (new.model_id, new.project_id, 1)
      ON CONFLICT DO UPDATE SET version = version + 1;
  END;
  CREATE TRIGGER vector_removed AFTER DELETE ON chunk_vector BEGIN
    UPDATE vector_version SET version = version + 1 WHERE model_id = old.model_id AND project_id = old.project_id;
  END;

  CREATE TABLE edge (
    type TEXT NOT NULL,
    from_id INTEGER NOT NULL REFERENCES chunk(id) ON DELETE CASCADE,
    to_id INTEGER NOT NULL REFERENCES chunk(id) ON DELETE CASCADE,
    weight REAL NOT NULL,
    PRIMARY KEY (from_id, to_id, type)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX edge_backward ON edge(to_id, from_id);

  CREATE TABLE cluster (
    id INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    medoid_id INTEGER REFERENCES chunk(id) ON DELETE SET NULL
  ) STRICT;
  CREATE TABLE chunk_cluster (
    chunk_id INTEGER PRIMARY KEY REFERENCES chunk(id) ON DELETE CASCADE,
    cluster_id INTEGER NOT NULL REFERENCES cluster(id) ON DELETE CASCADE,
    probability REAL NOT NULL
  ) STRICT;
  CREATE INDEX chunk_cluster_members ON chunk_cluster(cluster_id);

  CREATE TABLE entity (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (kind, name)
  ) STRICT;
  CREATE TABLE chunk_entity (
    entity_id INTEGER NOT NULL REFERENCES entity(id) ON DELETE CASCADE,
    chunk_id INTEGER NOT NULL REFERENCES chunk(id) ON DELETE CASCADE,
    PRIMARY KEY (entity_id, chunk_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX entity_by_chunk ON chunk_entity(chunk_id);

  CREATE TABLE identifier (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE VIRTUAL TABLE identifier_fts USING fts5(name, content='identifier', content_rowid='id', tokenize='trigram');
  CREATE TRIGGER identifier_fts_insert AFTER INSERT ON identifier BEGIN
    INSERT INTO identifier_fts(rowid, name) VALUES (new.id, new.name);
  END;
  `,
  // Clusters and entities had no rows before: their tables are made anew in the form that is used.
  // A row of chunk_cluster without a cluster is noise; a chunk without a row has not been looked at yet.
  `
  DROP TABLE chunk_cluster;
  DROP TABLE cluster;
  DROP TABLE chunk_entity;
  DROP TABLE entity;

  ALTER TABLE chunk ADD COLUMN clock TEXT;
  UPDATE session SET linked = 0;

  CREATE TABLE cluster (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project_id INTEGER NOT NULL REFERENCES project(id) ON DELETE CASCADE,
    label TEXT NOT NULL,
    medoid_id INTEGER REFERENCES chunk(id) ON DELETE SET NULL,
    centroid BLOB NOT NULL
  ) STRICT;
  CREATE INDEX cluster_by_project ON cluster(project_id);
  CREATE TABLE chunk_cluster (
    chunk_id INTEGER PRIMARY KEY REFERENCES chunk(id) ON DELETE CASCADE,
    cluster_id INTEGER REFERENCES cluster(id) ON DELETE CASCADE,
    probability REAL NOT NULL
  ) STRICT;
  CREATE INDEX chunk_cluster_members ON chunk_cluster(cluster_id);
  CREATE TABLE cluster_pass (
    project_id INTEGER PRIMARY KEY REFERENCES project(id) ON DELETE CASCADE,
    model_id TEXT NOT NULL,
    chunks INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE entity (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (kind, name)
  ) STRICT;
  CREATE TABLE entity_alias (
    alias TEXT NOT NULL,
    entity_id INTEGER NOT NULL REFERENCES entity(id) ON DELETE CASCADE,
    PRIMARY KEY (alias, entity_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX alias_by_entity ON entity_alias(entity_id);
  CREATE TABLE chunk_entity (
    entity_id INTEGER NOT NULL REFERENCES entity(id) ON DELETE CASCADE,
    chunk_id INTEGER NOT NULL REFERENCES chunk(id) ON DELETE CASCADE,
    PRIMARY KEY (entity_id, chunk_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX entity_by_chunk ON chunk_entity(chunk_id);
  CREATE TRIGGER entity_unused AFTER DELETE ON chunk_entity BEGIN
    DELETE FROM entity WHERE id = old.entity_id
      AND NOT EXISTS (SELECT 1 FROM chunk_entity WHERE entity_id = old.entity_id);
  END;
  `,
  // One row says which model's vectors are made (chosen; null: the built-in one) and which are searched (serving;
  // null: none yet), and who is making them. The indexes answer counts and lists of ids without touching texts or
  // vectors, which lie in the same pages as their keys.
  `
  CREATE TABLE embedding (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    chosen_model TEXT,
    serving_model TEXT,
    revision INTEGER NOT NULL DEFAULT 0,
    lease_owner TEXT,
    lease_until INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO embedding (id, serving_model)
    VALUES (1, (SELECT model_id FROM vector_version ORDER BY version DESC LIMIT 1));
  CREATE INDEX chunk_ranked ON chunk(id) WHERE kind IN ('dialogue', 'compaction');
  CREATE INDEX vector_by_project ON chunk_vector(model_id, project_id, chunk_id);
  `,
  // Lets `--rebuild vectors` go on after a kill.
  'ALTER TABLE embedding ADD COLUMN remaking_model TEXT;',
  // Which of the pieces in these lines was deleted, by a hash of its text; null, as before: all that begin there.
  'ALTER TABLE forgotten ADD COLUMN piece BLOB',
  // Texts without blanks between words were one word in the index.
  indexUnspacedTextAnew,
  // A trigger makes SQLite open a savepoint for each row, and FTS5 then writes out all that it has gathered.
  'DROP TRIGGER identifier_fts_insert',
  // Lists of projects and sessions count and add up chunks: from the index alone, since rows hold the text.
  'CREATE INDEX chunk_extent ON chunk(session_id, start_time, end_time, tokens)',
  CONTINUATIONS_ANEW,
  VECTORS_IN_SHARED_PAGES,
  // For each row that is deleted SQLite looks for those that refer to it: without these, through whole tables.
  `
  CREATE INDEX cluster_by_medoid ON cluster(medoid_id);
  CREATE INDEX turn_by_agent ON turn(agent_id) WHERE agent_id IS NOT NULL;
  CREATE INDEX transcript_by_session ON transcript(session_id);
  `,
  // Words with vowel signs or points were cut at each of them, and some letters were found as they stand only.
  indexFoldedLettersAnew,
  // A folder that was moved, or is the same project under another path: its sessions belong to the other project.
  `
  ALTER TABLE project ADD COLUMN joined_to INTEGER REFERENCES project(id);
  CREATE INDEX project_joined ON project(joined_to) WHERE joined_to IS NOT NULL;
  `,
  // The messages of commits that a tool listed were indexed as what their session was about.
  indexListedCommitsAnew,
  // Questions name branches; rows hold the text.
  'CREATE INDEX chunk_by_branch ON chunk(git_branch, project_id) WHERE git_branch IS NOT NULL',
  // So do questions about what failed.
  "CREATE INDEX chunk_failed ON chunk(id) WHERE instr(text, '→ Error: ') > 0",
  BRANCHES_AS_IN_CHUNKS,
  // A transcript that is read anew drops its records first.
  'CREATE INDEX record_by_transcript ON record(transcript_id)',
  // Ranking asks what follows on the last call of a turn.
  `CREATE INDEX chunk_called ON chunk(turn_id) WHERE instr(spans, '"tool_') > 0`,
  // Answers name the files that their sessions edited, and the commits they came to; rows hold all the facts of a turn.
  `
  CREATE INDEX turn_edits ON turn(session_id, facts -> '$.filesTouched') WHERE facts -> '$.filesTouched' IS NOT NULL;
  CREATE INDEX turn_commits ON turn(session_id) WHERE facts -> '$.commits' IS NOT NULL;
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Bring the schema up to date, one transaction a version.
 * @param last an earlier version, to make a memory of it
 * @throws StorageError MIGRATION_FAILED when a step fails or the database is from a newer program
 */
export function migrate(db: Database, last = SCHEMA_VERSION): void {
  db.exec(
    'CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL) STRICT',
  );
  const current = versionQuery(db);
  const present = current();
  if (present > SCHEMA_VERSION) {
    throw new StorageError(
      'MIGRATION_FAILED',
      `The database has schema version ${present}, but this program only knows ${SCHEMA_VERSION}. Update Causantic, and restart servers that were started before an update.`,
    );
  }
  // Only what is missing: each step takes the write lock, and who comes to read does not wait for a writer.
  for (let version = present + 1; version <= last; version++) applyMigration(db, version, current);
}

/** Asks for the schema version, which a newer program may raise while this one runs. */
export function versionQuery(db: Database): () => number {
  const query = db.prepare<[], number>('SELECT coalesce(max(version), 0) FROM schema_version').pluck();
  return () => query.get()!;
}

/** Asks when the database was made, which tells it from another one that stands in its place later. */
export function madeAtQuery(db: Database): () => string {
  const query = db.prepare<[], string>('SELECT applied_at FROM schema_version WHERE version = 1').pluck();
  return () => query.get()!;
}

/** Names of tables and indexes, and what triggers and views do; SQLite's own are left out. */
export function schemaOf(db: Database): string[] {
  const sql = `SELECT type || ' ' || name || CASE WHEN type IN ('trigger', 'view') THEN ' ' || sql ELSE '' END
    FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;
  return db.prepare<[], string>(sql).pluck().all();
}

function applyMigration(db: Database, version: number, current: () => number): void {
  const step = db.transaction(() => {
    // Another process may have migrated while this one waited for the lock.
    if (current() >= version) return;
    const migration = MIGRATIONS[version - 1]!;
    if (typeof migration === 'string') db.exec(migration);
    else migration(db);
    // To the millisecond: `madeAt` tells a database by it.
    db.prepare("INSERT INTO schema_version VALUES (?, strftime('%Y-%m-%d %H:%M:%f', 'now'))").run(version);
  });
  try {
    step.immediate();
  } catch (cause) {
    // A full disk, or another process, is no fault of the step.
    if (isSqliteError(cause) && cause.code !== 'SQLITE_ERROR' && !cause.code.startsWith('SQLITE_CONSTRAINT'))
      throw cause;
    throw new StorageError(
      'MIGRATION_FAILED',
      `Migration to schema version ${version} failed: ${errorMessage(cause)}`,
      {
        cause,
        data: { version },
      },
    );
  }
}
