/** A chunk and what it is worth. */
export interface Scored {
  id: number;
  score: number;
}

/** By score, equal ones in the order of ids. */
export function bestFirst(a: Scored, b: Scored): number {
  // Their difference would be a new object in most comparisons.
  if (a.score !== b.score) return a.score < b.score ? 1 : -1;
  return a.id - b.id;
}

/** 0 if there are none. */
export function bestScore(scored: readonly { score: number }[]): number {
  return scored.reduce((best, { score }) => Math.max(best, score), 0);
}

/** The `count` best in order. Of many thousand scores, most are only compared with one of them, not sorted. */
export function bestScored(ids: ArrayLike<number>, scores: ArrayLike<number>, count: number): Scored[] {
  const least = nthGreatest(new Float64Array(scores), count);
  const chosen: Scored[] = [];
  for (let i = 0; i < ids.length; i++) {
    if (scores[i]! >= least) chosen.push({ id: ids[i]!, score: scores[i]! });
  }
  return chosen.sort(bestFirst).slice(0, count);
}

/** Hoare's selection; −∞ where there are fewer. Reorders the values. */
function nthGreatest(values: Float64Array, n: number): number {
  const wanted = values.length - n;
  if (wanted <= 0) return -Infinity;
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const [left, right] = partition(values, low, high);
    if (wanted <= right) high = right;
    else if (wanted >= left) low = left;
    else break;
  }
  return values[wanted]!;
}

/** What is at most the middle value goes to the front, what is at least that to the back; where each begins. */
function partition(values: Float64Array, low: number, high: number): [left: number, right: number] {
  const pivot = values[(low + high) >>> 1]!;
  let [left, right] = [low, high];
  while (left <= right) {
    while (values[left]! < pivot) left++;
    while (values[right]! > pivot) right--;
    if (left > right) break;
    [values[left], values[right]] = [values[right]!, values[left]!];
    left++;
    right--;
  }
  return [left, right];
}
