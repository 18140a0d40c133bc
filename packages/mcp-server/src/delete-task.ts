import { Store } from '@causantic/storage';

/** Worker entry point: deleting many chunks takes seconds, and a server must answer meanwhile. */
export function deleteChunks(input: {
  databasePath: string;
  memory: string;
  ids: number[];
  titled: number[];
}): number {
  const store = Store.open(input.databasePath);
  try {
    return store.forgetting.delete(input.ids, input.memory, input.titled);
  } finally {
    store.close();
  }
}
