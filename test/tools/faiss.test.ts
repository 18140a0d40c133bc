import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { setUpFaiss } from '../../tools/setup/faiss.mjs';
import { temporaryFolder } from '../temporary-folder.js';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it('a set-up goes on without FAISS where what compiling it takes cannot be installed', async () => {
  const root = temporaryFolder();
  const programs = join(root, 'bin');
  for (const folder of [
    programs,
    ...['faiss-node', 'prebuild-install'].map((name) => join(root, 'node_modules', name)),
  ])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, 'node_modules', 'prebuild-install', 'bin.js'), 'process.exit(1)');
  writeFileSync(join(programs, 'apt-get'), '#!/bin/sh\necho no route to the mirror\nexit 100\n');
  chmodSync(join(programs, 'apt-get'), 0o755);
  vi.stubEnv('PATH', `${programs}${delimiter}${process.env['PATH'] ?? ''}`);
  vi.stubEnv('CXX', join(programs, 'no-compiler'));
  const told = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await setUpFaiss(root, true);
  expect(told.mock.calls.join('\n')).toContain('the built-in vector scan is used instead');
});
