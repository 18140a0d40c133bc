/** Merges several orders: each in turn contributes its best item not yet taken, the first order first. */
export function inTurns<T>(orders: readonly (readonly T[])[]): T[] {
  const given = new Set<T>();
  let sources = orders.map((order) => notYetGiven(order, given));
  while (sources.length > 0) {
    sources = sources.filter((source) => {
      const { done, value } = source.next();
      if (!done) given.add(value);
      return !done;
    });
  }
  return [...given];
}

function* notYetGiven<T>(order: readonly T[], given: ReadonlySet<T>): Generator<T, undefined> {
  for (const item of order) if (!given.has(item)) yield item;
}
