import type { Database } from 'better-sqlite3';
import { madeOnce, StorageError } from '@causantic/domain';
import { IDS_OF_AGENTS } from '../chunks/chunk-filter.js';
import { numbersOf } from '../database/number-list.js';
import { mayRollBack } from '../database/read-transaction.js';
import { revisionQuery } from '../vectors/embedding-use.js';
import { IndexedChunks, sumOf, varints } from './indexed-chunks.js';
import type { ColumnWeights, KeywordScope, Postings } from './postings.js';
import { type WordInstances, WordInstancesReader } from './word-instances.js';
import { chunksWithNeighbours, mostAligned } from './word-places.js';

/** As FTS5's `bm25`: saturation of a word's frequency, and how much a chunk's length counts. */
const K1 = 1.2;
const B = 0.75;
const LEAST_IDF = 1e-6;

/** How often a repeated word of a text, as in a log, is compared at most: each comparison visits all its places. */
const MOST_COMPARED = 5;

/** If this many times more chunks hold a word than are wanted, FTS5 is faster, because it scores only those. */
const MOST_READ = 16;

/**
 * Postings of single words, with the same scores as FTS5's `bm25` but several times faster: FTS5 looks up the length of
 * each chunk in a table, while all lengths are in memory here. What is kept goes when any process has changed what it says.
 */
export class WordPostings {
  private readonly instances: WordInstancesReader;
  private readonly chunks: IndexedChunks;
  private readonly statements;
  private state = '';
  private count: number | undefined;
  /** By the list of agents: one search asks for the same many times. */
  private ofAgents = new WeakMap<readonly number[], ReadonlySet<number>>();
  /** Of the project that was asked for last: 1 at the ids of its chunks. */
  private ofProject: { id: number; chunks: Uint8Array } | undefined;
  private readonly askRevision: () => number;
  private revision: number | undefined;
  private index = '';

  constructor(private readonly db: Database) {
    this.instances = new WordInstancesReader(db);
    this.chunks = new IndexedChunks(db);
    this.askRevision = revisionQuery(db);
    this.statements = {
      // Own writes move the first, others' the second.
      ownChanges: db.prepare('SELECT total_changes()').pluck(),
      dataVersion: db.prepare('PRAGMA data_version').pluck(),
      // The totals go on counting what was deleted, and FTS5's scores with them.
      size: db.prepare('SELECT count(*) FROM chunk_fts_docsize').pluck(),
      totals: db.prepare('SELECT block FROM chunk_fts_data WHERE id = 1').pluck(),
      // Its totals and the list of its pieces: whatever is put in or taken out changes them.
      index: db.prepare('SELECT group_concat(hex(block)) FROM chunk_fts_data WHERE id IN (1, 10)').pluck(),
      ofAgents: db.prepare(`SELECT group_concat(id) FROM (${IDS_OF_AGENTS})`).pluck(),
      ofProject: db
        .prepare('SELECT group_concat(id) FROM chunk INDEXED BY chunk_by_project WHERE project_id = ?')
        .pluck(),
    };
  }

  /** Number of chunks in the index. */
  size(): number {
    this.refresh();
    return (this.count ??= this.statements.size.get() as number);
  }

  /** Reads some of what scoring asks for; false when all of it was read. */
  readAhead(): boolean {
    this.refresh();
    return this.chunks.readAhead();
  }

  /** How many chunks hold the word. */
  documentFrequency(word: string): number {
    this.refresh();
    return this.instances.chunksHolding(word);
  }

  /** The same up to a limit; `count` is asked where it is not known. */
  documentFrequencyUpTo(word: string, limit: number, count: () => number): number {
    this.refresh();
    return this.instances.chunksHoldingUpTo(word, limit, count);
  }

  /** Of those of many words that any chunk holds. */
  frequenciesOfHeld(words: readonly string[]): ReadonlyMap<string, number> {
    return this.instances.chunksHoldingEach(words);
  }

  beginningWith(beginning: string, limit: number): string[] {
    return this.instances.beginningWith(beginning, limit);
  }

  /** The `limit` newest chunks of the scope that hold the word; undefined when that takes longer than asking FTS5. */
  postings(word: string, scope: KeywordScope, weights: ColumnWeights, limit: number): Postings | undefined {
    this.refresh();
    const holding = this.instances.chunksHolding(word);
    if (holding > MOST_READ * limit) return undefined;
    const instances = this.instances.of(word);
    const found = newest(instances, { isInScope: this.filter(scope), weights, limit });
    if (found.ids.length === 0) return { ids: [], scores: [] };
    this.chunks.load(found.ids);
    return { ids: found.ids, scores: this.scores(found, holding) };
  }

  /**
   * The `limit` newest chunks of the scope in which two words, not the same, stand next to each other; undefined where
   * one of them was not looked up.
   */
  sideBySide(words: readonly [string, string], scope: KeywordScope, limit: number): number[] | undefined {
    this.refresh();
    const [first, second] = words.map((word) => this.instances.known(word));
    if (first === undefined || second === undefined) return undefined;
    const isInScope = this.filter(scope);
    return chunksWithNeighbours(first, second).filter(isInScope).slice(0, limit);
  }

  /**
   * The `limit` newest of the chunks that hold most of a text's words, `least` of them or more, as far apart as the text
   * does. A word that is undefined, or was not looked up, is not compared.
   */
  aligned(
    words: readonly (string | undefined)[],
    scope: KeywordScope,
    { least, limit }: LeastAligned,
  ): number[] {
    this.refresh();
    const aligned = mostAligned(this.compared(words), least, this.filter(scope));
    const ids = [...aligned.keys()];
    const most = ids.reduce((count, id) => Math.max(count, aligned.get(id)!), 0);
    return ids
      .filter((id) => aligned.get(id) === most)
      .sort((a, b) => b - a)
      .slice(0, limit);
  }

