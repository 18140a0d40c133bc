import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readJsonFile, updateJsonFile } from '../src/locked-json-file.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

it('a lock that a killed process left is taken, also if the clock was set back since', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'state.json');
  writeFileSync(`${file}.lock`, '');
  utimesSync(`${file}.lock`, 4e9, 4e9);
  updateJsonFile(file, (current) => ({ ...current, runs: 1 }));
  expect(readJsonFile(file)).toEqual({ runs: 1 });
  expect(readdirSync(folder)).toEqual(['state.json']);
});
