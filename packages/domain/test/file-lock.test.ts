import { spawnSync } from 'node:child_process';
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
