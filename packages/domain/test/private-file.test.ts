import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { makePrivate } from '../src/index.js';

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
