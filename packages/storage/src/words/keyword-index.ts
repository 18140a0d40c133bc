import { setImmediate } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { errorMessage, StorageError } from '@causantic/domain';
import { IDS_OF_AGENTS } from '../chunks/chunk-filter.js';
import { numbersOf } from '../database/number-list.js';
import { mayRollBack } from '../database/read-transaction.js';
import { isSqliteError } from '../database/sqlite.js';
import { writeTransaction } from '../database/write-transaction.js';
import { foldedLetters } from './folded-letters.js';
import { IndexTokenizer } from './index-tokenizer.js';
import type { ColumnWeights, KeywordScope, Postings } from './postings.js';
import { wordsMeant } from './typed-words.js';
import { WordPostings } from './word-postings.js';

/** So many words that stand as far apart as in a text are the text, if they are this share of it: stop words make up half. */
const LEAST_TELLING = 5;
const LEAST_TELLING_SHARE = 1 / 3;
/** Chunks of a word that FTS5 finds faster than it goes through all that hold it, if these are many. */
const FEW = 2_000;
/** Of the index, written in one step. */
const MERGED_PAGES = 500;
const NEWEST = 'ORDER BY rowid DESC LIMIT ?';

type Statements = ReturnType<typeof prepareStatements>;

/**
 * The full-text index over chunks. A phrase is plain text: its words must stand next to each other. Every method
 * throws StorageError CORRUPT if the index cannot be read; no other part of a store needs the index.
 */
export class KeywordIndex {
  private statements: Statements | undefined;
  private readonly tokenizer = new IndexTokenizer();

  constructor(private readonly db: Database) {}

  /**
   * For each phrase, the number of chunks that have it, counted up to `limit`; if the scope names agents, all are
   * counted.
   */
  documentFrequencies(phrases: readonly string[], { projectId }: KeywordScope, limit: number): number[] {
    const wordsOfEach = this.tokenizer.wordsOfEach(phrases);
    return this.read(({ words: ofWords, count }) =>
      phrases.map((phrase, index) => {
        const words = wordsOfEach[index]!;
        const word = lookedUpAlone(words);
        const byMatch = (): number => count.get(expression(phrase, projectId), limit) as number;
        if (word === undefined) return words.length === 0 ? 0 : byMatch();
        // FTS5 counts those of a project faster than their postings can be read.
        if (projectId !== undefined) return ofWords.documentFrequency(word) === 0 ? 0 : byMatch();
        return limit <= FEW
          ? ofWords.documentFrequencyUpTo(word, limit, byMatch)
          : Math.min(ofWords.documentFrequency(word), limit);
      }),
    );
  }

  /**
   * The `limit` newest chunks with the phrase, and their BM25 scores (FTS5's formula, k1 = 1.2, b = 0.75; greater is
   * better).
   */
  postings(phrase: string, scope: KeywordScope, weights: ColumnWeights, limit: number): Postings {
    const words = this.tokenizer.words(phrase);
    if (words.length === 0) return { ids: [], scores: [] };
    const word = lookedUpAlone(words);
    return this.read((statements) => {
      const ofWord = word === undefined ? undefined : statements.words.postings(word, scope, weights, limit);
      return ofWord ?? postingsByMatch(statements, { phrase, scope, weights, limit });
    });
  }

  /**
   * The `limit` newest chunks in which two words are adjacent, in either order, with the scores of a word that each
   * contains once.
   */
  sideBySide(words: readonly [string, string], scope: KeywordScope, limit: number): Postings {
    const [first, second] = words.map((word) => lookedUpAlone(this.tokenizer.words(word)));
    return this.read((statements) => {
      const areKnown = first !== undefined && second !== undefined && first !== second;
      const known = areKnown ? statements.words.sideBySide([first, second], scope, limit) : undefined;
      const near = `NEAR(${words.map(quote).join(' ')}, 0)`;
      return statements.words.scoredOnce(known ?? idsByMatch(statements, near, scope, limit));
    });
  }

  /** Known identifiers that contain this text (three characters or more), shortest first. */
  identifiersContaining(text: string, limit: number): string[] {
    if ([...text].length < 3) return [];
    return this.read(({ similar }) => similar.all(quote(text), limit) as string[]);
  }

  /**
   * The `limit` newest chunks that contain all words of a text in sequence; scores as in {@link sideBySide}. If enough of
   * its words were looked up, the others are not compared.
   * @param phrases looked up before
   */
  literally(text: string, phrases: readonly string[], scope: KeywordScope, limit: number): Postings {
    const words = this.tokenizer.words(text);
    const compared = this.lookedUp(words, phrases);
    const least = compared.filter((word) => word !== undefined).length;
    return this.read((statements) => {
      const { words: ofWords } = statements;
      if (least >= Math.max(LEAST_TELLING, words.length * LEAST_TELLING_SHARE))
        return ofWords.scoredOnce(ofWords.aligned(compared, scope, { least, limit }));
      const mayBeFound = ofWords.mayBeInSequence(words, scope);
      return ofWords.scoredOnce(mayBeFound ? idsByMatch(statements, quote(text), scope, limit) : []);
    });
  }

