import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { oneAtATime } from '../../tools/setup/one-at-a-time.mjs';
import { temporaryFolder } from '../temporary-folder.js';

it('a set-up waits for another of the same workspace, also if that fails', async () => {
  const root = temporaryFolder();
  const steps: string[] = [];
  const setUp = (name: string) =>
    oneAtATime(root, async () => {
      steps.push(`${name} begins`);
      await sleep(300);
      steps.push(`${name} ends`);
      if (name === 'first') throw new Error('no compiler');
    });
  const [first] = await Promise.allSettled([setUp('first'), setUp('second')]);
  expect(first.status).toBe('rejected');
  expect(steps).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  expect(existsSync(join(root, '.setup', 'running'))).toBe(false);
});

it.each([
  ['', () => String(spawnSync(process.execPath, ['--version']).pid)],
  [' before it wrote its number', () => ''],
  [' in a container where it had the number of this one', () => String(process.pid)],
])('a set-up does not wait for one that was killed%s', async (_, left) => {
  const root = temporaryFolder();
  const lock = join(root, '.setup', 'running');
  mkdirSync(join(root, '.setup'));
  writeFileSync(lock, left());
  utimesSync(lock, 1_700_000_000, 1_700_000_000);
  let isDone = false;
  await oneAtATime(root, () => {
    isDone = true;
    return Promise.resolve();
  });
  expect(isDone).toBe(true);
});
