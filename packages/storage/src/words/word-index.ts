import type { Database, Statement } from 'better-sqlite3';
import type { ChunkDraft } from '@causantic/domain';
import { RANKED } from '../chunks/chunks.js';
import { decodeSpans } from '../chunks/stored-spans.js';
import { hasLettersToFold } from './folded-letters.js';
import { projectScope } from './keyword-index.js';
import { withoutListedCommits } from './listed-commits.js';
import { type SearchableText, searchableText } from './searchable-text.js';
import { hasUnspacedText } from './unspaced-text.js';

/** Puts chunks into the full-text index. */
export class WordIndex {
  private readonly insert: Statement;

  constructor(db: Database) {
    this.insert = db.prepare(
      'INSERT INTO chunk_fts (rowid, scope, prompt, said, tools, results, words) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
  }

  add(chunkId: number, projectId: number, chunk: Pick<ChunkDraft, 'text' | 'spans'>): SearchableText {
    const searchable = searchableText(chunk);
    const { prompt, said, tools, results, words } = searchable;
    this.insert.run(chunkId, projectScope(projectId), prompt, said, tools, results, words);
    return searchable;
  }
}

interface IndexedChunk {
  projectId: number;
  text: string;
  spans: string;
}

/** Index every chunk anew that holds text of a script without blanks between words. */
export function indexUnspacedTextAnew(db: Database): void {
  indexAnew(db, hasUnspacedText);
}

/** Index every chunk anew whose letters were not folded. */
export function indexFoldedLettersAnew(db: Database): void {
  indexAnew(db, (text) => hasLettersToFold(text) || /[\uFF9E\uFF9F]/.test(text));
}

/** Index every chunk anew that lists commits, whose messages were indexed with it. */
export function indexListedCommitsAnew(db: Database): void {
  indexAnew(db, (text) => withoutListedCommits(text) !== text);
}

function indexAnew(db: Database, isOldInIndex: (text: string) => boolean): void {
  const index = new WordIndex(db);
  const remove = db.prepare('DELETE FROM chunk_fts WHERE rowid = ?');
  const find = db.prepare('SELECT project_id AS projectId, text, spans FROM chunk WHERE id = ?');
  for (const id of idsOf(db, isOldInIndex)) {
    const chunk = find.get(id) as IndexedChunk;
    remove.run(id);
    index.add(id, chunk.projectId, { text: chunk.text, spans: decodeSpans(chunk.spans) });
  }
}

function idsOf(db: Database, isWanted: (text: string) => boolean): number[] {
  const rows = db.prepare(`SELECT id, text FROM chunk WHERE ${RANKED}`);
  const ids: number[] = [];
  for (const { id, text } of rows.iterate() as IterableIterator<{ id: number; text: string }>) {
    if (isWanted(text)) ids.push(id);
  }
  return ids;
}
