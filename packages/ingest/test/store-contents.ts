import { openSqlite } from '@causantic/storage';

/** Everything ingestion stored, without row ids: two stores with equal contents are equal to every reader. */
export function storeContents(path: string): Record<string, unknown[]> {
  const db = openSqlite(path, { readonly: true });
  const all = (sql: string): unknown[] => db.prepare(sql).all();
  const contents = {
    sessions: all(
      `SELECT s.uuid, p.path AS project, p.slug, s.source, s.cwd, s.title, s.git_branch, s.client_version, s.continues_uuid
       FROM session s JOIN project p ON p.id = s.project_id ORDER BY s.uuid`,
    ),
    agents: all(
      `SELECT s.uuid, a.key, a.kind, a.name, a.description, a.tool_use_id, a.team_name
       FROM agent a JOIN session s ON s.id = a.session_id ORDER BY s.uuid, a.key`,
    ),
    turns: all(
      `SELECT t.path, u.ordinal, a.key AS agent, u.prompt_uuid, u.prompt_parent_uuid, u.line_start, u.start_time, u.end_time, u.facts
       FROM turn u JOIN transcript t ON t.id = u.transcript_id LEFT JOIN agent a ON a.id = u.agent_id
       ORDER BY t.path, u.ordinal`,
    ),
    chunks: all(
      `SELECT t.path, c.seq, u.ordinal AS turn, a.key AS agent, c.kind, c.continues, c.text, c.spans, c.tokens, c.start_time, c.end_time,
         c.order_time, c.files, c.tools, c.git_branch, c.line_start, c.line_end
       FROM chunk c JOIN transcript t ON t.id = c.transcript_id JOIN turn u ON u.id = c.turn_id
       LEFT JOIN agent a ON a.id = c.agent_id ORDER BY t.path, c.seq`,
    ),
    records: all(
      `SELECT hex(r.uuid) AS uuid, t.path FROM record r JOIN transcript t ON t.id = r.transcript_id ORDER BY 1`,
    ),
  };
  db.close();
  return contents;
}
