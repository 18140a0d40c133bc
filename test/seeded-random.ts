/** Repeatable randomness for property tests (mulberry32). */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Whole, in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  shuffle<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, key: this.next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);
  }
}

/** Runs `check` with many seeds; a failure names the seed in its stack through the thrown error's cause. */
export function forSeeds(count: number, check: (random: SeededRandom) => void): void {
  for (let seed = 1; seed <= count; seed++) {
    try {
      check(new SeededRandom(seed));
    } catch (cause) {
      throw new Error(`with seed ${seed}: ${String(cause)}`, { cause });
    }
  }
}
