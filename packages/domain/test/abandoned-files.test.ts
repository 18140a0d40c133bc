import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { removeAbandonedFiles } from '../src/index.js';

it('what killed programs left goes when nobody has written to it for long, and nothing else', () => {
  const folder = temporaryFolder();
  const twoHoursAgo = Date.now() / 1_000 - 7_200;
  for (const name of ['export-1.tmp', 'export-2.tmp', 'memory.db']) writeFileSync(join(folder, name), 'x');
  for (const name of ['export-1.tmp', 'memory.db']) utimesSync(join(folder, name), twoHoursAgo, twoHoursAgo);
  removeAbandonedFiles(folder, /^export-\d+\.tmp$/);
  expect(readdirSync(folder).toSorted()).toEqual(['export-2.tmp', 'memory.db']);
  expect(() => removeAbandonedFiles(join(folder, 'nothing'), /./)).not.toThrow();
});
