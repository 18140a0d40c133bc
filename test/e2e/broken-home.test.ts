import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openSqlite } from '@causantic/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, MemoryHome, refusal } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

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

it('hook-status names a record that no hook wrote, in a line', async () => {
  const file = join(memory.home, 'hook-status.json');
  writeFileSync(file, '{ "session-start": { "lastRunMs": 1e300, "ok": true } }');
  const { text } = await call(await memory.connect(), 'hook-status');
  expect(text.split('\n').slice(5)).toEqual([`Problem: ${file} does not hold what hooks write.`]);
});

it('hook-status tells of the hook that is installed only on request once it has run', async () => {
  const runs = { 'prompt-submit': { lastRunMs: Date.parse('2026-02-01T15:00:00Z'), ok: true } };
  writeFileSync(join(memory.home, 'hook-status.json'), JSON.stringify(runs));
  expect((await memory.causantic('hook-status')).stdout.split('\n')).toEqual([
    'Hook status:',
    ...['session-start', 'session-end', 'pre-compact', 'claudemd-generator'].map(
      (hook) => `- ${hook}: never run`,
    ),
    '- prompt-submit: last run Feb 1, 2026, 10:00 AM (success)',
    '',
  ]);
});

it('a map is made without a memory that can be opened', async () => {
  writeFileSync(join(memory.home, 'memory.db'), 'none '.repeat(999));
  writeFileSync(join(memory.folder, 'mill.ts'), 'export function grind() {}');
  const { text } = await call(await memory.connect(), 'repomap', { project: memory.folder });
  expect(text).toContain('fn grind');
  expect((await memory.causantic('repomap', memory.folder)).stdout).toContain('fn grind');
});

it('a key press in a shell is told in a line that the memory cannot be opened', async () => {
  const file = join(memory.home, 'memory.db');
  writeFileSync(file, 'none '.repeat(999));
  const { code, stdout, stderr } = await memory.causantic('completion', '--projects');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`causantic: The database ${file} is damaged`);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

it('a memory of which a part is damaged is named by every tool that reads it, with what to do', async () => {
  const cwd = memory.folder;
  new TranscriptBuilder({ session: sessionId('b0b0b0b1'), cwd, start: '2026-02-01T10:00:00Z' })
    .exchange('What grinds the corn?', 'The mill grinds it.')
    .writeTo(memory.projects);
  await memory.ingest();
  const file = join(memory.home, 'memory.db');
  const database = openSqlite(file);
  const pages = database.prepare("SELECT pageno FROM dbstat WHERE name IN ('chunk', 'turn')").pluck().all();
  database.close();
  const bytes = readFileSync(file);
  for (const page of pages as number[]) bytes.fill(255, (page - 1) * 4096, page * 4096);
  writeFileSync(file, bytes);
  const client = await memory.connect();
  const damage = `The database ${file} is damaged or not a Causantic database. Move it away`;
  expect((await refusal(client, 'search', { query: 'mill' })).message).toContain(damage);
  expect((await call(client, 'reconstruct', { project: basename(cwd) })).text).toContain(`Error: ${damage}`);
  writeFileSync(join(cwd, 'mill.ts'), 'export function grind() {}');
  expect((await call(client, 'repomap', { project: cwd })).text).toContain('fn grind');
});

it('search by meaning needs no folder for indexes', async () => {
  new TranscriptBuilder({ session: sessionId('b0b0b0b1'), cwd: memory.folder, start: '2026-02-01T10:00:00Z' })
    .exchange('What grinds the corn?', 'The mill grinds it.')
    .writeTo(memory.projects);
  await memory.ingest();
  rmSync(join(memory.home, 'indexes'), { recursive: true, force: true });
  writeFileSync(join(memory.home, 'indexes'), '');
  expect((await memory.causantic('search', 'what grinds the corn')).stdout).toMatch(/\| vector\+/);
});

it.each([[['init']], [['uninstall', '--purge']], [['serve', '--http', '--port', '0']]])(
  '%s says what is wrong with a home that is a file',
  async (command) => {
    rmSync(memory.home, { recursive: true });
    writeFileSync(memory.home, 'mine');
    const { code, stderr } = await memory.causantic(...command);
    // There is nothing to delete.
    if (command[0] === 'uninstall') expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    else {
      expect(code).toBe(1);
      expect(stderr).toContain(`causantic: Cannot write to ${memory.home} (E`);
      expect(stderr).toContain('CAUSANTIC_HOME');
    }
    expect(readFileSync(memory.home, 'utf8')).toBe('mine');
  },
);

it('topics that cannot be found are told of as such', async () => {
  const chat = (id: string): void => {
    const place = { session: sessionId(id), cwd: memory.folder, start: '2026-02-01T10:00:00Z' };
    const transcript = new TranscriptBuilder(place);
    for (let n = 0; n < 20; n++) {
      transcript.exchange(`What does mill ${n} grind?`, `Mill ${n} grinds the corn. `.repeat(20));
      transcript.exchange(`Where does ferry ${n} sail?`, `Ferry ${n} sails to the island. `.repeat(20));
    }
    transcript.writeTo(memory.projects);
  };
  chat('b0b0b0b1');
  expect((await memory.reindex()).code).toBe(0);
  const database = openSqlite(join(memory.home, 'memory.db'));
  database.exec(
    `CREATE TRIGGER none BEFORE INSERT ON cluster BEGIN SELECT RAISE(FAIL, 'no room for topics'); END`,
  );
  database.close();
  chat('b0b0b0b2');
  const { stdout } = await memory.causantic('init', '--yes');
  expect(stdout).toMatch(/new chunks, \d+ vectors \(without topics: no room for topics\)\./);
  const report = await memory.ingest();
  expect(report).toMatchObject({ vectorProblem: null, topicProblem: 'no room for topics' });
});

it('doctor says that the home is a file', async () => {
  rmSync(memory.home, { recursive: true });
  writeFileSync(memory.home, '');
  const { code, stdout } = await memory.causantic('doctor');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^FAIL +home .*is not a folder$/m);
});

it('doctor tells of settings that are no JSON in one line', async () => {
  writeFileSync(join(memory.home, 'config.json'), '// mine\n{}');
  const { stdout } = await memory.causantic('doctor');
  expect(stdout).toMatch(/^FAIL +config +Cannot read .*config\.json: .* is not valid JSON$/m);
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
