import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runNode } from '../../tools/setup/report.mjs';

const setup = join(import.meta.dirname, '../../tools/setup.mjs');

it('set-up refuses an option that there is not, and says which there are', async () => {
  const { ok, output } = await runNode([setup, '--with-system-package']);
  expect(ok).toBe(false);
  expect(output).toContain("Unknown option '--with-system-package'");
  expect(output).toContain('--with-system-packages  ');
});