  /**
   * The `limit` newest chunks that contain at least `least` of a text's words at the same distances as in the text; scores
   * as in {@link sideBySide}.
   * @param phrases looked up before; other words are not compared
   */
  nearlyLiterally(
    text: string,
    phrases: readonly string[],
    scope: KeywordScope,
    bounds: { least: number; limit: number },
  ): Postings {
    const words = this.lookedUp(this.tokenizer.words(text), phrases);
    return this.read((statements) =>
      statements.words.scoredOnce(statements.words.aligned(words, scope, bounds)),
    );
  }

  /** The words that are among the phrases, each at its place. */
  private lookedUp(words: readonly string[], phrases: readonly string[]): (string | undefined)[] {
    const lookedUp = new Set(phrases.map((phrase) => lookedUpAlone(this.tokenizer.words(phrase))));
    return words.map((word) => (lookedUp.has(word) ? word : undefined));
  }

  /** The word as the index has it, and words that differ only in their last letters, like inflected forms; nearest first. */
  formsOf(phrase: string, limit: number): string[] {
    const [word = '', ...others] = this.tokenizer.words(phrase);
    if (others.length > 0 || word === '') return [];
    const ending = word.length < SHORTEST_WITH_FORMS ? 0 : Math.min(ENDING, word.length - SHORTEST_STEM);
    const stem = word.slice(0, word.length - ending);
    const nearness = (form: string): number =>
      commonBeginning(form, word) - Math.abs(form.length - word.length);
    return this.read(({ words }) => words.beginningWith(stem, MAX_FORMS_READ))
      .filter((form) => form.length <= word.length + ending)
      .sort((a, b) => nearness(b) - nearness(a))
      .slice(0, limit);
  }

  /** Longer and shorter forms of a hash, of which Git shows as many characters as it takes to tell it from others. */
  hashesLike(hash: string, limit: number): string[] {
    const [word = ''] = this.tokenizer.words(hash);
    const isAlike = (other: string): boolean =>
      other !== word && /\d/.test(other) && (other.startsWith(word) || word.startsWith(other));
    return this.read(({ words }) => words.beginningWith(word.slice(0, SHORTEST_HASH), limit)).filter(isAlike);
  }

  /**
   * For a word that no chunk has: the most frequent one that was likely meant, to be looked up instead. The index has stems
   * alone: `resonate` would be read as `reasonate`, which is no word, but has the stem of `reason`. So a word that is not its
   * own stem has to be known.
   */
  nearestSpelling(typed: string, isKnown: (word: string) => boolean): string | undefined {
    // Digits tell codes apart.
    if (!/^\p{L}+$/u.test(typed)) return undefined;
    if (typed.length < TYPED_LETTERS.least || typed.length > TYPED_LETTERS.most) return undefined;
    const meant = wordsMeant(typed.toLowerCase());
    const stems = this.tokenizer.wordsOfEach(meant).map(([word = '']) => word);
    return this.read(({ words }) => {
      if (this.tokenizer.words(typed).some((word) => words.documentFrequency(word) > 0)) return undefined;
      const frequencies = words.frequenciesOfHeld(stems);
      const [nearest] = meant
        .map((word, at) => ({ word, stem: stems[at]!, frequency: frequencies.get(stems[at]!) ?? 0 }))
        .filter(({ word, stem, frequency }) => frequency > 0 && (word === stem || isKnown(word)))
        .sort((one, other) => other.frequency - one.frequency);
      return nearest?.word;
    });
  }

  /** Preloads what scoring needs. Call this when there is time, for example before a server's first question. */
  async readAhead(): Promise<void> {
    while (this.read(({ words }) => words.readAhead())) await setImmediate();
  }

  /** Those of the chunks that hold words of a person. */
  saidByPerson(ids: readonly number[]): Set<number> {
    return this.read(({ words }) => words.saidByPerson(ids));
  }

  /** Number of chunks in the index. */
  size(): number {
    return this.read(({ words }) => words.size());
  }

  /**
   * Puts together what each transaction wrote apart from the others: a word is then looked up in one place instead of some
   * twenty. Takes a hundredth of the time in which it was written, in steps between which others write.
   */
  merge(): void {
    const merge = this.db.prepare("INSERT INTO chunk_fts (chunk_fts, rank) VALUES ('merge', ?)");
    const changes = this.db.prepare('SELECT total_changes()').pluck();
    // A negative number of pages has all of it merged, and not only what FTS5 itself would merge next.
    for (let pages = -MERGED_PAGES, isMore = true; isMore; pages = MERGED_PAGES) {
      const before = changes.get() as number;
      writeTransaction(this.db, () => merge.run(pages));
      // One is the command itself.
      isMore = (changes.get() as number) - before > 1;
    }
  }

