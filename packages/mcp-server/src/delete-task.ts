import type { TaskContext } from '@causantic/compute';
import { waitingNotice } from '@causantic/domain';
import { withStore } from '@causantic/storage';

/** Chunks to delete, and sessions to lose their titles alone. */
export interface Deletion {
  ids: readonly number[];
  titled: readonly number[];
}

export interface DeletionInput extends Deletion {
  databasePath: string;
  /** See `Store.madeAt`. */
  memory: string;
  /** For a command: a person waits for it. */
  tellsOfWaits: boolean;
}

/** Worker entry point: deleting many chunks takes seconds, and a server must answer meanwhile. */
export function deleteChunks(
  { databasePath, ids, tellsOfWaits, ...options }: DeletionInput,
  context: TaskContext,
): number {
  const control = {
    isCancelled: () => context.cancelled(),
    onProgress: (done: number, total: number) => context.progress(done, total),
  };
  return withStore(
    databasePath,
    (store) => store.forgetting.delete(ids, { ...options, ...control }),
    tellsOfWaits ? { onWait: waitingNotice('causantic') } : {},
  );
}
