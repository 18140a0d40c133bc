import type { ChunkDirectory } from '@causantic/storage';

/** Chunks that the directory knows, each once, at places from 1 on; all others share place 0. */
export class CandidateList {
  readonly ids: number[] = [];
  private readonly places: Int32Array;

  constructor(private readonly directory: ChunkDirectory) {
    this.places = new Int32Array(directory.idsBelow);
  }

  add(ids: Iterable<number>): void {
    for (const id of ids) {
      if (this.placeOf(id) > 0 || this.directory.session(id) === undefined) continue;
      this.places[id] = this.ids.push(id);
    }
  }

  placeOf(id: number): number {
    return this.places[id] ?? 0;
  }

  /** By place. Arrays by id would be as long as memory is large. */
  emptyScores(): Float64Array {
    return new Float64Array(this.ids.length + 1);
  }

  /** By place; scores of candidates alone. */
  scoresOf(scores: ReadonlyMap<number, number>): Float64Array {
    const array = this.emptyScores();
    for (const [id, score] of scores) array[this.placeOf(id)] = score;
    return array;
  }
}
