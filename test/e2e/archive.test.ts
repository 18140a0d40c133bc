import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openSqlite } from '@causantic/storage';
import { call, callInFull, collected, MemoryHome, SERVER } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

const TOPICS: readonly [question: string, answer: string][] = [
  ['What grinds the corn?', 'The mill stone grinds the corn, driven by the wind.'],
  ['Who feeds the heron?', 'Nobody feeds the heron, it fishes in the pond at dawn.'],
  ['Why does the loom stop?', 'The warp breaks when the tension is too high; we lowered it.'],
  ['When does the bell ring?', 'The bell rings at noon since the clockwork was repaired.'],
];

let memory: MemoryHome;
let other: MemoryHome;
let archive: string;

beforeAll(async () => {
  memory = new MemoryHome();
  other = new MemoryHome();
  archive = join(memory.folder, 'memory.causantic');
  TOPICS.forEach(([question, answer], n) => {
    new TranscriptBuilder({
      session: sessionId(`aaaa000${n}`),
      cwd: `/home/ada/place-${n % 2}`,
      start: `2026-02-0${n + 1}T10:00:00Z`,
    })
      .exchange(question, answer)
      .exchange('Show it.', `It is in place-${n}.ts: \`function topic${n}() {}\``)
      .writeTo(memory.projects);
  });
  await memory.ingest();
});
afterAll(() => Promise.all([memory.remove(), other.remove()]));

const withKey = (home: MemoryHome, key: string, ...args: string[]) =>
  home.causanticWith({ ARCHIVE_KEY: key }, ...args, '--passphrase-env', 'ARCHIVE_KEY');

