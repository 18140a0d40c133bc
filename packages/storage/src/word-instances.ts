import type { Database } from 'better-sqlite3';

/** Every place where one word stands, in ascending order of chunks; parallel arrays. */
export interface WordInstances {
  chunkIds: Int32Array;
  /** First letter of the column's name, as its character code. */
  columns: Uint8Array;
}

/** Of a word that more chunks hold, FTS5's own scores are read: they need only the newest chunks of a scope. */
const MAX_CHUNKS = 50_000;

/** Places kept from one look-up to the next, 5 bytes each. */
const MAX_KEPT = 400_000;

/** Reads from the word index where a word stands, without looking up each chunk as FTS5's `bm25` does. */
export class WordInstancesReader {
  private readonly counts = new Map<string, number>();
  private readonly kept = new Map<string, WordInstances>();
  private keptPlaces = 0;
  private readonly count;
  private readonly read;

  constructor(db: Database) {
    const views = { word_count: 'row', word_instance: 'instance' };
    for (const [name, type] of Object.entries(views)) {
      db.exec(
        `CREATE VIRTUAL TABLE IF NOT EXISTS temp.${name} USING fts5vocab('main', 'chunk_fts', '${type}')`,
      );
    }
    this.count = db.prepare('SELECT doc FROM word_count WHERE term = ?').pluck();
    // One text for all: rows that cross into JavaScript one by one cost four times as much.
    this.read = db
      .prepare('SELECT group_concat(doc * 256 + unicode(col)) FROM word_instance WHERE term = ?')
      .pluck();
  }

  /** How many chunks hold the word. */
  chunksHolding(word: string): number {
    let count = this.counts.get(word);
    if (count === undefined) {
      count = (this.count.get(word) as number | undefined) ?? 0;
      this.counts.set(word, count);
    }
    return count;
  }

  /** Undefined when too many chunks hold the word. */
  of(word: string): WordInstances | undefined {
    const kept = this.kept.get(word);
    if (kept || this.chunksHolding(word) > MAX_CHUNKS) return kept;
    const instances = parsePlaces((this.read.get(word) as string | null) ?? '');
    this.keep(word, instances);
    return instances;
  }

  private keep(word: string, instances: WordInstances): void {
    if (this.keptPlaces + instances.chunkIds.length > MAX_KEPT) this.clear();
    this.kept.set(word, instances);
    this.keptPlaces += instances.chunkIds.length;
  }

  /** The index has changed. */
  clear(): void {
    this.counts.clear();
    this.kept.clear();
    this.keptPlaces = 0;
  }
}

const COMMA = 44;
const ZERO = 48;

/** The least a place takes in the list: a chunk of one digit, times 256, and a comma. */
const LEAST_CHARACTERS = 4;

function parsePlaces(list: string): WordInstances {
  const most = Math.ceil(list.length / LEAST_CHARACTERS) + 1;
  const chunkIds = new Int32Array(most);
  const columns = new Uint8Array(most);
  let places = 0;
  for (let at = 0; at < list.length; at++, places++) {
    let value = 0;
    for (let code = list.charCodeAt(at); at < list.length && code !== COMMA; code = list.charCodeAt(++at)) {
      value = value * 10 + code - ZERO;
    }
    chunkIds[places] = Math.floor(value / 256);
    columns[places] = value % 256;
  }
  return { chunkIds: chunkIds.slice(0, places), columns: columns.slice(0, places) };
}
