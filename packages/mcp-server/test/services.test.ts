import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Services } from '../src/services.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

it('serve a memory in a folder that is named where the account has no home folder', async () => {
  const { homedir } = os;
  onTestFinished(() => {
    os.homedir = homedir;
    syncBuiltinESMExports();
  });
  os.homedir = () => {
    throw new Error('no such user');
  };
  syncBuiltinESMExports();
  const env = { CAUSANTIC_HOME: '/nowhere/causantic' };
  const services = new Services('1.0.0', env);
  expect(await services.readTranscripts('codex', Date.now())).toBeUndefined();
  await services.close();
});

it('read nothing in the background that the user has switched off, whatever a project says', async () => {
  const folder = temporaryFolder();
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  for (const [place, file, background] of [
    [home, 'config.json', false],
    [project, 'causantic.config.json', true],
  ] as const) {
    mkdirSync(place);
    writeFileSync(join(place, file), JSON.stringify({ ingest: { background } }));
  }
  mkdirSync(join(folder, 'codex', 'sessions'), { recursive: true });
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir(project);
  const services = new Services('1.0.0', { CAUSANTIC_HOME: home, CODEX_HOME: join(folder, 'codex') });
  await services.readTranscripts('codex', Date.now());
  await services.close();
  expect(existsSync(join(home, 'memory.db'))).toBe(false);
});
