import { existsSync } from 'node:fs';
import { databasePath } from '@causantic/domain';
import { Store } from '@causantic/storage';

/** Readers never wait; a writer waits for another's transaction, which a client's own limit bounds. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Run `work` with the memory in this home, which is closed afterwards; undefined where there is none yet.
 * @throws StorageError
 */
export async function withMemory<T>(
  home: string,
  work: (store: Store) => Promise<T>,
): Promise<T | undefined> {
  return existsSync(databasePath(home)) ? withNewMemory(home, work) : undefined;
}

/** The same, and a memory that is not there yet is made. */
export async function withNewMemory<T>(home: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = Store.open(databasePath(home), { busyTimeoutMs: BUSY_TIMEOUT_MS });
  try {
    return await work(store);
  } finally {
    store.close();
  }
}
