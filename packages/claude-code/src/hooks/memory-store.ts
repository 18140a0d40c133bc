import { databasePath } from '@causantic/domain';
import { databaseExists, type OpenOptions, Store } from '@causantic/storage';

/** A writer waits for another's transaction, which a client's own limit bounds. */
const WRITER_WAITS_MS = 10_000;
/** Somebody waits for what is read, and no time limit of ours ends a wait for a lock. */
const READER_WAITS_MS = 1_000;

/**
 * Run `work` with the memory in this home, which is closed afterwards; undefined where there is none yet.
 * @throws StorageError
 */
export async function withMemory<T>(
  home: string,
  work: (store: Store) => T | Promise<T>,
): Promise<T | undefined> {
  return databaseExists(databasePath(home))
    ? withStore(home, { busyTimeoutMs: READER_WAITS_MS, forReading: true }, work)
    : undefined;
}

/** The same for what writes; a memory that is not there yet is made. */
export async function withNewMemory<T>(home: string, work: (store: Store) => Promise<T>): Promise<T> {
  return withStore(home, { busyTimeoutMs: WRITER_WAITS_MS }, work);
}

async function withStore<T>(
  home: string,
  options: OpenOptions,
  work: (store: Store) => T | Promise<T>,
): Promise<T> {
  const store = Store.open(databasePath(home), options);
  try {
    return await work(store);
  } finally {
    store.close();
  }
}
