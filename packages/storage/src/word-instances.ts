import type { Database } from 'better-sqlite3';

/** Every place where one word stands, in ascending order of chunks; parallel arrays. */
export interface WordInstances {
  chunkIds: Int32Array;
  /** First letter of the column's name, as its character code. */
  columns: Uint8Array;
}

/** A word that stands in more places is looked up by FTS5's own scores, which read only the newest chunks of a scope. */
const MAX_INSTANCES = 100_000;

/** Places kept from one look-up to the next, 5 bytes each. */
const MAX_KEPT = 400_000;

/** Reads from the word index where a word stands, without looking up each chunk as FTS5's `bm25` does. */
export class WordInstancesReader {
  private readonly kept = new Map<string, WordInstances>();
  private keptPlaces = 0;
  private readonly read;

  constructor(db: Database) {
    db.exec(
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_instance USING fts5vocab('main', 'chunk_fts', 'instance')",
    );
    this.read = db
      .prepare(
        `SELECT count(*) AS places, group_concat(place) AS list FROM
           (SELECT doc * 256 + unicode(col) AS place FROM word_instance WHERE term = ? LIMIT ${MAX_INSTANCES})`,
      )
      .raw();
  }

  /** Undefined when there are too many. */
  of(word: string): WordInstances | undefined {
    const kept = this.kept.get(word);
    if (kept) return kept;
    const [places, list] = this.read.get(word) as [number, string | null];
    if (places === MAX_INSTANCES) return undefined;
    const instances = parsePlaces(list ?? '', places);
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
    this.kept.clear();
    this.keptPlaces = 0;
  }
}

const COMMA = 44;
const ZERO = 48;

function parsePlaces(list: string, places: number): WordInstances {
  const chunkIds = new Int32Array(places);
  const columns = new Uint8Array(places);
  let at = 0;
  for (let place = 0; place < places; place++) {
    let value = 0;
    for (let code = list.charCodeAt(at); at < list.length && code !== COMMA; code = list.charCodeAt(++at)) {
      value = value * 10 + code - ZERO;
    }
    at++;
    chunkIds[place] = Math.floor(value / 256);
    columns[place] = value % 256;
  }
  return { chunkIds, columns };
}
