export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** The array itself where it has room for `capacity` numbers, else a longer one with zeros behind what it holds. */
export function grown<T extends NumberArray>(array: T, capacity: number): T {
  if (capacity <= array.length) return array;
  const Longer = array.constructor as new (length: number) => T;
  const longer = new Longer(Math.max(capacity, array.length * 2));
  longer.set(array);
  return longer;
}
