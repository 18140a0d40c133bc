import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
import { expect, it, onTestFinished } from 'vitest';
import { Services } from '../src/services.js';

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
