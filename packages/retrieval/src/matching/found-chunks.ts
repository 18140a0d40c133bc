import { grown } from '@causantic/domain/grown-array';

/**
 * Chunks in the order in which they were first found, with numbers that are added up; parallel arrays, since a search
 * adds up thousands.
 */
export class FoundChunks {
  readonly ids: number[] = [];
  /** BM25 scores, summed over terms. */
  readonly scores: number[] = [];
  /** Share of the question's information (by idf) that the chunk's terms carry. */
  readonly coverage: number[] = [];
  /** By id, a chunk's place in the arrays, from 1; 0 for a chunk that was not found. */
  private places: Int32Array;

  /** @param idsBelow an id above those of most chunks that will be added */
  constructor(idsBelow: number) {
    this.places = new Int32Array(idsBelow);
  }

  has(id: number): boolean {
    return this.placeOf(id) > 0;
  }

  /** 0 for a chunk that was not found. */
  scoreOf(id: number): number {
    return valueAt(this.scores, this.placeOf(id));
  }

  /** 0 for a chunk that was not found. */
  coverageOf(id: number): number {
    return valueAt(this.coverage, this.placeOf(id));
  }

  add(id: number, score: number, share: number): void {
    const place = this.placeOf(id);
    if (place > 0) {
      this.scores[place - 1]! += score;
      this.coverage[place - 1]! += share;
      return;
    }
    this.places = grown(this.places, id + 1);
    this.places[id] = this.ids.push(id);
    this.scores.push(score);
    this.coverage.push(share);
  }

  private placeOf(id: number): number {
    return id < this.places.length ? this.places[id]! : 0;
  }
}

/** Places begin at 1. To read an array where it has nothing takes many times longer than this question. */
function valueAt(values: readonly number[], place: number): number {
  return place === 0 ? 0 : values[place - 1]!;
}
