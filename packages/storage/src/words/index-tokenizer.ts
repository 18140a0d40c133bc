import type { Statement } from 'better-sqlite3';
import { foldedLetters } from './folded-letters.js';
import { openSqlite } from '../database/sqlite.js';

/** As `chunk_fts` is declared: what it does to the words of a chunk has to happen to those of a question. */
const TOKENIZER = 'porter unicode61 remove_diacritics 2';

/** Phrases whose words are remembered. */
const MAX_KNOWN = 1_000;

/** Says which words of the index a phrase is made of. FTS5 alone knows how it cuts and stems: a table of its own does it. */
export class IndexTokenizer {
  private readonly known = new Map<string, readonly string[]>();
  private table: { put: Statement; words: Statement; clear: Statement } | undefined;

  /** The words as they stand in the index, in order. */
  words(phrase: string): readonly string[] {
    const known = this.known.get(phrase);
    if (known) return known;
    const found = this.cut(phrase);
    this.remember(phrase, found);
    return found;
  }

  /** Makes words known at once, which one by one takes 20 µs for each. */
  learn(phrases: readonly string[]): void {
    // Of others it is not certain that each is one word.
    const unknown = phrases.filter((phrase) => /^[a-z]+$/.test(phrase) && !this.known.has(phrase));
    const found = this.cut(unknown.join(' '));
    for (const [index, phrase] of unknown.entries()) this.remember(phrase, [found[index]!]);
  }

  private cut(phrase: string): string[] {
    const { put, words, clear } = (this.table ??= openTable());
    put.run(foldedLetters(phrase));
    const found = words.all() as string[];
    clear.run();
    return found;
  }

  private remember(phrase: string, words: readonly string[]): void {
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(phrase, words);
  }
}

function openTable() {
  // Not in the store's connection: there a change would look like one of the memory.
  const db = openSqlite(':memory:');
  db.exec(`CREATE VIRTUAL TABLE phrase USING fts5(text, content='', tokenize='${TOKENIZER}')`);
  db.exec("CREATE VIRTUAL TABLE word USING fts5vocab('phrase', 'instance')");
  return {
    put: db.prepare('INSERT INTO phrase (rowid, text) VALUES (1, ?)'),
    words: db.prepare('SELECT term FROM word ORDER BY offset').pluck(),
    clear: db.prepare("INSERT INTO phrase(phrase) VALUES ('delete-all')"),
  };
}
