import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, MemoryHome, refusal } from './memory-home.js';

let memory: MemoryHome;

beforeEach(() => {
  memory = new MemoryHome();
  mkdirSync(memory.home, { recursive: true });
});
afterEach(() => memory.remove());

describe.each([
  ['settings that are no JSON', 'config.json', (file: string) => writeFileSync(file, '{ "tokens": {')],
  ['a setting that there is not', 'config.json', (file: string) => writeFileSync(file, '{ "colour": 1 }')],
  ['a memory that is no database', 'memory.db', (file: string) => writeFileSync(file, 'none '.repeat(999))],
  ['a record of hooks that cannot be read', 'hook-status.json', (file: string) => mkdirSync(file)],
])('with %s', (_, name, harm) => {
  it('hook-status and doctor tell what they know, and name the file', async () => {
    const file = join(memory.home, name);
    harm(file);
    const client = await memory.connect();
    const { stdout, code } = await memory.causantic('hook-status');
    expect(code).toBe(0);
    for (const status of [stdout, (await call(client, 'hook-status')).text]) {
      expect(status).toContain('- session-start: never run');
      expect(status).toContain('Problem: ');
      expect(status).toContain(file);
    }
    const doctor = await memory.causantic('doctor');
    expect(doctor.stdout).toMatch(/^ok +node/m);
    expect(doctor.stdout).toContain(file);
  });
});

it('a map is made without a memory that can be opened', async () => {
  writeFileSync(join(memory.home, 'memory.db'), 'none '.repeat(999));
  writeFileSync(join(memory.folder, 'mill.ts'), 'export function grind() {}');
  const { text } = await call(await memory.connect(), 'repomap', { project: memory.folder });
  expect(text).toContain('fn grind');
  expect((await memory.causantic('repomap', memory.folder)).stdout).toContain('fn grind');
});

it('what needs no settings works without them', async () => {
  writeFileSync(join(memory.home, 'config.json'), '{');
  for (const command of [
    ['model', 'list'],
    ['completion', 'bash'],
    ['uninstall', '--dry-run'],
  ])
    expect(await memory.causantic(...command), command.join(' ')).toMatchObject({ code: 0, stderr: '' });
  const client = await memory.connect();
  expect((await refusal(client, 'stats', {})).message).toContain('config.json');
  writeFileSync(join(memory.home, 'config.json'), '{}');
  expect((await call(client, 'stats')).text).toContain('Chunks: 0');
});
