/** Merges several orders: each in turn contributes its best item not yet taken, the first order first. */
export function inTurns<T>(orders: readonly (readonly T[])[]): T[] {
  const given = new Set<T>();
  const next = orders.map(() => 0);
  for (let before = -1; before < given.size;) {
    before = given.size;
    orders.forEach((order, i) => {
      while (next[i]! < order.length && given.has(order[next[i]!]!)) next[i]!++;
      if (next[i]! < order.length) given.add(order[next[i]!++]!);
    });
  }
  return [...given];
}
