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
  'memory.db-shm',
  'memory.db-journal',
  'indexes',
  'repomap',
  'models',
  'backups',
  'shown',
  'config.json',
  'claude-md.json',
  'hook-status.json',
  'installed.json.lock',
  'hooks.log.1',
  'http-token',
  // Of programs that were killed: drafts, and copies of the whole memory.
  '.config.json.123.0a1b2c3d',
  'export-123.tmp',
  'import-123.tmp-wal',
  'memory.db-probe-123-0',
  'memory.db-probe-123-4-wal',
];

it('deletes all that is ours, and the home with it', () => {
  for (const name of OWN) writeFileSync(join(home, name), 'x');
  purge(home);
  expect(existsSync(home)).toBe(false);
});

it('does nothing where there is no home, or a file in its place', () => {
  const file = join(home, 'memory.db');
  writeFileSync(file, 'x');
  for (const place of [join(home, 'none'), file]) purge(place);
  expect(existsSync(file)).toBe(true);
});

it.skipIf(process.platform === 'win32')('leaves a home that cannot be removed, as a link is, empty', () => {
  writeFileSync(join(home, 'memory.db'), 'x');
  const link = join(temporaryFolder(), 'home');
  symlinkSync(home, link);
  purge(link);
  expect(readdirSync(link)).toEqual([]);
});

it('leaves what somebody else has put there', () => {
  const others = [
    'notes.txt',
    'export-of-mine.tmp',
    ...OWN.flatMap((name) => [`my-${name}`, `${name}-of-mine`]),
  ];
  for (const name of ['memory.db', ...others]) writeFileSync(join(home, name), 'x');
  mkdirSync(join(home, 'logs'));
  purge(home);
  expect(readdirSync(home).sort()).toEqual([...others, 'logs'].sort());
});
