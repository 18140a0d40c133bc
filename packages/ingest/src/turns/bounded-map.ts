/** Sets an entry of a map, and drops the oldest if there are too many. */
export function setBounded<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}
