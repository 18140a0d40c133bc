import type { Database, Statement } from 'better-sqlite3';

/** Which chunks a search may return. Applied inside the query, before any cut. */
export interface KeywordScope {
  projectId?: number;
  agentIds?: readonly number[];
}

/** How much a match counts by who wrote the words; the order of the columns of `chunk_fts`. */
export interface ColumnWeights {
  prompt: number;
  said: number;
  tools: number;
  results: number;
  words: number;
}

/** Chunk ids with their BM25 scores, unordered; parallel arrays. */
export interface Postings {
  ids: number[];
  scores: number[];
}

const NEWEST = 'ORDER BY rowid DESC LIMIT ?';

/** The full-text index over chunks. A phrase is plain text: its words must stand next to each other. */
export class KeywordIndex {
  private readonly count: Statement;
  private readonly scores: Statement;
  private readonly scoresOfAgents: Statement;
  private readonly similar: Statement;

  constructor(private readonly db: Database) {
    this.count = db
      .prepare('SELECT count(*) FROM (SELECT 1 FROM chunk_fts WHERE chunk_fts MATCH ? LIMIT ?)')
      .pluck();
    const scoreSql = `SELECT rowid, -bm25(chunk_fts, 0, ?, ?, ?, ?, ?) FROM chunk_fts WHERE chunk_fts MATCH ?`;
    this.scores = db.prepare(`${scoreSql} ${NEWEST}`).raw();
    this.scoresOfAgents = db
      .prepare(
        `${scoreSql} AND rowid IN (SELECT id FROM chunk WHERE agent_id IN (SELECT value FROM json_each(?))) ${NEWEST}`,
      )
      .raw();
    this.similar = db
      .prepare('SELECT name FROM identifier_fts WHERE identifier_fts MATCH ? ORDER BY length(name) LIMIT ?')
      .pluck();
  }

  /** Number of chunks that hold the phrase, counted up to `limit`. */
  documentFrequency(phrase: string, scope: KeywordScope, limit: number): number {
    return this.count.get(expression(phrase, scope), limit) as number;
  }

  /**
   * Chunks that hold the phrase with their BM25 scores (FTS5's formula, k1 = 1.2, b = 0.75; greater is better), the
   * `limit` newest.
   */
  postings(phrase: string, scope: KeywordScope, weights: ColumnWeights, limit: number): Postings {
    const columns = [weights.prompt, weights.said, weights.tools, weights.results, weights.words];
    const parameters = [...columns, expression(phrase, scope)];
    const rows = scope.agentIds
      ? this.scoresOfAgents.all(...parameters, JSON.stringify(scope.agentIds), limit)
      : this.scores.all(...parameters, limit);
    const ids = new Array<number>(rows.length);
    const scores = new Array<number>(rows.length);
    for (let i = 0; i < rows.length; i++) {
      const [id, score] = rows[i] as [number, number];
      ids[i] = id;
      scores[i] = score;
    }
    return { ids, scores };
  }

  /** Known identifiers that contain this text (three characters or more), shortest first. */
  identifiersContaining(text: string, limit: number): string[] {
    return [...text].length < 3 ? [] : (this.similar.all(quote(text), limit) as string[]);
  }

  /** Number of chunks in the index. */
  size(): number {
    return this.db.prepare('SELECT count(*) FROM chunk_fts_docsize').pluck().get() as number;
  }
}

/** The word in the index's scope column that stands for a project. */
export function projectScope(projectId: number): string {
  return `p${projectId}`;
}

function expression(phrase: string, scope: KeywordScope): string {
  const words = `{prompt said tools results words} : ${quote(phrase)}`;
  return scope.projectId === undefined ? words : `scope : ${projectScope(scope.projectId)} AND ${words}`;
}

/** An FTS5 string: nothing in it is syntax. */
function quote(text: string): string {
  return `"${text.replaceAll('"', '""').replaceAll('\0', ' ')}"`;
}
