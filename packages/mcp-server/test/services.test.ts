import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Services } from '../src/services.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { sessionId, TranscriptBuilder } from '../../../test/e2e/transcript-builder.js';

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

it('let a command wait longer for vectors than a server, which has an agent waiting', () => {
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  expect(new Services('1.0.0', { CAUSANTIC_HOME: '/nowhere' }).context().semanticPatienceMs).toBe(30_000);
  expect(Services.ofServer('1.0.0').context().semanticPatienceMs).toBeUndefined();
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
  const claude = join(folder, 'claude');
  new TranscriptBuilder({ session: sessionId('a1b2c3d4'), cwd: project, start: '2026-02-03T10:00:00Z' })
    .exchange('What grinds the corn?', 'The stone.')
    .writeTo(join(claude, 'projects'));
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir(project);
  const services = new Services('1.0.0', { CAUSANTIC_HOME: home, CLAUDE_CONFIG_DIR: claude });
  await services.readTranscripts('claude-code', Date.now() + 60_000);
  await services.close();
  expect(existsSync(join(home, 'memory.db'))).toBe(false);
});
