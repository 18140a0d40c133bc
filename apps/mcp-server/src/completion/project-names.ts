import { existsSync } from 'node:fs';
import { causanticHome, databasePath, printable } from '@causantic/domain';
import { Store } from '@causantic/storage';

/** One a line. Nothing where there is no memory: a key press makes none. */
export function projectNames(): string {
  const path = databasePath(causanticHome());
  if (!existsSync(path)) return '';
  const store = Store.open(path, { forReading: true });
  try {
    return store.projects
      .slugsInUse()
      .map((slug) => `${printable(slug)}\n`)
      .join('');
  } finally {
    store.close();
  }
}
