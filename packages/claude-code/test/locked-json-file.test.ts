import { spawn } from 'node:child_process';
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
  updateJsonFile(file, (current) => ({ ...current, runs: 1 }), { synced: false });
  expect(readJsonFile(file)).toEqual({ runs: 1 });
  expect(readdirSync(folder)).toEqual(['state.json']);
});

it('who waits for a slow disk keeps its lock, and nothing is lost', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'state.json');
  writeFileSync(`${file}.lock`, '');
  const write = (target: string) => {
    const fs = process.getBuiltinModule('node:fs');
    setTimeout(() => {
      fs.writeFileSync(target, '{"first":1}');
      fs.rmSync(`${target}.lock`);
    }, 1_500);
  };
  spawn(process.execPath, ['--eval', `(${write.toString()})(${JSON.stringify(file)})`]);
  updateJsonFile(file, (current) => ({ ...current, second: 1 }));
  expect(readJsonFile(file)).toEqual({ first: 1, second: 1 });
});