describe('an archive with a passphrase', () => {
  it('is written by one home', async () => {
    const { code, stdout } = await withKey(memory, 'correct horse', 'export', archive, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ encrypted: true, projects: 2, sessions: 4, path: archive });
    expect(readFileSync(archive).includes(Buffer.from('place-'))).toBe(false);
    const again = await withKey(memory, 'correct horse', 'export', archive);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('--force');
  });

  it('is refused with a wrong passphrase, without one, and when it is cut short; the home stays empty', async () => {
    const wrong = await withKey(other, 'wrong horse', 'import', archive);
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toBe('causantic: Wrong passphrase for this archive.\n');
    const none = await other.causantic('import', archive);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('--passphrase-env');
    const cut = join(memory.folder, 'cut.causantic');
    await withKey(memory, 'correct horse', 'export', cut);
    truncateSync(cut, statSync(cut).size - 100);
    const damaged = await withKey(other, 'correct horse', 'import', cut);
    expect(damaged.stderr).toBe(`causantic: ${cut} is damaged or truncated.\n`);
    expect((await other.causantic('list-projects')).stdout).toBe('No projects found in memory.\n');
  });

  it('is imported into another home, which a running server there sees', async () => {
    const running = await other.connect();
    expect((await call(running, 'list-projects')).text).toBe('No projects found in memory.');
    const { code, stdout, stderr } = await withKey(other, 'correct horse', 'import', archive);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Imported \d+ chunks of 4 sessions in 2 projects\.\n$/);
    expect((await call(running, 'list-projects')).text).toContain('place-0');
    expect((await call(running, 'search', { query: 'heron' })).text).toContain('fishes in the pond');
    const again = await withKey(other, 'correct horse', 'import', archive);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('There is already a memory of');
  });

  it('gives the same answers there', async () => {
    const [here, there] = await Promise.all([memory.connect(), other.connect()]);
    const questions = TOPICS.flatMap(([question, answer]) => [question, answer.slice(0, 30), 'topic2 place']);
    for (const query of questions) {
      for (const [tool, args] of [
        ['search', { query }],
        ['recall', { query }],
        ['explain', { topic: query }],
        ['search', { query, project: 'place-1' }],
      ] as const) {
        const [a, b] = await Promise.all([callInFull(here, tool, args), callInFull(there, tool, args)]);
        expect([b.text, b.hits]).toEqual([a.text, a.hits]);
      }
    }
    for (const tool of ['list-projects', 'stats']) {
      expect((await call(there, tool)).text).toBe((await call(here, tool)).text);
    }
  });

  it('in the place of another memory gives the same answers, also in a server that knew that one', async () => {
    const third = MemoryHome.ofTest();
    const [cwd, start] = ['/home/bob/pond', '2026-03-01T10:00:00Z'];
    const session = new TranscriptBuilder({ session: sessionId('cccc0001'), cwd, start });
    TOPICS.forEach(([question], n) => session.exchange(`${question} (${n})`, 'Nobody knows.'));
    session.writeTo(third.projects);
    await third.ingest();
    const [here, there] = await Promise.all([memory.connect(), third.connect()]);
    expect((await call(there, 'search', { query: 'heron' })).text).toContain('Nobody knows.');
    const taken = await withKey(third, 'correct horse', 'import', archive, '--replace', '--json');
    expect(JSON.parse(taken.stdout)).toMatchObject({ projects: 2, sessions: 4 });
    expect(taken.stdout).not.toContain('encryption');
    for (const query of TOPICS.flat()) {
      const [a, b] = await Promise.all(
        [here, there].map((client) => callInFull(client, 'search', { query })),
      );
      expect([b!.text, b!.hits]).toEqual([a!.text, a!.hits]);
    }
  });

  it('in the place of a damaged one gives its answers', async () => {
    const third = MemoryHome.ofTest();
    await third.ingest();
    const file = join(third.home, 'memory.db');
    for (const harm of [() => truncateSync(file, 5_000), () => writeFileSync(file, 'none '.repeat(999))]) {
      harm();
      expect((await third.causantic('search', 'heron')).stderr).toContain('is damaged');
      expect((await withKey(third, 'correct horse', 'import', archive, '--replace')).stderr).toBe('');
      expect((await third.causantic('search', 'heron')).stdout).toContain('fishes in the pond');
    }
  });

  it('is not written over the memory itself', async () => {
    for (const name of ['memory.db', 'memory.db-wal']) {
      const { code, stderr } = await memory.causantic('export', join(memory.home, '.', name), '--force');
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('another file') as string,
      });
    }
    expect((await memory.causantic('search', 'heron')).stdout).toContain('fishes in the pond');
  });

  it.skipIf(process.platform === 'win32')('is not put in the place of a device or a pipe', async () => {
    const pipe = join(memory.folder, 'pipe');
    spawnSync('mkfifo', [pipe]);
    const { code, stderr } = await memory.causantic('export', pipe, '--force');
    expect({ code, isPipe: statSync(pipe).isFIFO() }).toEqual({ code: 2, isPipe: true });
    expect(stderr).toContain('not a device or a pipe');
    // Nobody writes to it: an import would wait for ever.
    expect((await memory.causantic('import', pipe, '--replace')).stderr).toContain('not a Causantic archive');
  });

  it.skipIf(process.platform === 'win32').each([
    ['a file', (target: string) => writeFileSync(target, 'an older one')],
    ['nothing', () => undefined],
  ])('is written to where a link to %s leads, and the link stays', async (what, put) => {
    const at = (name: string): string => join(memory.folder, `${name} ${what}`);
    const [link, target] = [at('link to'), at('place of')];
    put(target);
    symlinkSync(target, link);
    expect((await memory.causantic('export', link, '--force')).code).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(target).subarray(0, 9).toString()).toBe('CAUSANTIC');
  });

  it.skipIf(process.platform === 'win32')(
    'leaves no copy of the memory where its terminal is closed',
    async () => {
      const copies = () => readdirSync(memory.home).filter((name) => name.startsWith('export-'));
      const args = ['export', join(memory.folder, 'never'), '--passphrase-env', 'ARCHIVE_KEY'];
      const env = { ...process.env, CAUSANTIC_HOME: memory.home, ARCHIVE_KEY: 'correct horse' };
      const child = spawn(process.execPath, [SERVER, ...args], { env, stdio: 'ignore' });
      // The key is made of the passphrase after the copy, which takes some tenths of a second.
      await vi.waitUntil(() => copies().length > 0, { timeout: 10_000, interval: 5 });
      child.kill('SIGHUP');
      expect(await once(child, 'close')).toEqual([130, null]);
      expect(copies()).toEqual([]);
      expect(readdirSync(memory.folder).filter((name) => name.startsWith('never'))).toEqual([]);
    },
  );

  it('and transcripts that it holds already are not read twice there', async () => {
    const { code, stdout } = await other.reindex('--source', memory.projects, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ chunks: 0, turns: 0 });
  });
});

