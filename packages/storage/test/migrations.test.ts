import type { Database } from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { migrate, SCHEMA_VERSION } from '../src/database/migrations.js';
import { openSqlite } from '../src/database/sqlite.js';
import { Store } from '../src/index.js';
import { memoryPath } from './sessions.js';

const SAID = 'User: Where is the till?';

/** A chunk and all that it needs, in columns that every version has. */
function say(db: Database, id: number): void {
  db.exec(`
    INSERT INTO project (id, path, name, slug) VALUES (${id}, '/home/ada/shop${id}', 'shop${id}', 'shop${id}');
    INSERT INTO session (id, uuid, project_id, source) VALUES (${id}, 'session-${id}', ${id}, 'claude-code');
    INSERT INTO transcript (id, path, session_id) VALUES (${id}, '/${id}.jsonl', ${id});
    INSERT INTO turn (id, session_id, transcript_id, ordinal, line_start, facts) VALUES (${id}, ${id}, ${id}, 0, 1, '{}');
    INSERT INTO chunk (id, project_id, session_id, transcript_id, turn_id, seq, kind, tokens, start_time, end_time,
        order_time, line_start, line_end, continues, files, tools, spans, text)
      VALUES (${id}, ${id}, ${id}, ${id}, ${id}, 0, 'dialogue', 7, 1000, 2000, 1000, 1, 1, 0, '[]', '[]',
        '[["user",0,24]]', '${SAID}');
    INSERT INTO chunk_fts (rowid, scope, said) VALUES (${id}, 'p${id}', 'Where is the till?');
  `);
}

it('what was stored with each version of the schema is there with this one, and can be deleted', () => {
  const path = memoryPath();
  const db = openSqlite(path);
  const versions = Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1);
  for (const version of versions) {
    migrate(db, version);
    say(db, version);
  }
  db.close();
  const store = Store.open(path);
  onTestFinished(() => store.close());
  const chunks = store.chunks.get(versions);
  expect(chunks.map(({ projectSlug, text }) => [projectSlug, text])).toEqual(
    versions.map((version) => [`shop${version}`, SAID]),
  );
  expect(store.projects.list().map(({ chunks }) => chunks)).toEqual(versions.map(() => 1));
  expect(store.forgetting.delete(versions)).toBe(SCHEMA_VERSION);
  expect(store.projects.list()).toEqual([]);
});

it('a memory of any version is brought up to date by who opens it', () => {
  for (let version = 1; version < SCHEMA_VERSION; version++) {
    const path = memoryPath();
    const db = openSqlite(path);
    migrate(db, version);
    say(db, 1);
    db.close();
    const store = Store.open(path);
    expect(store.chunks.get([1]).map(({ text }) => text)).toEqual([SAID]);
    store.close();
  }
});
