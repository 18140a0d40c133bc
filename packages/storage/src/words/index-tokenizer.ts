import type { Statement } from 'better-sqlite3';
import { foldedLetters } from './folded-letters.js';
import { openSqlite } from '../database/sqlite.js';

/** As `chunk_fts` is declared: what it does to the words of a chunk has to happen to those of a question. */
const TOKENIZER = 'porter unicode61 remove_diacritics 2';

/** Of phrases whose words are remembered, and those of one more call. */
const MAX_KNOWN_CHARACTERS = 200_000;

/** Says which words of the index a phrase is made of. FTS5 alone knows how it cuts and stems: a table of its own does it. */
export class IndexTokenizer {
  private readonly known = new Map<string, readonly string[]>();
  private knownCharacters = 0;
  private table: { put: Statement; words: Statement; clear: Statement } | undefined;

  /** The words as they stand in the index, in order. */
  words(phrase: string): readonly string[] {
    return this.wordsOfEach([phrase])[0]!;
  }

  /** The same for each of several phrases; one by one, each takes 20 µs. */
  wordsOfEach(phrases: readonly string[]): (readonly string[])[] {
    if (this.knownCharacters >= MAX_KNOWN_CHARACTERS) this.clear();
    const unknown = [...new Set(phrases)].filter((phrase) => !this.known.has(phrase));
    if (unknown.length > 0)
      this.cut(unknown).forEach((words, index) => this.remember(unknown[index]!, words));
    return phrases.map((phrase) => this.known.get(phrase)!);
  }

  private remember(phrase: string, words: readonly string[]): void {
    this.known.set(phrase, words);
    this.knownCharacters += phrase.length;
  }

  private clear(): void {
    this.known.clear();
    this.knownCharacters = 0;
  }

  private cut(phrases: readonly string[]): string[][] {
    const { put, words, clear } = (this.table ??= openTable());
    put.run(JSON.stringify(phrases.map(foldedLetters)));
    const found: string[][] = phrases.map(() => []);
    for (const [row, word] of words.all() as [number, string][]) found[row]!.push(word);
    clear.run();
    return found;
  }
}

function openTable() {
  // Not in the store's connection: there a change would look like one of the memory.
  const db = openSqlite(':memory:');
  db.exec(`CREATE VIRTUAL TABLE phrase USING fts5(text, content='', tokenize='${TOKENIZER}')`);
  db.exec("CREATE VIRTUAL TABLE word USING fts5vocab('phrase', 'instance')");
  return {
    put: db.prepare('INSERT INTO phrase (rowid, text) SELECT key, value FROM json_each(?)'),
    words: db.prepare('SELECT doc, term FROM word ORDER BY doc, offset').raw(),
    clear: db.prepare("INSERT INTO phrase(phrase) VALUES ('delete-all')"),
  };
}
