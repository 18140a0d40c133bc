import type { Database } from 'better-sqlite3';
import { RANKED } from './chunks/chunks.js';
import { decodeSpans } from './chunks/stored-spans.js';
import { WordIndex } from './words/word-index.js';

/** What a chunk keeps in another project. */
const KEPT = `session_id, transcript_id, turn_id, agent_id, kind, tokens, start_time, end_time, order_time, line_start,
  line_end, continues, git_branch, files, tools, spans, text`;

/**
 * Moves a session, with everything that was read of it, to another project; its files may be gone. Its chunks get new
 * ids, because other processes assume that a chunk never changes, and keep their vectors. The next linking makes its
 * edges, entities, clocks and topics again.
 */
export function moveSession(db: Database, id: number, projectId: number): void {
  // Of its former project any other session is linked anew, which leads edges between files past those that are gone.
  db.prepare(
    `UPDATE session SET linked = 0 WHERE id = (SELECT max(other.id) FROM session JOIN session other USING (project_id)
       WHERE session.id = ? AND other.id <> session.id)`,
  ).run(id);
  db.prepare('UPDATE session SET project_id = ?, linked = 0 WHERE id = ?').run(projectId, id);
  db.prepare('UPDATE chunk SET seq = -1 - seq WHERE session_id = ?').run(id);
  db.prepare(
    `INSERT INTO chunk (project_id, seq, ${KEPT})
     SELECT ?, -1 - seq, ${KEPT} FROM chunk WHERE session_id = ? ORDER BY id`,
  ).run(projectId, id);
  db.prepare(
    `INSERT INTO chunk_vector SELECT v.model_id, moved.project_id, moved.id, v.vector
     FROM chunk former JOIN chunk moved ON moved.transcript_id = former.transcript_id AND moved.seq = -1 - former.seq
       JOIN chunk_vector v ON v.chunk_id = former.id
     WHERE former.session_id = ? AND former.seq < 0 ORDER BY moved.id`,
  ).run(id);
  db.prepare('DELETE FROM chunk WHERE session_id = ? AND seq < 0').run(id);
  const words = new WordIndex(db);
  const ranked = db.prepare(`SELECT id, text, spans FROM chunk WHERE session_id = ? AND ${RANKED}`).all(id);
  for (const chunk of ranked as { id: number; text: string; spans: string }[]) {
    words.add(chunk.id, projectId, { text: chunk.text, spans: decodeSpans(chunk.spans) });
  }
}
