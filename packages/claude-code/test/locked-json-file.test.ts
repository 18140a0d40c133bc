import { spawn } from 'node:child_process';
import { readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
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
  finishLater(file);
  updateJsonFile(file, (current) => ({ ...current, second: 1 }));
  expect(readJsonFile(file)).toEqual({ first: 1, second: 1 });
});

// Windows lets few users make links.
it.skipIf(process.platform === 'win32')(
  'a lock that cannot be looked at is waited for, and not removed',
  () => {
    const file = join(temporaryFolder(), 'state.json');
    symlinkSync(`${file}.lock`, `${file}.lock`);
    finishLater(file);
    updateJsonFile(file, (current) => ({ ...current, second: 1 }), { synced: false });
    expect(readJsonFile(file)).toEqual({ first: 1, second: 1 });
  },
);

/** Another process, which has the lock, writes after longer than a lock is held where nothing waits for the disk. */
function finishLater(file: string): void {
  const write = (target: string) => {
    const fs = process.getBuiltinModule('node:fs');
    setTimeout(() => {
      fs.writeFileSync(target, '{"first":1}');
      fs.rmSync(`${target}.lock`);
    }, 1_500);
  };
  spawn(process.execPath, ['--eval', `(${write.toString()})(${JSON.stringify(file)})`]);
}