describe.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/script'))('on a terminal', () => {
  /** What a command says and how it ends, with an answer for each passphrase that it asks for. */
  async function typed(answers: string[], ...args: string[]): Promise<{ code: unknown; output: string }> {
    const line = [process.execPath, SERVER, ...args].map((word) => `'${word}'`).join(' ');
    const env = { ...process.env, CAUSANTIC_HOME: memory.home };
    const child = spawn('/usr/bin/script', ['-qec', line, '/dev/null'], { env });
    const output = collected(child.stdout);
    let asked = 0;
    child.stdout.on('data', () => {
      while (output.text().split(/passphrase: /i).length - 1 > asked)
        child.stdin.write(answers[asked++] ?? '');
    });
    const [code] = (await once(child, 'close')) as unknown[];
    return { code, output: output.text() };
  }

  it('the passphrase is asked for, twice where it is new, and not shown', async () => {
    const file = join(memory.folder, 'typed.causantic');
    const written = await typed(
      ['correct hearse\x7f\x7f\x7f\x7f\x7forse\r', 'correct horse\r'],
      'export',
      file,
      '--passphrase',
    );
    expect(written.code).toBe(0);
    expect(written.output).toMatch(
      /^Passphrase: \r\nRepeat the passphrase: \r\nWrote .*, encrypted\)\.\r\n$/,
    );
    const read = await typed(['correct horse\r'], 'import', file, '--replace');
    expect(read).toEqual({
      code: 0,
      output: expect.stringMatching(/^Passphrase: \r\nImported .*\r\n$/) as string,
    });
  });

  it.each([
    ['none', ['\r'], 2, 'expected a passphrase that is not empty.'],
    ['two different ones', ['horse\r', 'hose\r'], 2, 'expected the same passphrase twice.'],
    ['Ctrl-C', ['\u0003'], 130, ''],
  ])('nothing is written where the answer is %s', async (_, answers, code, says) => {
    const file = join(memory.folder, 'untyped.causantic');
    const { code: ended, output } = await typed(answers, 'export', file, '--passphrase');
    expect(ended).toBe(code);
    expect(output).toContain(says);
    expect(existsSync(file)).toBe(false);
  });
});

it.each([
  ['an earlier built-in model, which cannot be had any more', null, 'causantic-reindex'],
  [
    'a model that was chosen',
    'tiny-v0',
    'causantic model install NAME, where NAME is from causantic model list or a folder with a model',
  ],
])('an archive whose vectors are of %s says how to search by meaning', async (_, chosen, advice) => {
  const [from, to] = [MemoryHome.ofTest(), MemoryHome.ofTest()];
  cpSync(join(memory.home, 'memory.db'), join(from.home, 'memory.db'));
  const db = openSqlite(join(from.home, 'memory.db'));
  db.prepare("UPDATE embedding SET serving_model = 'tiny-v0', chosen_model = ?").run(chosen);
  db.close();
  const file = join(from.folder, 'earlier.causantic');
  expect((await from.causantic('export', file)).code).toBe(0);
  const { code, stderr } = await to.causantic('import', file);
  expect({ code, advice: stderr.split('To fix this: ')[1] }).toEqual({
    code: 0,
    advice: `${advice}\n`,
  });
});

