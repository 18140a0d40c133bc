import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { indexKeys, removeIndexFiles } from '../src/matching/index-files.js';

it('removes the indexes of other models, and what killed programs left of any: it may hold what was deleted', () => {
  const folder = temporaryFolder();
  const [kept] = indexKeys('owner/model', [1]);
  const [other] = indexKeys('Owner/Model', [1]);
  const abandoned = [`${kept}.faiss.7-0a.tmp`, 'part-7.tmp', 'part-7-0a.tmp.7-0a.tmp', 'probe-7-0a.tmp'];
  const running = [`${kept}.faiss.8.tmp`, 'part-8.tmp'];
  const names = [`${kept}.faiss`, `${other}.faiss`, ...abandoned, ...running, 'notes.txt'];
  for (const name of names) writeFileSync(join(folder, name), 'x');
  for (const name of abandoned) utimesSync(join(folder, name), new Date(0), new Date(0));
  removeIndexFiles(folder, { except: ['owner/model'] });
  expect(readdirSync(folder).sort()).toEqual([`${kept}.faiss`, ...running, 'notes.txt'].sort());
  removeIndexFiles(join(folder, 'nothing'), { except: [] });
});
