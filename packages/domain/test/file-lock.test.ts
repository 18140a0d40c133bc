import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { withFileLock } from '../src/index.js';

/** The system's own command for a folder that takes no new files from anybody; only root may use that of Linux. */
const [change, on, off] =
  process.platform === 'darwin' ? ['chflags', 'uchg', 'nouchg'] : ['chattr', '+i', '-i'];

test('a folder that takes no files is an error of its own, not a lock that somebody holds', ({ skip }) => {
  const folder = temporaryFolder();
  onTestFinished(() => void spawnSync(change, [off, folder]));
  if (spawnSync(change, [on, folder]).status !== 0) skip();
  expect(() => withFileLock(join(folder, 'config.json'), () => undefined)).toThrow(
    expect.objectContaining({ code: 'EPERM' }),
  );
});

test('a lock that a killed process left is taken after a second', () => {
  const file = join(temporaryFolder(), 'config.json');
  writeFileSync(`${file}.lock`, '');
  const startMs = performance.now();
  let isDone = false;
  withFileLock(file, () => void (isDone = true), { synced: false });
  expect(isDone).toBe(true);
  const waitedMs = performance.now() - startMs;
  expect(waitedMs).toBeGreaterThan(900);
  expect(waitedMs).toBeLessThan(3_900);
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test('others who hold a lock one after the other are not taken for killed', async () => {
  const file = join(temporaryFolder(), 'config.json');
  const holders = `
    import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
    const lock = ${JSON.stringify(`${file}.lock`)};
    for (let holder = 0; holder < 10; holder++) {
      writeFileSync(lock + holder, '');
      const { ino } = statSync(lock + holder);
      renameSync(lock + holder, lock);
      if (holder === 0) console.log('held');
      await new Promise((resolve) => setTimeout(resolve, 200));
      if (statSync(lock, { throwIfNoEntry: false })?.ino !== ino) process.exit(1);
    }
    rmSync(lock);`;
  const holding = spawn(process.execPath, ['--input-type=module', '-e', holders]);
  const ended = once(holding, 'exit');
  await once(holding.stdout, 'data');
  withFileLock(file, () => undefined, { synced: false });
  expect(await ended).toEqual([0, null]);
});
