export type Priority = 'interactive' | 'batch';

/**
 * First in, first out within a priority; everything interactive goes before any batch. Each priority has
 * room for `limit` entries of its own, so that a full batch never keeps a query out.
 */
export class TaskQueue<T> {
  private readonly lanes: Record<Priority, Set<T>> = { interactive: new Set(), batch: new Set() };

  constructor(readonly limit: number) {}

  length(priority: Priority): number {
    return this.lanes[priority].size;
  }

  hasRoom(priority: Priority): boolean {
    return this.lanes[priority].size < this.limit;
  }

  push(entry: T, priority: Priority): void {
    this.lanes[priority].add(entry);
  }

  /** Of an entry that was taken out last: it comes first again, whether or not there is room. */
  putBack(entry: T, priority: Priority): void {
    this.lanes[priority] = new Set([entry, ...this.lanes[priority]]);
  }

  shift(): T | undefined {
    return takeFirst(this.lanes.interactive) ?? takeFirst(this.lanes.batch);
  }

  /** False when the entry had left the queue already. */
  remove(entry: T): boolean {
    return this.lanes.interactive.delete(entry) || this.lanes.batch.delete(entry);
  }
}

function takeFirst<T>(lane: Set<T>): T | undefined {
  for (const entry of lane) {
    lane.delete(entry);
    return entry;
  }
  return undefined;
}
