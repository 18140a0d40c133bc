import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runNode } from '../../tools/setup/report.mjs';
import { temporaryFolder } from '../temporary-folder.js';

const tools = join(import.meta.dirname, '../../tools');

it.each([
  ['', () => tools],
  [
    ', also where a link leads to it',
    () => {
      const link = join(temporaryFolder(), 'link');
      symlinkSync(tools, link, 'junction');
      return link;
    },
  ],
])('set-up refuses an option that there is not, and says which there are%s', async (_, folder) => {
  const { ok, output } = await runNode([join(folder(), 'setup.mjs'), '--with-system-package']);
  expect(ok).toBe(false);
  expect(output).toContain("Unknown option '--with-system-package'");
  expect(output).toContain('--with-system-packages  ');
});