it('an import waits for who is writing, and says so', async () => {
  const file = join(memory.folder, 'plain.causantic');
  const { code, stdout } = await memory.causantic('export', file);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Wrote .* MB, not encrypted: anyone who has the file can read it\)\.\n$/);
  expect(await memory.causanticBesideWriter('import', file, '--replace')).toMatch(/^Imported/);
});

it.skipIf(process.platform === 'win32')(
  'an archive is not blamed for a limit on the size of files',
  async () => {
    const file = join(memory.folder, 'limited.causantic');
    expect((await memory.causantic('export', file)).code).toBe(0);
    const limited = [
      '-c',
      'ulimit -f 100; exec "$0" "$@"',
      process.execPath,
      SERVER,
      'import',
      file,
      '--replace',
    ];
    const env = { ...process.env, CAUSANTIC_HOME: memory.home };
    const { status, stderr } = spawnSync('sh', limited, { env, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('EFBIG') as string });
    expect((await memory.causantic('search', 'heron')).stdout).toContain('fishes in the pond');
  },
);

it('there is nothing to export where there is no memory, and nothing to import where there is no file', async () => {
  const empty = MemoryHome.ofTest();
  const written = await empty.causantic('export', join(empty.folder, 'x'));
  expect(written.code).toBe(1);
  expect(existsSync(join(empty.folder, 'x'))).toBe(false);
  expect((await empty.causantic('import', join(empty.folder, 'x'))).stderr).toContain('No such file: ');
});

it('notes stay on a machine that has the same folders without them, until one of its own is deleted', async () => {
  const home = MemoryHome.ofTest();
  const session = (prefix: string) =>
    new TranscriptBuilder({
      session: sessionId(prefix),
      cwd: '/home/ada/mill',
      start: '2026-02-01T10:00:00Z',
    })
      .exchange('What grinds the corn?', 'The mill stone grinds the corn.')
      .writeTo(home.projects);
  const notes = join(dirname(session('bbbb0001')), 'memory');
  const note = (name: string, text: string) => {
    mkdirSync(notes, { recursive: true });
    writeFileSync(join(notes, name), text);
  };
  const remembered = async () => {
    await home.ingest();
    const { stdout } = await home.causantic('search', 'which oak shaft, which elm wheel?');
    return [stdout.includes('The oak shaft creaks.'), stdout.includes('The elm wheel turns.')];
  };
  note('shaft.md', 'The oak shaft creaks.');
  expect(await remembered()).toEqual([true, false]);
  const file = join(home.folder, 'memory.causantic');
  expect((await home.causantic('export', file)).code).toBe(0);
  for (const folder of [home.home, home.projects]) rmSync(folder, { recursive: true });
  session('bbbb0002');
  expect((await home.causantic('import', file)).code).toBe(0);
  expect(await remembered()).toEqual([true, false]);
  note('wheel.md', 'The elm wheel turns.');
  expect(await remembered()).toEqual([true, true]);
  rmSync(notes, { recursive: true });
  expect(await remembered()).toEqual([true, false]);
  note('shaft.md', 'The oak shaft creaks.');
  expect(await remembered()).toEqual([true, false]);
  rmSync(join(notes, 'shaft.md'));
  expect(await remembered()).toEqual([false, false]);
});

it('what was read stays when the client deletes its transcripts', async () => {
  const home = MemoryHome.ofTest();
  const builder = new TranscriptBuilder({
    session: sessionId('bbbb0001'),
    cwd: '/home/ada/mill',
    start: '2026-02-01T10:00:00Z',
  });
  const file = builder
    .exchange('What grinds the corn?', 'The mill stone grinds the corn.')
    .writeTo(home.projects);
  await home.ingest();
  const client = await home.connect();
  const before = await callInFull(client, 'search', { query: 'corn' });
  expect(before.text).toContain('mill stone');
  rmSync(file);
  expect(await home.ingest()).toMatchObject({ files: 0, issues: [] });
  const after = await callInFull(client, 'search', { query: 'corn' });
  expect([after.text, after.hits]).toEqual([before.text, before.hits]);
  expect((await call(client, 'reconstruct', { project: 'mill' })).text).toContain('mill stone');
});
