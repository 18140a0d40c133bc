import { Store, openSqlite } from '@causantic/storage';
import { seededRandom } from './transcripts.mjs';

const projects = 4;
const chunksPerSession = 500;

/**
 * Writes a memory of short chunks whose vectors are random: for measuring what a search over so many costs. Past the
 * product, which would take an hour to read and embed that many.
 *
 * @param {string} path of the database
 * @param {{ vectors: number, model: { id: string, dim: number } }} options
 */
export function writeSyntheticMemory(path, { vectors, model }) {
  Store.open(path).close();
  const database = openSqlite(path);
  database.pragma('synchronous = OFF');
  const random = seededRandom(3);
  database.transaction(() => {
    for (let project = 1; project <= projects; project++) addProject(database, project);
    for (let id = 1; id <= vectors; id++) addChunk(database, id, unitVector(random, model.dim), model.id);
    database.prepare('UPDATE embedding SET serving_model = ?').run(model.id);
    // As after a pass that found no topics: what is measured is search alone.
    database.exec('INSERT INTO chunk_cluster SELECT id, NULL, 0 FROM chunk');
    const pass = 'INSERT INTO cluster_pass SELECT project_id, ?, count(*) FROM chunk GROUP BY project_id';
    database.prepare(pass).run(model.id);
  })();
  database.close();
}

/**
 * @param {import('better-sqlite3').Database} database
 * @param {number} id
 */
function addProject(database, id) {
  database.prepare('INSERT INTO project VALUES (?, ?, ?, ?)').run(id, `/code/p${id}`, `p${id}`, `p${id}`);
}

/** @type {WeakMap<import('better-sqlite3').Database, Record<string, import('better-sqlite3').Statement>>} */
const prepared = new WeakMap();

/** @param {import('better-sqlite3').Database} database */
function statementsOf(database) {
  const known = prepared.get(database);
  if (known) return known;
  const statements = {
    session: database.prepare(
      "INSERT INTO session (id, uuid, project_id, source, linked) VALUES (?, ?, ?, 'claude-code', 1)",
    ),
    transcript: database.prepare('INSERT INTO transcript (id, path, session_id) VALUES (@id, @path, @id)'),
    turn: database.prepare(
      "INSERT INTO turn (id, session_id, transcript_id, ordinal, line_start, facts) VALUES (@id, @id, @id, 0, 1, '{}')",
    ),
    chunk: database.prepare(
      `INSERT INTO chunk (id, project_id, session_id, transcript_id, turn_id, seq, kind, tokens, order_time, line_start,
         line_end, continues, files, tools, spans, text)
       VALUES (@id, @project, @session, @session, @session, @seq, 'dialogue', 8, @id, @id, @id, 0, '[]', '[]', @spans, @text)`,
    ),
    words: database.prepare('INSERT INTO chunk_fts (rowid, scope, said) VALUES (?, ?, ?)'),
    vector: database.prepare('INSERT INTO chunk_vector VALUES (?, ?, ?, ?)'),
  };
  prepared.set(database, statements);
  return statements;
}

/**
 * @param {import('better-sqlite3').Database} database
 * @param {number} id
 * @param {Float32Array} vector
 * @param {string} modelId
 */
function addChunk(database, id, vector, modelId) {
  const statements = statementsOf(database);
  const session = Math.ceil(id / chunksPerSession);
  const seq = (id - 1) % chunksPerSession;
  const project = ((session - 1) % projects) + 1;
  if (seq === 0) {
    statements['session']?.run(session, `${String(session).padStart(8, '0')}-synthetic`, project);
    statements['transcript']?.run({ id: session, path: `/transcripts/${session}.jsonl` });
    statements['turn']?.run({ id: session });
  }
  const text = `Remark ${id} of session ${session}.`;
  const spans = JSON.stringify([['assistant', 0, text.length]]);
  statements['chunk']?.run({ id, project, session, seq, spans, text });
  statements['words']?.run(id, `p${project}`, text);
  statements['vector']?.run(modelId, project, id, Buffer.from(vector.buffer));
}

/**
 * @param {() => number} random
 * @param {number} dim
 */
function unitVector(random, dim) {
  const vector = Float32Array.from({ length: dim }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((component) => component / length);
}
