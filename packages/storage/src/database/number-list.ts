export const COMMA = 44;
export const ZERO = 48;

/**
 * The whole numbers of a text that `group_concat` made, which is how thousands of rows come out of SQLite: crossing
 * into JavaScript one by one, they cost several times as much. Null, of no rows, is an empty list.
 */
export function numbersOf(list: string | null): Float64Array {
  if (list === null) return new Float64Array(0);
  const numbers = new Float64Array(countOf(list));
  let count = 0;
  let value = 0;
  for (let at = 0; at < list.length; at++) {
    const code = list.charCodeAt(at);
    if (code === COMMA) {
      numbers[count++] = value;
      value = 0;
    } else {
      value = value * 10 + code - ZERO;
    }
  }
  numbers[count] = value;
  return numbers;
}

function countOf(list: string): number {
  let count = 1;
  for (let at = 0; at < list.length; at++) if (list.charCodeAt(at) === COMMA) count++;
  return count;
}
