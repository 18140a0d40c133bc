/** Rows with their scores, best first; among equal scores the lower row comes first. */
export interface RankedRows {
  rows: number[];
  scores: number[];
}

/** Keeps the k best of any number of offered rows: a heap whose root is the worst kept one. */
export class TopK {
  private readonly rows: number[] = [];
  private readonly scores: number[] = [];

  /** @param least the floor while fewer than `k` are kept */
  constructor(
    private readonly k: number,
    private readonly least = -Infinity,
  ) {}

  /** Lower scores need not be offered. */
  get floor(): number {
    return this.rows.length < this.k ? this.least : this.scores[0]!;
  }

  offer(row: number, score: number): void {
    if (this.rows.length < this.k) {
      this.rows.push(row);
      this.scores.push(score);
      this.siftUp(this.rows.length - 1);
    } else if (score > this.scores[0]! || (score === this.scores[0]! && row < this.rows[0]!)) {
      this.rows[0] = row;
      this.scores[0] = score;
      this.siftDown();
    }
  }

  ranked(): RankedRows {
    const order = this.rows.map((_, i) => i).sort((a, b) => this.compare(b, a));
    return { rows: order.map((i) => this.rows[i]!), scores: order.map((i) => this.scores[i]!) };
  }

  /** Below zero when entry a is worse than entry b. */
  private compare(a: number, b: number): number {
    return this.scores[a]! - this.scores[b]! || this.rows[b]! - this.rows[a]!;
  }

  private siftUp(child: number): void {
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (this.compare(child, parent) >= 0) return;
      this.swap(child, parent);
      child = parent;
    }
  }

  private siftDown(): void {
    for (let parent = 0; ;) {
      let worst = 2 * parent + 1;
      if (worst >= this.rows.length) return;
      if (worst + 1 < this.rows.length && this.compare(worst + 1, worst) < 0) worst++;
      if (this.compare(parent, worst) <= 0) return;
      this.swap(parent, worst);
      parent = worst;
    }
  }

  private swap(a: number, b: number): void {
    [this.rows[a], this.rows[b]] = [this.rows[b]!, this.rows[a]!];
    [this.scores[a], this.scores[b]] = [this.scores[b]!, this.scores[a]!];
  }
}
