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
    const project = database.prepare('INSERT INTO project (id, path, name, slug) VALUES (?, ?, ?, ?)');
    for (let id = 1; id <= projects; id++) project.run(id, `/code/p${id}`, `p${id}`, `p${id}`);
    const addChunk = chunkWriter(database, model.id);
    for (let id = 1; id <= vectors; id++) addChunk(id, unitVector(random, model.dim));
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
 * @param {string} modelId
 * @returns {(id: number, vector: Float32Array) => void} to be called with each id, from 1 on
 */
function chunkWriter(database, modelId) {
  const addSession = database.prepare(
    "INSERT INTO session (id, uuid, project_id, source, linked) VALUES (?, ?, ?, 'claude-code', 1)",
  );
  const addTranscript = database.prepare(
    'INSERT INTO transcript (id, path, session_id) VALUES (@id, @path, @id)',
  );
  const addTurn = database.prepare(
    "INSERT INTO turn (id, session_id, transcript_id, ordinal, line_start, facts) VALUES (@id, @id, @id, 0, 1, '{}')",
  );
  const addText = database.prepare(
    `INSERT INTO chunk (id, project_id, session_id, transcript_id, turn_id, seq, kind, tokens, order_time, line_start,
       line_end, continues, files, tools, spans, text)
     VALUES (@id, @project, @session, @session, @session, @seq, 'dialogue', 8, @id, @id, @id, 0, '[]', '[]', @spans, @text)`,
  );
  const addWords = database.prepare('INSERT INTO chunk_fts (rowid, scope, said) VALUES (?, ?, ?)');
  const addVector = database.prepare('INSERT INTO chunk_vector VALUES (?, ?, ?, ?)');
  return (id, vector) => {
    const session = Math.ceil(id / chunksPerSession);
    const seq = (id - 1) % chunksPerSession;
    const project = ((session - 1) % projects) + 1;
    if (seq === 0) {
      addSession.run(session, `${String(session).padStart(8, '0')}-synthetic`, project);
      addTranscript.run({ id: session, path: `/transcripts/${session}.jsonl` });
      addTurn.run({ id: session });
    }
    const text = `Remark ${id} of session ${session}.`;
    const spans = JSON.stringify([['assistant', 0, text.length]]);
    addText.run({ id, project, session, seq, spans, text });
    addWords.run(id, `p${project}`, text);
    addVector.run(modelId, project, id, Buffer.from(vector.buffer));
  };
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
