import type { TaskContext } from '@causantic/compute';
import { Store } from '@causantic/storage';

/** Worker entry point: deleting many chunks takes seconds, and a server must answer meanwhile. */
export function deleteChunks(
  {
    databasePath,
    ids,
    ...options
  }: { databasePath: string; memory: string; ids: number[]; titled: number[] },
  context: TaskContext,
): number {
  const store = Store.open(databasePath);
  try {
    return store.forgetting.delete(ids, {
      ...options,
      isCancelled: () => context.cancelled(),
      onProgress: (done, total) => context.progress(done, total),
    });
  } finally {
    store.close();
  }
}
