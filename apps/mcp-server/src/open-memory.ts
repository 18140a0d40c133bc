import { databasePath, NotFoundError, waitingNotice } from '@causantic/domain';
import { Services } from '@causantic/mcp-server';
import { databaseExists, Store } from '@causantic/storage';
import { version } from './own-program.js';

/** Run `work` with what tools need; all of it is closed afterwards. */
export async function withServices<T>(work: (services: Services) => Promise<T>): Promise<T> {
  const services = new Services(version);
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}

/**
 * Run `work` with the memory of this home, which is closed afterwards.
 * @throws NotFoundError where there is none; StorageError
 */
export async function withMemory<T>(home: string, work: (store: Store) => T | Promise<T>): Promise<T> {
  if (!databaseExists(databasePath(home))) throw new NotFoundError(`There is no memory in ${home}.`);
  const store = Store.open(databasePath(home), { onWait: waitingNotice('causantic') });
  try {
    return await work(store);
  } finally {
    store.close();
  }
}
