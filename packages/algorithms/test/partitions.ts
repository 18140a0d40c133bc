/** Whether two labellings group the points alike, noise (-1) included, whatever the groups are called. */
export function samePartition(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  const forward = new Map<number, number>([[-1, -1]]);
  const backward = new Map<number, number>([[-1, -1]]);
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i]!, b[i]!];
    if ((forward.get(x) ?? y) !== y || (backward.get(y) ?? x) !== x) return false;
    forward.set(x, y);
    backward.set(y, x);
  }
  return a.length === b.length;
}

/** Adjusted Rand index (Hubert and Arabie 1985), noise as one more group. */
export function adjustedRandIndex(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const pairsIn = (keys: string[]): number => {
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
  };
  const indices = Array.from({ length: a.length }, (_, i) => i);
  const both = pairsIn(indices.map((i) => `${a[i]},${b[i]}`));
  const inA = pairsIn(indices.map((i) => `${a[i]}`));
  const inB = pairsIn(indices.map((i) => `${b[i]}`));
  const expected = (inA * inB) / ((a.length * (a.length - 1)) / 2);
  const greatest = (inA + inB) / 2;
  return greatest === expected ? 1 : (both - expected) / (greatest - expected);
}