  /** False if no chunk of the scope holds those of the words that were looked up as far apart as they are given: FTS5 reads all words. */
  mayBeInSequence(words: readonly string[], scope: KeywordScope): boolean {
    this.refresh();
    const places = this.compared(words);
    const least = places.filter((place) => place !== undefined).length;
    return least === 0 || mostAligned(places, least, this.filter(scope)).size > 0;
  }

  /** Where each of the words stands, as far as it was looked up and is to be compared. */
  private compared(words: readonly (string | undefined)[]): (WordInstances | undefined)[] {
    const times = new Map<string, number>();
    return words.map((word) => {
      if (word === undefined) return undefined;
      const time = (times.get(word) ?? 0) + 1;
      times.set(word, time);
      return time > MOST_COMPARED ? undefined : this.instances.known(word);
    });
  }

  /** Chunks with the scores of a word that these hold once each and no others. */
  scoredOnce(ids: number[]): Postings {
    if (ids.length === 0) return { ids, scores: [] };
    this.refresh();
    this.chunks.load(ids);
    return { ids, scores: this.scores({ ids, frequencies: ids.map(() => 1) }, ids.length) };
  }

  saidByPerson(ids: readonly number[]): Set<number> {
    this.refresh();
    this.chunks.load(ids);
    return new Set(ids.filter((id) => this.chunks.isSaidByPerson(id)));
  }

  private filter({ projectId, agentIds }: KeywordScope): (id: number) => boolean {
    const ofProject = projectId === undefined ? undefined : this.chunksOfProject(projectId);
    const ofAgents = agentIds && this.chunksOf(agentIds);
    return (id) => (ofProject === undefined || ofProject[id] === 1) && ofAgents?.has(id) !== false;
  }

  /** All of them: to ask for each chunk that holds a word whose it is takes many times longer, in a program that just began. */
  private chunksOfProject(id: number): Uint8Array {
    if (this.ofProject?.id !== id) {
      const ids = numbersOf(this.statements.ofProject.get(id) as string | null);
      const chunks = new Uint8Array(ids.reduce((most, each) => Math.max(most, each), 0) + 1);
      for (const each of ids) chunks[each] = 1;
      this.ofProject = { id, chunks };
    }
    return this.ofProject.chunks;
  }

  private chunksOf(agentIds: readonly number[]): ReadonlySet<number> {
    const ask = () =>
      new Set(numbersOf(this.statements.ofAgents.get(JSON.stringify(agentIds)) as string | null));
    return madeOnce(this.ofAgents, agentIds, ask);
  }

  private scores({ ids, frequencies }: Frequencies, holding: number): number[] {
    const totals = this.statements.totals.get() as Uint8Array | undefined;
    const [rows = 0, ...words] = varints(totals ?? new Uint8Array());
    if (rows === 0)
      throw new StorageError('CORRUPT', 'The word index cannot be read: its totals are missing');
    const idf = Math.max(Math.log((rows - holding + 0.5) / (holding + 0.5)), LEAST_IDF);
    const mean = sumOf(words) / rows;
    return ids.map((id, index) => {
      const frequency = frequencies[index]!;
      return (
        idf * ((frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * this.chunks.length(id)) / mean)))
      );
    });
  }

  /** What was kept is as of another state of the store. */
  private refresh(): void {
    const { ownChanges, dataVersion } = this.statements;
    // What is written in a transaction may be taken back without a trace.
    const state = mayRollBack(this.db) ? '' : `${String(ownChanges.get())}/${String(dataVersion.get())}`;
    if (state !== '' && state === this.state) return;
    this.state = state;
    this.ofAgents = new WeakMap();
    this.ofProject = undefined;
    // An archive that took the store's place moves it, and brings other chunks under the same ids.
    const revision = state === '' ? undefined : this.askRevision();
    const isOther = state === '' || revision !== this.revision;
    if (isOther) this.chunks.clear();
    this.revision = revision;
    // Most writes bring vectors, or say how far something was read.
    const index = String(this.statements.index.get());
    if (isOther || index !== this.index) {
      this.count = undefined;
      this.instances.clear();
    }
    this.index = index;
  }
}

/** Chunks in descending order with how often each holds a word, by who wrote it; parallel arrays. */
interface Frequencies {
  ids: number[];
  frequencies: number[];
}

interface LeastAligned {
  least: number;
  limit: number;
}

interface Choice {
  isInScope: (id: number) => boolean;
  weights: ColumnWeights;
  limit: number;
}

function newest({ chunkIds, columns }: WordInstances, { isInScope, weights, limit }: Choice): Frequencies {
  const weightOf = weightsByLetter(weights);
  const ids: number[] = [];
  const frequencies: number[] = [];
  for (let i = chunkIds.length - 1; i >= 0;) {
    const id = chunkIds[i]!;
    let first = i;
    while (first > 0 && chunkIds[first - 1] === id) first--;
    if (isInScope(id)) {
      if (ids.length === limit) break;
      ids.push(id);
      // Added up in the order of the text, as FTS5 does: the same to the last digit.
      let frequency = 0;
      for (let at = first; at <= i; at++) frequency += weightOf[columns[at]!]!;
      frequencies.push(frequency);
    }
    i = first - 1;
  }
  return { ids, frequencies };
}

function weightsByLetter(weights: ColumnWeights): Float64Array {
  const byLetter = new Float64Array(256);
  for (const [column, weight] of Object.entries(weights)) byLetter[column.charCodeAt(0)] = weight as number;
  return byLetter;
}
