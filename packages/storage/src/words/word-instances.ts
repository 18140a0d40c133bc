import type { Database } from 'better-sqlite3';
import { COMMA, ZERO } from '../database/number-list.js';

/** Every place where one word stands, in ascending order of chunks, in each as its columns are declared; parallel arrays. */
export interface WordInstances {
  chunkIds: Int32Array;
  /** First letter of the column's name, as its character code. */
  columns: Uint8Array;
  /** Words before it in the column. No chunk has 65,536. */
  offsets: Uint16Array;
}

/** Words whose count is kept, until the index changes. */
const MAX_COUNTS = 10_000;

/** Places kept from one look-up to the next, 7 bytes each: the frequent words of a hundred thousand chunks. */
const MAX_KEPT = 4_000_000;

/** Reads from the word index where a word stands, without looking up each chunk as FTS5's `bm25` does. */
export class WordInstancesReader {
  private readonly counts = new Map<string, number>();
  private readonly kept = new Map<string, WordInstances>();
  private keptPlaces = 0;
  private readonly count;
  private readonly read;
  private readonly beginning;

  constructor(db: Database) {
    const views = { word_count: 'row', word_instance: 'instance' };
    for (const [name, type] of Object.entries(views)) {
      db.exec(
        `CREATE VIRTUAL TABLE IF NOT EXISTS temp.${name} USING fts5vocab('main', 'chunk_fts', '${type}')`,
      );
    }
    this.count = db.prepare('SELECT doc FROM word_count WHERE term = ?').pluck();
    this.beginning = db.prepare('SELECT term FROM word_count WHERE term >= ? AND term < ? LIMIT ?').pluck();
    this.read = db
      .prepare(
        'SELECT group_concat((doc * 256 + unicode(col)) * 65536 + offset) FROM word_instance WHERE term = ?',
      )
      .pluck();
  }

  /** How many chunks hold the word. */
  chunksHolding(word: string): number {
    return this.counts.get(word) ?? this.counted(word, (this.count.get(word) as number | undefined) ?? 0);
  }

  /** The same up to a limit, as `count` says where it is not known: it need not go through all of them. */
  chunksHoldingUpTo(word: string, limit: number, count: () => number): number {
    const ofAll = this.counts.get(word);
    if (ofAll !== undefined) return Math.min(ofAll, limit);
    // No word has a blank.
    const upTo = `${word} ${limit}`;
    const known = this.counts.get(upTo);
    if (known !== undefined) return known;
    const few = count();
    return this.counted(few < limit ? word : upTo, few);
  }

  /** How many chunks hold each of many words, for those that any holds. Not kept: most are held by none. */
  chunksHoldingEach(words: readonly string[]): ReadonlyMap<string, number> {
    const counts = [...new Set(words)].map(
      (word) => [word, this.count.get(word) as number | undefined] as const,
    );
    return new Map(counts.flatMap(([word, count]) => (count === undefined ? [] : [[word, count]])));
  }

  private counted(key: string, count: number): number {
    if (this.counts.size >= MAX_COUNTS) this.counts.clear();
    this.counts.set(key, count);
    return count;
  }

  /** Where the word stands, if it was looked up and the index has not changed since. */
  known(word: string): WordInstances | undefined {
    return this.kept.get(word);
  }

  /** Words of the index that begin so, in the order of the alphabet. */
  beginningWith(beginning: string, limit: number): string[] {
    return this.beginning.all(beginning, `${beginning}\u{10FFFF}`, limit) as string[];
  }

  /** In time that grows with the number of places, whatever is wanted of them. */
  of(word: string): WordInstances {
    const instances = this.kept.get(word) ?? instancesIn((this.read.get(word) as string | null) ?? '');
    this.drop(word);
    this.kept.set(word, instances);
    this.keptPlaces += instances.chunkIds.length;
    // What was looked up last stays: which words of a question are kept must not depend on the questions before it.
    for (const oldest of this.kept.keys()) {
      if (this.keptPlaces <= MAX_KEPT) break;
      this.drop(oldest);
    }
    return instances;
  }

  private drop(word: string): void {
    this.keptPlaces -= this.kept.get(word)?.chunkIds.length ?? 0;
    this.kept.delete(word);
  }

  /** The index has changed. */
  clear(): void {
    this.counts.clear();
    this.kept.clear();
    this.keptPlaces = 0;
  }
}

/** A chunk's id times 256, plus the letter, times 65,536 has at least this many digits. */
const FEWEST_DIGITS = 8;

/** From a list of chunks times 256 plus the letter, times 65,536 plus the offset; in one pass, as lists are long. */
function instancesIn(list: string): WordInstances {
  const most = Math.ceil(list.length / FEWEST_DIGITS);
  const chunkIds = new Int32Array(most);
  const columns = new Uint8Array(most);
  const offsets = new Uint16Array(most);
  let count = 0;
  let place = 0;
  for (let at = 0; at < list.length; at++) {
    const code = list.charCodeAt(at);
    if (code !== COMMA) {
      place = place * 10 + code - ZERO;
      if (at < list.length - 1) continue;
    }
    const columnOfChunk = Math.floor(place / 65_536);
    const chunkId = Math.floor(columnOfChunk / 256);
    chunkIds[count] = chunkId;
    // Faster than the remainder of numbers above 32 bits.
    columns[count] = columnOfChunk - chunkId * 256;
    offsets[count] = place - columnOfChunk * 65_536;
    count++;
    place = 0;
  }
  return {
    chunkIds: chunkIds.slice(0, count),
    columns: columns.slice(0, count),
    offsets: offsets.slice(0, count),
  };
}
