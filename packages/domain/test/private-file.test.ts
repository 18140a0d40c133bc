import { chmodSync, chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { makeFolder, makePrivate } from '../src/index.js';

test.skipIf(process.platform === 'win32')('others cannot read a private file', () => {
  const file = join(temporaryFolder(), 'token');
  writeFileSync(file, 'secret');
  chmodSync(file, 0o644);
  makePrivate(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(() => makePrivate(`${file}-wal`)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});

// Linux's files about a process are its own, and have no modes to set.
const WITHOUT_MODE = '/proc/self/status';

test.skipIf(!existsSync(WITHOUT_MODE))('a file system without modes is no error', () => {
  expect(() => chmodSync(WITHOUT_MODE, 0o600)).toThrow(expect.objectContaining({ code: 'EPERM' }));
  expect(() => makePrivate(WITHOUT_MODE)).not.toThrow();
});

function ownerOf(path: string): number[] {
  const { uid, gid } = statSync(path);
  return [uid, gid];
}

test.skipIf(process.platform === 'win32')('a new folder and those above it are for their owner alone', () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'there'));
  chmodSync(join(home, 'there'), 0o755); // Whatever the umask takes away.
  makeFolder(join(home, 'there', 'a', 'b'));
  const modes = ['there', 'there/a', 'there/a/b'].map((name) => statSync(join(home, name)).mode & 0o777);
  expect(modes).toEqual([0o755, 0o700, 0o700]);
});

test.skipIf(!existsSync('/proc/self'))('where a file system takes no new folders, that is an error', () => {
  for (const folder of ['/proc/memory', '/proc/memory/models'])
    expect(() => makeFolder(folder)).toThrow(
      expect.objectContaining({ code: 'ENOENT', path: '/proc/memory' }),
    );
});

test.skipIf(process.getuid?.() !== 0)('what root makes in the home of another user is theirs', () => {
  const home = join(temporaryFolder(), 'home');
  mkdirSync(home);
  chownSync(home, 4711, 4712);
  makeFolder(join(home, 'memory', 'models'));
  const file = join(home, 'memory', 'memory.db');
  writeFileSync(file, '');
  makePrivate(file);
  const made = ['memory', 'memory/models', 'memory/memory.db'].map((name) => ownerOf(join(home, name)));
  expect(made).toEqual([
    [4711, 4712],
    [4711, 4712],
    [4711, 4712],
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // What was there stays whose it was.
  mkdirSync(join(home, 'of-root'));
  makeFolder(join(home, 'of-root', 'new'));
  expect([ownerOf(join(home, 'of-root')), ownerOf(join(home, 'of-root', 'new'))]).toEqual([
    [0, 0],
    [0, 0],
  ]);
});
