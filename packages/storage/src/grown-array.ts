/** Of an array by chunk id. */
export const FIRST_CAPACITY = 1 << 14;

/** The array itself where it has room for `capacity` entries, else a longer one with zeros behind what it holds. */
export function grown<T extends Int32Array | Uint8Array>(array: T, capacity: number): T {
  if (capacity <= array.length) return array;
  const Longer = array.constructor as new (length: number) => T;
  const longer = new Longer(Math.max(capacity, array.length * 2));
  longer.set(array);
  return longer;
}
