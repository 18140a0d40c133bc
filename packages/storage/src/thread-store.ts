import { asStorageError } from './database/storage-errors.js';
import { Store } from './store.js';

/** A worker that waits for another process's lock keeps everything else waiting: the caller tries again instead. */
const BUSY_TIMEOUT_MS = 200;

let opened: Store | undefined;

/**
 * Runs `work` on this thread's own connection, which stays open: opening one costs more than most reads. For worker
 * threads only.
 * @throws StorageError BUSY when another process was writing, CORRUPT; whatever `work` throws
 */
export function withThreadStore<T>(path: string, work: (store: Store) => T): T {
  try {
    if (opened?.path !== path || !opened.isInPlace()) {
      opened?.close();
      opened = undefined; // Opening may fail, now and the next time.
      opened = Store.open(path, { busyTimeoutMs: BUSY_TIMEOUT_MS, forReading: true });
    }
    return work(opened);
  } catch (error) {
    throw asStorageError(error, path);
  }
}
