import { chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { writeAtomically } from '../src/index.js';

it.skipIf(process.getuid?.() !== 0)('what root writes belongs to whose file or folder it is', () => {
  const home = join(temporaryFolder(), 'home');
  mkdirSync(home);
  const settings = join(home, 'settings.json');
  writeFileSync(settings, '{}');
  chownSync(home, 4711, 4712);
  chownSync(settings, 4713, 4714);
  for (const file of [settings, join(home, 'new.json')]) writeAtomically(file, '{ "a": 1 }');
  const ownerOf = (name: string): number[] => {
    const { uid, gid } = statSync(join(home, name));
    return [uid, gid];
  };
  expect(ownerOf('settings.json')).toEqual([4713, 4714]);
  expect(ownerOf('new.json')).toEqual([4711, 4712]);
});

it('what is not wanted any more leaves nothing behind', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'settings.json');
  writeFileSync(file, 'theirs');
  expect(writeAtomically(file, 'ours', { isWanted: () => false })).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('theirs');
  expect(readdirSync(folder)).toEqual(['settings.json']);
});
