import { existsSync } from 'node:fs';
import { causanticHome, databasePath, printable } from '@causantic/domain';
import { withStore } from '@causantic/storage';

/** One a line. Nothing where there is no memory: a key press makes none. */
export function projectNames(): string {
  const path = databasePath(causanticHome());
  if (!existsSync(path)) return '';
  const slugs = withStore(path, (store) => store.projects.slugsInUse(), { forReading: true });
  return slugs.map((slug) => `${printable(slug)}\n`).join('');
}
