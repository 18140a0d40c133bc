import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { assertWritable, writeAtomically } from '../src/index.js';

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

const isWindows = process.platform === 'win32';

it.skipIf(isWindows)('a new file is for its owner alone, and one that is there keeps its mode', () => {
  const folder = temporaryFolder();
  const [own, shared] = ['own.json', 'shared.json'].map((name) => join(folder, name));
  writeFileSync(shared!, '{}');
  chmodSync(shared!, 0o664);
  const mask = process.umask(0);
  onTestFinished(() => void process.umask(mask));
  writeAtomically(own!, '{ "a": 1 }');
  process.umask(0o077);
  writeAtomically(shared!, '{ "a": 1 }');
  expect([own!, shared!].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o664]);
});

it('what cannot be put in its place leaves nothing behind', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'settings.json'));
  expect(() => writeAtomically(join(folder, 'settings.json'), '{}')).toThrow();
  expect(readdirSync(folder)).toEqual(['settings.json']);
});

it.skipIf(isWindows)('a link stays one, and what it leads to from where it stands is replaced', () => {
  const folder = temporaryFolder();
  for (const name of ['home', 'dotfiles']) mkdirSync(join(folder, name));
  const [link, file] = [join(folder, 'home', 'settings.json'), join(folder, 'dotfiles', 'settings.json')];
  writeFileSync(file, 'before');
  symlinkSync('../dotfiles/settings.json', link);
  writeAtomically(link, 'after');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe('after');
});

it.skipIf(isWindows)('folders may be made for a file, but not for what a link leads to', () => {
  const folder = temporaryFolder();
  expect(() => assertWritable(join(folder, 'new', 'settings.json'))).not.toThrow();
  symlinkSync(join(folder, 'disk', 'settings.json'), join(folder, 'settings.json'));
  expect(() => assertWritable(join(folder, 'settings.json'))).toThrow('ENOENT');
});
