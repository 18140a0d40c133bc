import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { purge } from '../src/index.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

let home: string;

beforeEach(() => {
  home = temporaryFolder();
});

const OWN = [
  'memory.db',
  'memory.db-wal',
  'config.json',
  'http-token',
  // Of programs that were killed: drafts, and copies of the whole memory.
  '.config.json.123.0a1b2c3d',
  'export-123.tmp',
  'import-123.tmp-wal',
];

it('deletes all that is ours, and the home with it', () => {
  for (const name of OWN) writeFileSync(join(home, name), 'x');
  mkdirSync(join(home, 'shown'));
  purge(home);
  expect(existsSync(home)).toBe(false);
});

it.skipIf(process.platform === 'win32')('leaves a home that cannot be removed, as a link is, empty', () => {
  writeFileSync(join(home, 'memory.db'), 'x');
  const link = join(temporaryFolder(), 'home');
  symlinkSync(home, link);
  purge(link);
  expect(readdirSync(link)).toEqual([]);
});

it('leaves what somebody else has put there', () => {
  for (const name of ['memory.db', 'notes.txt', 'export-of-mine.tmp']) writeFileSync(join(home, name), 'x');
  mkdirSync(join(home, 'logs'));
  purge(home);
  expect(readdirSync(home).sort()).toEqual(['export-of-mine.tmp', 'logs', 'notes.txt']);
});
