import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { installDependencies } from '../../tools/setup/dependencies.mjs';
import { temporaryFolder } from '../temporary-folder.js';

afterEach(() => vi.unstubAllEnvs());

it('what building takes is installed, though the user leaves it out elsewhere', async () => {
  const root = temporaryFolder();
  const own = { name: 'shop', version: '1.0.0', devDependencies: { tool: 'file:tool' } };
  const lock = {
    ...own,
    lockfileVersion: 3,
    packages: {
      '': own,
      'node_modules/tool': { resolved: 'tool', link: true },
      tool: { version: '1.0.0', dev: true },
    },
  };
  mkdirSync(join(root, 'tool'));
  for (const [file, content] of Object.entries({
    'package.json': own,
    'package-lock.json': lock,
    'tool/package.json': { name: 'tool', version: '1.0.0' },
  }))
    writeFileSync(join(root, file), JSON.stringify(content));
  vi.stubEnv('NODE_ENV', 'production');
  vi.stubEnv('npm_config_omit', 'dev');
  await installDependencies(root);
  expect(existsSync(join(root, 'node_modules', 'tool', 'package.json'))).toBe(true);
});
