import type { Database, Statement } from 'better-sqlite3';

/** What reading and writing transcripts asks SQLite. */
export type TranscriptStatements = Record<keyof typeof TRANSCRIPT_SQL, Statement>;

/** Each is prepared when it is first used: a reader needs none of them. */
export function prepareTranscriptStatements(db: Database): TranscriptStatements {
  const statements = {} as TranscriptStatements;
  for (const [name, sql] of Object.entries(TRANSCRIPT_SQL)) {
    let prepared: Statement | undefined;
    Object.defineProperty(statements, name, { get: () => (prepared ??= db.prepare(sql)) });
  }
  return statements;
}

const TRANSCRIPT_SQL = {
  findTranscript: 'SELECT id, session_id, checkpoint FROM transcript WHERE path = ?',
  insertTranscript: 'INSERT INTO transcript (path) VALUES (?)',
  // Sessions first: rows of transcripts hold their checkpoints.
  pathsOfSource: `SELECT t.path FROM session s CROSS JOIN transcript t ON t.session_id = s.id
       WHERE s.source = ? AND t.checkpoint IS NOT NULL ORDER BY t.path`,
  pathsOfSession: `SELECT t.path FROM transcript t JOIN session s ON s.id = t.session_id
       WHERE s.uuid = ? AND t.checkpoint IS NOT NULL ORDER BY t.path`,
  setPath: `UPDATE transcript SET path = @to WHERE path = @from
       AND NOT EXISTS (SELECT 1 FROM transcript WHERE path = @to)`,
  deleteTranscript: `DELETE FROM transcript WHERE id = ?
       AND NOT EXISTS (SELECT 1 FROM forgotten WHERE transcript_id = transcript.id)`,
  detachTranscript: 'UPDATE transcript SET session_id = NULL, checkpoint = NULL WHERE id = ?',
  deleteEmptySession: `DELETE FROM session WHERE id = ?
       AND NOT EXISTS (SELECT 1 FROM turn WHERE session_id = session.id)`,
  unlinkSession: 'UPDATE session SET linked = 0 WHERE id = ?',
  setTranscriptSession: 'UPDATE transcript SET session_id = ? WHERE id = ?',
  saveCheckpoint: 'UPDATE transcript SET checkpoint = ? WHERE id = ?',
  deleteAllTurns: 'DELETE FROM turn WHERE transcript_id = ?',
  // What was deleted of its records would come back with a fork that is read before they are read anew, or are there again.
  deleteRecords: `DELETE FROM record WHERE transcript_id = ?
       AND NOT EXISTS (SELECT 1 FROM forgotten WHERE transcript_id = record.transcript_id)`,
  findRecord: 'SELECT transcript_id, session_uuid FROM record WHERE uuid = ?',
  insertRecord: 'INSERT INTO record VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  isContinuing: `WITH RECURSIVE earlier (uuid) AS (
         SELECT continues_uuid FROM session WHERE uuid = @from
         UNION SELECT s.continues_uuid FROM earlier JOIN session s ON s.uuid = earlier.uuid)
       SELECT 1 FROM earlier WHERE uuid = @to AND @from <> @to`,
  continuations: `SELECT t.path FROM transcript t JOIN session s ON s.id = t.session_id
       WHERE t.checkpoint IS NOT NULL AND (s.continues_uuid = @uuid OR s.project_id = @projectId AND s.id <> @id
         AND NOT EXISTS (SELECT 1 FROM turn WHERE session_id = s.id)) ORDER BY t.id`,
  pathWithoutDeletions: `SELECT path FROM transcript WHERE id = ?
       AND NOT EXISTS (SELECT 1 FROM forgotten WHERE transcript_id = transcript.id)`,
  moveRecord: 'UPDATE record SET transcript_id = ?, session_uuid = ? WHERE uuid = ?',
  forgetCheckpoint: 'UPDATE transcript SET checkpoint = NULL WHERE path = ?',
  setContinues: 'UPDATE session SET continues_uuid = coalesce(continues_uuid, ?) WHERE id = ?',
  setOriginal: 'UPDATE session SET continues_uuid = ? WHERE id = ?',
  continuesNone: 'UPDATE session SET continues_uuid = NULL, linked = 0 WHERE uuid = ?',
  findSession: 'SELECT id, project_id, cwd FROM session WHERE uuid = ?',
  insertSession: `INSERT INTO session (uuid, project_id, source, cwd, title, git_branch, client_version)
       VALUES (@uuid, @projectId, @source, @cwd, @title, @gitBranch, @clientVersion)`,
  forgetCheckpoints: `UPDATE transcript SET checkpoint = NULL
       WHERE session_id IN (SELECT id FROM session WHERE source = ?)`,
  updateSession: `UPDATE session SET source = @source, cwd = coalesce(cwd, @cwd), title = coalesce(@title, title),
         git_branch = coalesce(@gitBranch, git_branch), client_version = coalesce(@clientVersion, client_version), linked = 0
       WHERE id = @id`,
  upsertAgent: `INSERT INTO agent (session_id, key, kind, name, description, tool_use_id, team_name)
       VALUES (@sessionId, @key, @kind, @name, @description, @toolUseId, @teamName)
       ON CONFLICT (session_id, key) DO UPDATE SET
         kind = excluded.kind,
         name = CASE WHEN excluded.name = excluded.key THEN name ELSE excluded.name END,
         description = CASE WHEN description = '' THEN '' ELSE coalesce(excluded.description, description) END,
         tool_use_id = coalesce(excluded.tool_use_id, tool_use_id),
         team_name = coalesce(excluded.team_name, team_name)
       RETURNING id`,
  agentsTold: `SELECT DISTINCT a.key FROM turn t JOIN agent a ON a.id = t.agent_id WHERE t.transcript_id = ?`,
  findAgent: 'SELECT id FROM agent WHERE session_id = ? AND key = ?',
  transcriptPaths: 'SELECT path FROM transcript WHERE session_id = ?',
  deleteTurnsFromLine: 'DELETE FROM turn WHERE transcript_id = ? AND line_start >= ?',
  // Along an index: a session may be rewound thousands of times.
  turnsFromLast: 'SELECT id, line_start AS line FROM turn WHERE transcript_id = ? ORDER BY ordinal DESC',
  deleteTurn: 'DELETE FROM turn WHERE id = ?',
  // Ordered, SQLite would look through all turns.
  promptsByParent: `SELECT prompt_uuid FROM turn
       WHERE transcript_id = ? AND prompt_parent_uuid = ? AND prompt_uuid IS NOT NULL`,
  countFromLine: `SELECT count(DISTINCT turn.id) AS turns, count(*) AS chunks
       FROM turn JOIN chunk ON chunk.turn_id = turn.id WHERE turn.transcript_id = ? AND turn.line_start >= ?`,
  nextPlaces: `SELECT (SELECT coalesce(max(ordinal) + 1, 0) FROM turn WHERE transcript_id = @id) AS turns,
         (SELECT coalesce(max(seq) + 1, 0) FROM chunk WHERE transcript_id = @id) AS chunks`,
  findForgotten:
    'SELECT rowid AS id, line_start AS lineStart, line_end AS lineEnd, piece FROM forgotten WHERE transcript_id = ? ORDER BY rowid',
  moveForgotten: 'UPDATE forgotten SET line_start = ?, line_end = ? WHERE rowid = ?',
  chunkLines: 'SELECT id, line_start AS "from", line_end AS "to" FROM chunk WHERE transcript_id = ?',
  deleteChunk: 'DELETE FROM chunk WHERE id = ?',
  deleteEmptyTurns: `DELETE FROM turn WHERE transcript_id = ?
       AND NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.turn_id = turn.id)`,
  insertTurn: `INSERT INTO turn (session_id, transcript_id, agent_id, ordinal, prompt_uuid, prompt_parent_uuid,
         line_start, start_time, end_time, facts)
       VALUES (@sessionId, @transcriptId, @agentId, @ordinal, @promptUuid, @promptParentUuid,
         @lineStart, @startTimeMs, @endTimeMs, @facts)`,
  insertChunk: `INSERT INTO chunk (project_id, session_id, transcript_id, turn_id, agent_id, seq, kind, tokens, start_time,
         end_time, order_time, line_start, line_end, continues, git_branch, files, tools, spans, text)
       VALUES (@projectId, @sessionId, @transcriptId, @turnId, @agentId, @seq, @kind, @tokens, @startTimeMs,
         @endTimeMs, @orderTimeMs, @lineStart, @lineEnd, @continues, @gitBranch, @files, @tools, @spans, @text)`,
  insertIdentifier: 'INSERT INTO identifier (name) VALUES (?) ON CONFLICT DO NOTHING',
  insertIdentifierFts: 'INSERT INTO identifier_fts (rowid, name) VALUES (?, ?)',
  lastOrderTime: 'SELECT max(order_time) FROM chunk WHERE transcript_id = ?',
  lastOrderTimeOfMain:
    'SELECT order_time FROM chunk WHERE transcript_id = ? AND agent_id IS NULL ORDER BY seq DESC LIMIT 1',
  lastOrderTimeOfAgent: 'SELECT max(order_time) FROM chunk WHERE agent_id = ? AND transcript_id = ?',
};
