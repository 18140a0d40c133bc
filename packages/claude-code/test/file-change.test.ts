import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { applyChange } from '../src/install/file-change.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

const change = { file: '', what: 'register the server', before: '{ "mine": 1 }', after: '{}' };

beforeEach(() => {
  change.file = join(temporaryFolder(), 'settings.json');
  writeFileSync(change.file, change.before);
});

it('takes no more than what was read', () => {
  applyChange(change);
  expect(readFileSync(change.file, 'utf8')).toBe(change.after);
  // As by another name of the same file.
  expect(applyChange(change)).toEqual([]);
});

it('leaves what another program has written since it was read', () => {
  writeFileSync(change.file, '{ "mine": 2 }');
  for (const after of [change.after, null])
    expect(() => applyChange({ ...change, after })).toThrow('another program has just changed it');
  expect(readFileSync(change.file, 'utf8')).toBe('{ "mine": 2 }');
});

it('makes no file anew that another program has just deleted', () => {
  rmSync(change.file);
  expect(() => applyChange(change)).toThrow('another program');
  expect(existsSync(change.file)).toBe(false);
});