  private read<T>(work: (statements: Statements) => T): T {
    try {
      const statements = this.statements ?? prepareStatements(this.db);
      // Tables of this connection that a transaction made go when it is taken back.
      if (!mayRollBack(this.db)) this.statements = statements;
      return work(statements);
    } catch (cause) {
      if (!isSqliteError(cause)) throw cause;
      const message = `The word index cannot be read: ${errorMessage(cause)}`;
      throw new StorageError('CORRUPT', message, { cause });
    }
  }
}

/** Shorter words are too similar to other words. */
const SHORTEST_STEM = 5;
const SHORTEST_WITH_FORMS = 6;
/** Letters in which two forms of a word may differ. */
const ENDING = 2;
const MAX_FORMS_READ = 50;
/** Git abbreviates to seven characters or more, and the tokenizer may take an `e` off their end. */
const SHORTEST_HASH = 6;

/** Shorter words are too similar to others. Each letter takes a millisecond or two, and longer ones are hardly words. */
const TYPED_LETTERS = { least: 6, most: 24 };

function commonBeginning(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

function prepareStatements(db: Database) {
  const scores = 'SELECT rowid, -bm25(chunk_fts, 0, ?, ?, ?, ?, ?) FROM chunk_fts WHERE chunk_fts MATCH ?';
  const ids = 'SELECT rowid FROM chunk_fts WHERE chunk_fts MATCH ?';
  // With the plus FTS5 walks along the words once; otherwise it looks them up anew for each chunk of the agents.
  const ofAgents = `AND +rowid IN (${IDS_OF_AGENTS})`;
  return {
    count: db
      .prepare('SELECT count(*) FROM (SELECT 1 FROM chunk_fts WHERE chunk_fts MATCH ? LIMIT ?)')
      .pluck(),
    scores: db.prepare(`${scores} ${NEWEST}`).raw(),
    scoresOfAgents: db.prepare(`${scores} ${ofAgents} ${NEWEST}`).raw(),
    ids: db.prepare(`SELECT group_concat(rowid) FROM (${ids} ${NEWEST})`).pluck(),
    idsOfAgents: db.prepare(`SELECT group_concat(rowid) FROM (${ids} ${ofAgents} ${NEWEST})`).pluck(),
    words: new WordPostings(db),
    similar: db
      .prepare('SELECT name FROM identifier_fts WHERE identifier_fts MATCH ? ORDER BY length(name) LIMIT ?')
      .pluck(),
  };
}

/** The word that represents a project in the index's scope column. */
export function projectScope(projectId: number): string {
  return `p${projectId}`;
}

/** The one word of a phrase, unless it is also found where the index says whose a chunk is. */
function lookedUpAlone([word, ...others]: readonly string[]): string | undefined {
  return others.length > 0 || /^p\d+$/.test(word ?? '') ? undefined : word;
}

interface PhraseQuery {
  phrase: string;
  scope: KeywordScope;
  weights: ColumnWeights;
  limit: number;
}

function postingsByMatch(statements: Statements, { phrase, scope, weights, limit }: PhraseQuery): Postings {
  const columns = [weights.prompt, weights.said, weights.tools, weights.results, weights.words];
  const parameters = [...columns, expression(phrase, scope.projectId)];
  const rows = (
    scope.agentIds
      ? statements.scoresOfAgents.all(...parameters, JSON.stringify(scope.agentIds), limit)
      : statements.scores.all(...parameters, limit)
  ) as [number, number][];
  return { ids: rows.map(([id]) => id), scores: rows.map(([, score]) => score) };
}

function idsByMatch(
  statements: Statements,
  words: string,
  { projectId, agentIds }: KeywordScope,
  limit: number,
): number[] {
  const match = inScope(projectId, words);
  const list = agentIds
    ? statements.idsOfAgents.get(match, JSON.stringify(agentIds), limit)
    : statements.ids.get(match, limit);
  return [...numbersOf(list as string | null)];
}

function expression(phrase: string, projectId?: number): string {
  return inScope(projectId, quote(phrase));
}

function inScope(projectId: number | undefined, match: string): string {
  const words = `{prompt said tools results words} : ${match}`;
  return projectId === undefined ? words : `scope : ${projectScope(projectId)} AND ${words}`;
}

/** The words as an FTS5 string: nothing in it is query syntax. */
function quote(text: string): string {
  return `"${foldedLetters(text).replaceAll('"', '""').replaceAll('\0', ' ')}"`;
}
