/** Merges several orders of the same items: each in turn contributes its best item not yet taken, the first order first. */
export function inTurns<T>(orders: readonly (readonly T[])[]): T[] {
  const given = new Set<T>();
  const sources = orders.map((order) => notYetGiven(order, given));
  const count = orders[0]?.length ?? 0;
  for (let turn = 0; given.size < count; turn++) given.add(sources[turn % sources.length]!.next().value!);
  return [...given];
}

function* notYetGiven<T>(order: readonly T[], given: ReadonlySet<T>): Generator<T, undefined> {
  for (const item of order) if (!given.has(item)) yield item;
}
