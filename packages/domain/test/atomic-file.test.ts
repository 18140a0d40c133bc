import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

it('a file that another program reads for a moment is replaced', async () => {
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, 'before');
  const reading = `fs.openSync(${JSON.stringify(file)}); console.log('open'); setTimeout(() => {}, 200)`;
  const reader = spawn(process.execPath, ['--eval', reading]);
  await once(reader.stdout, 'data');
  writeAtomically(file, 'after');
  expect(readFileSync(file, 'utf8')).toBe('after');
});
