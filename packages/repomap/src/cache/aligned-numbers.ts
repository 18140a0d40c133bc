/**
 * The position of each path in an earlier list of paths. Both lists ascend, so one pass over them is enough.
 *
 * @returns one number per path, -1 for paths that the earlier list lacks
 */
export function alignedNumbers(paths: readonly string[], earlier: readonly string[]): Int32Array {
  const numbers = new Int32Array(paths.length).fill(-1);
  for (let file = 0, number = 0; file < paths.length && number < earlier.length;) {
    if (paths[file] === earlier[number]) numbers[file++] = number++;
    else if (paths[file]! < earlier[number]!) file++;
    else number++;
  }
  return numbers;
}

/** @param numberNow by number before; undefined where all stay the same */
export function renumbered<T extends Uint32Array | Int32Array>(
  numbers: T,
  numberNow: Uint32Array | Int32Array | undefined,
): T {
  if (numberNow === undefined) return numbers;
  const now = numbers.slice() as T;
  for (let i = 0; i < now.length; i++) now[i] = numberNow[now[i]!]!;
  return now;
}
