import Sqlite, { type Database } from 'better-sqlite3';
import { errorMessage, StorageError } from '@causantic/domain';

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

type Statements = ReturnType<typeof prepareStatements>;

/**
 * The full-text index over chunks. A phrase is plain text: its words must stand next to each other. Every method
 * throws StorageError CORRUPT when the index cannot be read; nothing else of a store needs it to be there.
 */
export class KeywordIndex {
  private statements: Statements | undefined;

  constructor(private readonly db: Database) {}

  /** Number of chunks that hold the phrase, counted up to `limit`. */
  documentFrequency(phrase: string, scope: KeywordScope, limit: number): number {
    return this.read(({ count }) => count.get(expression(phrase, scope), limit) as number);
  }

  /**
   * Chunks that hold the phrase with their BM25 scores (FTS5's formula, k1 = 1.2, b = 0.75; greater is better), the
   * `limit` newest.
   */
  postings(phrase: string, scope: KeywordScope, weights: ColumnWeights, limit: number): Postings {
    const columns = [weights.prompt, weights.said, weights.tools, weights.results, weights.words];
    const parameters = [...columns, expression(phrase, scope)];
    const rows = this.read(({ scores, scoresOfAgents }) =>
      scope.agentIds
        ? scoresOfAgents.all(...parameters, JSON.stringify(scope.agentIds), limit)
        : scores.all(...parameters, limit),
    );
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
    if ([...text].length < 3) return [];
    return this.read(({ similar }) => similar.all(quote(text), limit) as string[]);
  }

  /** Number of chunks in the index. */
  size(): number {
    return this.read(({ size }) => size.get() as number);
  }

  private read<T>(work: (statements: Statements) => T): T {
    try {
      return work((this.statements ??= prepareStatements(this.db)));
    } catch (cause) {
      if (!(cause instanceof Sqlite.SqliteError)) throw cause;
      const message = `The index of words cannot be read: ${errorMessage(cause)}`;
      throw new StorageError('CORRUPT', message, { cause });
    }
  }
}

function prepareStatements(db: Database) {
  const scores = 'SELECT rowid, -bm25(chunk_fts, 0, ?, ?, ?, ?, ?) FROM chunk_fts WHERE chunk_fts MATCH ?';
  const ofAgents = 'AND rowid IN (SELECT id FROM chunk WHERE agent_id IN (SELECT value FROM json_each(?)))';
  return {
    count: db
      .prepare('SELECT count(*) FROM (SELECT 1 FROM chunk_fts WHERE chunk_fts MATCH ? LIMIT ?)')
      .pluck(),
    scores: db.prepare(`${scores} ${NEWEST}`).raw(),
    scoresOfAgents: db.prepare(`${scores} ${ofAgents} ${NEWEST}`).raw(),
    similar: db
      .prepare('SELECT name FROM identifier_fts WHERE identifier_fts MATCH ? ORDER BY length(name) LIMIT ?')
      .pluck(),
    size: db.prepare('SELECT count(*) FROM chunk_fts_docsize').pluck(),
  };
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
