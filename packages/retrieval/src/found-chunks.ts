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
  private readonly positions = new Map<number, number>();

  has(id: number): boolean {
    return this.positions.has(id);
  }

  /** 0 for a chunk that was not found. */
  scoreOf(id: number): number {
    return this.scores[this.positions.get(id) ?? -1] ?? 0;
  }

  /** 0 for a chunk that was not found. */
  coverageOf(id: number): number {
    return this.coverage[this.positions.get(id) ?? -1] ?? 0;
  }

  add(id: number, score: number, share: number): void {
    const position = this.positions.get(id);
    if (position === undefined) {
      this.positions.set(id, this.ids.length);
      this.ids.push(id);
      this.scores.push(score);
      this.coverage.push(share);
    } else {
      this.scores[position]! += score;
      this.coverage[position]! += share;
    }
  }
}
