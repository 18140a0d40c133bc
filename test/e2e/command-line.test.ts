import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSqlite } from '@causantic/storage';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SESSIONS, writeAppSessions } from './app-sessions.js';
import { finished, MemoryHome, REINDEX, type Report, SERVER } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

const SAMPLE = fileURLToPath(new URL('../sample/claude/projects', import.meta.url));

let memory: MemoryHome;

/** What gives a program a terminal takes other options elsewhere. */
const HAS_TERMINAL = process.platform === 'linux' && existsSync('/usr/bin/script');

/** What a command prints on a terminal. */
function onTerminal(commandLine: string, env: NodeJS.ProcessEnv = {}): string {
  return spawnSync('/usr/bin/script', ['-qec', `stty cols 80; ${commandLine}`, '/dev/null'], {
    env: { ...process.env, CAUSANTIC_HOME: memory.home, ...env },
    encoding: 'utf8',
  }).stdout;
}

describe('causantic-reindex', () => {
  beforeEach(() => {
    memory = new MemoryHome();
  });
  afterEach(() => memory.remove());

  async function reindexed(...args: string[]): Promise<Report> {
    const { code, stdout, stderr } = await memory.reindex('--json', ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as Report;
  }

  it('reports one JSON object, and nothing new the second time', async () => {
    const first = await reindexed('--source', SAMPLE);
    expect(first).toMatchObject({ files: 5, sessions: 4, skipped: 0, issues: [] });
    for (const field of [
      'files',
      'bytes',
      'sessions',
      'turns',
      'chunks',
      'edges',
      'vectors',
      'skipped',
      'seconds',
    ]) {
      expect(first, field).toHaveProperty(field, expect.any(Number));
    }
    expect(first.turns).toBeGreaterThan(0);
    expect(first.chunks).toBeGreaterThan(first.turns);
    const before = await memory.causantic('stats');
    const second = await reindexed('--source', SAMPLE);
    expect(second).toMatchObject({ files: 5, sessions: 4, turns: 0, chunks: 0, skipped: 5, issues: [] });
    expect((await memory.causantic('stats')).stdout).toBe(before.stdout);
  });

  it('a dry run reports the same and writes nothing', async () => {
    const dry = await reindexed('--dry-run', '--source', SAMPLE);
    expect(existsSync(memory.home) ? readdirSync(memory.home) : []).toEqual([]);
    const { turns, chunks } = await reindexed('--source', SAMPLE);
    expect(dry).toMatchObject({ files: 5, sessions: 4, turns, chunks });
    const modified = statSync(join(memory.home, 'memory.db')).mtimeMs;
    const again = await reindexed('--dry-run', '--rebuild', 'all', '--source', SAMPLE);
    expect(again).toMatchObject({ files: 5, turns: 0, chunks: 0, skipped: 5 });
    expect(statSync(join(memory.home, 'memory.db')).mtimeMs).toBe(modified);
    expect(readdirSync(memory.home)).not.toContain('memory.db-wal');
    const { stdout } = await memory.reindex('--dry-run', '--source', SAMPLE);
    expect(stdout).toMatch(/^Looked at 5 files .*\n {2}would be new: 0 turns, /);
  });

  it('reads everything anew where it is asked to, which changes nothing of it', async () => {
    const { turns, chunks } = await reindexed('--source', SAMPLE);
    const before = await memory.causantic('stats');
    const again = await reindexed('--rebuild', 'transcripts', '--source', SAMPLE);
    expect(again).toMatchObject({ files: 5, sessions: 4, turns, chunks, skipped: 0 });
    expect((await memory.causantic('stats')).stdout).toBe(before.stdout);
  });

  it('makes edges, topics and vectors anew where it is asked to, whatever is left of them', async () => {
    const { vectors } = await reindexed('--source', SAMPLE);
    const { stdout: before } = await memory.causantic('stats');
    for (const [part, harm] of [
      ['edges', 'DELETE FROM edge WHERE from_id % 2 = 1'],
      ['clusters', 'UPDATE chunk_cluster SET cluster_id = NULL'],
      ['all', 'DELETE FROM edge WHERE from_id % 2 = 0'],
    ] as const) {
      const database = openSqlite(join(memory.home, 'memory.db'));
      database.exec(harm);
      database.close();
      const made = await reindexed('--rebuild', part, '--source', SAMPLE);
      expect(made).toMatchObject({ chunks: 0, vectors: part === 'all' ? vectors : 0 });
      expect((await memory.causantic('stats')).stdout).toBe(before);
    }
  });

  // Windows deletes no file that a process has open.
  it.skipIf(process.platform === 'win32')('fails if its memory is deleted meanwhile', async () => {
    await reindexed('--source', SAMPLE);
    const writer = openSqlite(join(memory.home, 'memory.db'));
    writer.exec('BEGIN IMMEDIATE');
    const child = memory.startReindex('--rebuild', 'all', '--source', SAMPLE);
    child.stderr!.once('data', () => {
      // It has the memory open and waits.
      rmSync(memory.home, { recursive: true });
      writer.close();
    });
    const { code, stdout, stderr } = await finished(child);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/causantic-reindex: .*memory\.db was deleted, replaced .* Run this again\.\n$/);
  });

  it.skipIf(process.platform === 'win32')('fails in init, too', async () => {
    writeAppSessions(memory.projects);
    await reindexed('--source', SAMPLE);
    const writer = openSqlite(join(memory.home, 'memory.db'));
    writer.exec('BEGIN IMMEDIATE');
    const child = memory.start('init', '--yes');
    child.stderr!.once('data', () => {
      rmSync(memory.home, { recursive: true });
      writer.close();
    });
    const { code, stdout, stderr } = await finished(child);
    expect(stderr).toMatch(/causantic: .*memory\.db was deleted, replaced .* Run this again\.\n$/);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.not.stringContaining('Read ') as string });
  });

  it('takes several sources: folders and single files', async () => {
    writeAppSessions(memory.projects);
    const single = join(memory.projects, '-home-ada-my-app', `${SESSIONS.pagination}.jsonl`);
    const without = '--set=ingest.excludePaths=["/home/ada/my-app"]';
    expect(await reindexed('--dry-run', without, single, '--source', SAMPLE)).toMatchObject({ sessions: 4 });
    const report = await reindexed(single, '--source', SAMPLE);
    expect(report).toMatchObject({ files: 6, sessions: 5 });
    const { stdout } = await memory.causantic('list-projects');
    expect(stdout).toMatch(/^- my-app \(/m);
    expect(stdout).toMatch(/^- harbor-api \(/m);
  });

  it('without a source reads what Claude Code has kept', async () => {
    writeAppSessions(memory.projects);
    expect(await reindexed()).toMatchObject({ sessions: 7 });
  });

  it('a broken file among good ones is an issue with its file and line; the rest is read', async () => {
    const broken = new TranscriptBuilder({
      session: sessionId('bad00001'),
      cwd: '/home/ada/shed',
      start: '2026-02-01T10:00:00Z',
    })
      .exchange('Where is the saw?', 'The saw hangs behind the door.')
      .raw('{"type":"user","message":{"content":"cut o')
      .raw('null')
      .exchange('And the hammer?', 'The hammer lies on the bench.')
      .writeTo(memory.projects);
    writeAppSessions(memory.projects);
    const report = await reindexed();
    expect(report.sessions).toBe(8);
    expect(report.issues).toEqual([
      {
        file: broken,
        line: 3,
        code: expect.stringMatching(/^[a-z-]+$/) as string,
        message: expect.any(String) as string,
      },
      {
        file: broken,
        line: 4,
        code: expect.stringMatching(/^[a-z-]+$/) as string,
        message: expect.any(String) as string,
      },
    ]);
    for (const [question, answer] of [
      ['where is the saw', 'behind the door'],
      ['where is the hammer', 'on the bench'],
    ]) {
      expect((await memory.causantic('search', question!)).stdout).toContain(answer);
    }
  });

  it('removes secrets before they are stored, and counts them', async () => {
    const secret = ['ghp', '1234567890abcdefghijABCDEFGHIJ123456'].join('_');
    new TranscriptBuilder({
      session: sessionId('5ec00001'),
      cwd: '/home/ada/safe',
      start: '2026-02-01T10:00:00Z',
    })
      .exchange(`Use the token ${secret} for the release.`, 'The release went out.')
      .exchange('And <private>my diary entry</private> is nobody’s business.', 'Understood.')
      .writeTo(memory.projects);
    const report = (await reindexed()) as Report & { redactions: Record<string, number> };
    expect(Object.values(report.redactions).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    const { stdout } = await memory.causantic('reconstruct', 'safe');
    expect(stdout).toContain('The release went out.');
    expect(stdout).not.toContain(secret);
    expect(stdout).not.toContain('diary');
  });

  it('for people prints some lines', async () => {
    const { code, stdout } = await memory.reindex('--source', SAMPLE);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Read 5 files \(\d+\.\d MB\) of 4 sessions in \d+\.\d s\n/);
  });

  it('for people names the problems of each file once', async () => {
    const begin = { cwd: '/home/ada/shed', start: '2026-02-01T10:00:00Z' };
    const broken = ['bad00001', 'bad00002'].map((id) =>
      new TranscriptBuilder({ ...begin, session: sessionId(id) })
        .exchange('Where is the saw?', 'The saw hangs behind the door.')
        .raw('{"type":')
        .raw('{"type":"us')
        .writeTo(memory.projects),
    );
    const { stdout } = await memory.reindex();
    expect(stdout).toContain('  problems: 4\n');
    for (const path of broken)
      expect(stdout).toMatch(
        new RegExp(
          `^ {4}${path}:3 invalid-json: the line is not valid JSON.* \\(and 1 line more of it\\)$`,
          'm',
        ),
      );
  });

  it.skipIf(process.platform === 'win32')('names what cannot be read, in plain words', async () => {
    const loop = join(memory.projects, 'loop.jsonl');
    mkdirSync(memory.projects, { recursive: true });
    symlinkSync(loop, loop);
    const message = 'too many symbolic links encountered';
    expect((await reindexed()).issues).toEqual([{ file: loop, line: null, code: 'unreadable', message }]);
  });

  it.skipIf(!HAS_TERMINAL)(
    'its bars change nothing of a terminal that a killed process could not change back',
    () => {
      const stdout = onTerminal(`'${process.execPath}' '${REINDEX}' --source '${SAMPLE}'`);
      expect(stdout).toMatch(/Reading transcripts +=.*Linking +=.*Read 5 files/s);
      expect(stdout).not.toContain('\u001b[?');
    },
  );

  it('says so where nothing is a transcript', async () => {
    const { code, stdout } = await memory.reindex('--source', fileURLToPath(import.meta.url));
    expect(code).toBe(0);
    expect(stdout).toContain('no transcripts of Claude Code');
  });

  it.each([
    ['a missing source', ['--source', '/no/such/folder'], 1, /\/no\/such\/folder/],
    ['a wrong option', ['--sauce', SAMPLE], 2, /--sauce/],
    ['a source without a folder', ['--source'], 2, /--source/],
    ['a part that cannot be rebuilt', ['--rebuild', 'everything'], 2, /vectors/],
    ['a missing folder', ['now'], 1, /now/],
  ])('%s is refused, and no memory is made', async (_what, args, expected, says) => {
    const { code, stdout, stderr } = await memory.reindex('--json', ...args);
    expect(existsSync(join(memory.home, 'memory.db'))).toBe(false);
    expect(code).toBe(expected);
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout).toBe('');
  });

  it('explains itself', async () => {
    const help = await memory.reindex('--help');
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const option of ['--source', '--json', '--rebuild', '--dry-run'])
      expect(help.stdout).toContain(option);
    expect((await memory.reindex('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  });
});

describe('causantic', () => {
  beforeAll(async () => {
    memory = new MemoryHome();
    writeAppSessions(memory.projects);
    await memory.ingest();
  });
  afterAll(() => memory.remove());

  it('takes a question in several words and gives the tool’s text', async () => {
    const { code, stdout } = await memory.causantic(
      'search',
      'which',
      'port',
      'has',
      'the',
      'metrics',
      'exporter',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Found \d+ relevant memory chunks \(\d+ tokens\):\n\n\[Session: d4c3b2a1 \| api-server \| /,
    );
    expect(stdout).toContain('port 9464');
  });

  it('prints nothing that a terminal would obey', async () => {
    const database = openSqlite(join(memory.home, 'memory.db'));
    const rename = database.prepare('UPDATE project SET slug = ? WHERE slug = ?');
    const name = 'api\u001b]52;c;AAAA\u0007\u001b[2J\u009b2J\r';
    rename.run(name, 'api-server');
    const runs = await Promise.all(
      [
        ['list-projects'],
        ['list-projects', '--json'],
        ['search', 'metrics'],
        ['stats'],
        ['completion', '--projects'],
      ].map((args) => memory.causantic(...args)),
    );
    rename.run('api-server', name);
    database.close();
    for (const { code, stdout } of runs) {
      expect(code).toBe(0);
      expect(stdout).toContain('api');
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }
  });

  it.skipIf(!HAS_TERMINAL)(
    'on a terminal an answer is given to the pager, and printed where there is none',
    () => {
      const listing = `'${process.execPath}' '${SERVER}' list-projects`;
      for (const [given, seen] of [
        [undefined, 'FRX'],
        ['S', 'S'],
      ])
        expect(onTerminal(listing, { PAGER: 'sed "s/^/$LESS> /"', LESS: given })).toMatch(
          new RegExp(`^${seen}> Projects in memory:\r\n${seen}> - api-server `),
        );
      expect(onTerminal(listing, { PAGER: "sed 's/^/> /'", TERM: 'dumb' })).toMatch(/^Projects in memory:/);
      expect(onTerminal(`${listing} --json`, { PAGER: 'cat -n' })).toMatch(/^\{/);
      for (const pager of ['no-such-pager', 'cat', ''])
        expect(onTerminal(listing, { PAGER: pager })).toMatch(/^Projects in memory:\r\n- api-server /m);
      expect(onTerminal(`PATH=/nowhere ${listing}`, { PAGER: undefined, TERM: 'xterm' })).toMatch(
        /^Projects in memory:\r\n- api-server /,
      );
    },
  );

  it('--json gives text, hits and diagnostics', async () => {
    const { stdout } = await memory.causantic(
      'search',
      'metrics exporter port',
      '--project',
      'api-server',
      '--json',
    );
    const { text, hits, diagnostics } = JSON.parse(stdout) as {
      text: string;
      hits: object[];
      diagnostics: object;
    };
    expect(text).toMatch(/^Found /);
    expect(hits[0]).toMatchObject({ sessionId: SESSIONS.recentServer, project: 'api-server', agent: null });
    expect(diagnostics).toHaveProperty('timingsMs');
  });

  it.concurrent.each<[args: string[], diagnostics: object]>([
    [
      ['list-projects'],
      { projects: expect.arrayContaining([expect.objectContaining({ project: 'my-app' })]) as unknown },
    ],
    [
      ['list-sessions', 'my-app', '--limit', '1'],
      { total: 3, sessions: [expect.objectContaining({ sessionId: SESSIONS.refreshTokens })] },
    ],
    [['list-sessions', 'no-such-app'], { total: 0, sessions: [] }],
    [['hook-status'], { runs: {} }],
    [['forget', 'my-app', '--session-id', 'a1b2c3d4'], { matched: expect.any(Number) as number, deleted: 0 }],
  ])('--json gives what the text of %j tells', async (args, diagnostics) => {
    const { stdout } = await memory.causantic(...args, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ diagnostics });
  });

  it.concurrent.each<[args: string[], form: RegExp]>([
    [['list-projects'], /^Projects in memory:\n- api-server /],
    [
      ['list-sessions', 'my-app', '--limit', '1'],
      /^Sessions for "my-app" \(3 total\):\n- a1b2c3d4 .*\n\.\.\.and 2 more\n$/,
    ],
    [['list-sessions', 'api-server', '--days-back', '1'], /\(1 total\)/],
    [['stats'], /^Causantic v/],
    [['hook-status'], /session-start: never run/],
    [['reconstruct', 'my-app', '--session-id', 'e5f6a7b8'], /^=== Session e5f6a7b8 \| my-app \| /],
    [['reconstruct', '--session-id', 'e5f6a7b8'], /^=== Session e5f6a7b8 \| my-app \| /],
    [['reconstruct', 'my-app', '--no-keep-newest'], /^=== Session c9d0e1f2 /],
    [['search', 'zvrkk blorptang'], /^No relevant memory found\.\n$/],
    // Pasted errors and lines of diffs begin so.
    [['search', '--- zvrkk: blorptang', '--project', 'my-app'], /^No relevant memory found\.\n$/],
    [['explain', '-zvrkk: blorptang'], /^No relevant memory found/],
    [['--set', 'tokens.mcpMaxResponse=500', 'recall', '-- zvrkk: blorptang'], /^No relevant memory found/],
  ])('%j', async (args, form) => {
    expect(await memory.causantic(...args)).toEqual({
      code: 0,
      stdout: expect.stringMatching(form) as string,
      stderr: '',
    });
  });

  it.concurrent.each([[], ['--dry-run'], ['--dry-run', 'true']])(
    'a preview of a deletion says how a shell asks for it: forget %j %j',
    async (...flags) => {
      expect(await memory.causantic('forget', 'my-app', '--before', '2026-02-07', ...flags)).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^Dry run: \d+ chunk.* Set dry_run=false to proceed\.\n$/) as string,
        stderr: 'To delete them, add --no-dry-run.\n',
      });
    },
  );

  it.concurrent.each<[args: string[], code: number, says: RegExp]>([
    [['forget', 'my-app', '--dry-run', 'maybe'], 2, /--dry-run.* 'maybe' is invalid.* true, false/],
    [['forget', '--dry-run', 'my-app'], 2, /--dry-run.* 'my-app' is invalid.* true, false/],
    [['forget', 'my-app', '--before', 'junk', '--no-dry-run'], 2, /"before".*ISO 8601/],
    [['forget'], 2, /project/],
    [['search'], 2, /query'\n\(add --help for usage\)\n$/],
    [['search', 'x', '--project', 'no-such-app'], 1, /no-such-app/],
    [['search', 'x', '--limit', '5'], 2, /--limit/],
    [['list-sessions', 'my-app', '--limit', 'many'], 2, /"limit".*"many".*number/],
    [['list-sessions', 'my-app', '--days-back', ' '], 2, /"days_back".*got " "; expected a number/],
    [['list-sessions', 'my-app', '--days-back', 'Infinity'], 2, /"days_back".*"Infinity".*number/],
    [['remember', 'this'], 2, /remember/],
    [['init', '--scope', 'everybody'], 2, /--scope.*'everybody' is invalid.* user, project/],
    [['serve', '--port', '80'], 2, /"port".*"80".*--http with it/],
    [['serve', '--http', '--port', '65536'], 2, /"port".*"65536".*from 0 to 65535/],
    [['serve', '--http', '--port', ''], 2, /"port".*got ""; .*from 0 to 65535/],
    [['completion'], 2, /"shell".*bash, zsh, fish, powershell/],
    [['repomap', '.', '--max-tokens', '5'], 2, /"max-tokens".*from 100 to 100000/],
    [['repomap', '.', '--max-tokens', '100001'], 2, /"max-tokens".*from 100 to 100000/],
    [['repomap', '.', '--html', '/no/such/folder/map.html'], 2, /"html".*in a folder that exists/],
    [['repomap', '.', '--html', '.'], 2, /"html".*a file, not a folder/],
    [['export', '/no/such/folder/memory.causantic'], 2, /"file".*in a folder that exists/],
    [
      ['export', `${fileURLToPath(import.meta.url)}/memory.causantic`],
      2,
      /"file".*a file in a folder that you can write to \(.*not a directory/,
    ],
    [['export', '.', '--force'], 2, /"file".*a file, not a folder/],
    [
      ['export', 'x', '--passphrase-env', 'NO_SUCH_NAME'],
      2,
      /"passphrase-env".*"NO_SUCH_NAME".*holds the pass/,
    ],
    [['import', '.'], 1, / is not a Causantic archive/],
  ])('%j is refused with exit code %i', async (args, code, says) => {
    const result = await memory.causantic(...args);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toMatch(says);
    expect(result.stderr).not.toMatch(/^\s+at /m);
  });

  it('in the folder of a project it need not be named', async () => {
    const own = MemoryHome.ofTest();
    new TranscriptBuilder({ session: sessionId('5a00'), cwd: own.folder, start: '2026-02-01T10:00:00Z' })
      .exchange('Where is the saw?', 'The saw hangs behind the door.')
      .writeTo(own.projects);
    await own.reindex();
    expect((await own.causantic('list-sessions', '--limit', '1')).stdout).toContain('(1 total)');
    expect((await own.causantic('reconstruct', '--days-back', '9999')).stdout).toContain('behind the door');
    expect(await own.causantic('forget')).toMatchObject({ code: 2, stdout: '' });
  });

  it('a map lists first what was worked on in the last hours, unless told not to', async () => {
    const own = MemoryHome.ofTest();
    for (const name of ['adze', 'saw'])
      writeFileSync(join(own.folder, `${name}.ts`), `export function ${name}() {}\n`);
    const start = new Date(Date.now() - 600_000).toISOString();
    new TranscriptBuilder({ session: sessionId('5a00'), cwd: own.folder, start })
      .user('Sharpen the saw.')
      .tool('Edit', { file_path: join(own.folder, 'saw.ts'), old_string: 'a', new_string: 'b' }, 'ok')
      .writeTo(own.projects);
    await own.reindex();
    const listed = async (...args: string[]): Promise<string[]> =>
      (await own.causantic('repomap', ...args)).stdout.match(/^\w+\.ts$/gm)!;
    expect(await listed()).toEqual(['saw.ts', 'adze.ts']);
    expect(await listed('--no-session')).toEqual(['adze.ts', 'saw.ts']);
  });

  it.each(['list-sessions', 'reconstruct'])('%s elsewhere asks for a project', async (tool) => {
    const { code, stderr } = await memory.causantic(tool);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^causantic: Invalid argument "project".*list-projects.*this folder/);
  });

  it('a session that there is not is named where the folder has no project either', async () => {
    const { code, stderr } = await memory.causantic('reconstruct', '--session-id', 'deadbeef');
    expect(code).toBe(2);
    expect(stderr).toContain('because session "deadbeef" and this folder are of none in memory');
  });

  it('beside the answer of an empty memory stands how it is filled', async () => {
    const empty = MemoryHome.ofTest();
    const { code, stdout, stderr } = await empty.causantic('search', 'anything');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No relevant memory found.\n' });
    expect(stderr).toMatch(/^The memory is empty: causantic init .*\n$/);
    expect((await empty.causantic('search', 'anything', '--json')).stderr).toBe('');
    expect((await empty.causantic('list-sessions')).stderr).toMatch(/none is in memory yet.*causantic init/);
    expect((await memory.causantic('search', 'no such thing')).stderr).toBe('');
  });

  it('reconstruct’s errors are no output, and give an exit code', async () => {
    const { code, stdout, stderr } = await memory.causantic('reconstruct', 'no-such-app');
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^Error: /);
  });

  it('reconstruct called wrongly ends as any command does', async () => {
    const { code, stderr } = await memory.causantic('reconstruct', 'my-app', '--from', 'junk');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Error: Invalid argument "from"/);
  });

  it('repomap writes a page, and prints the data as well where both are asked for', async () => {
    const folder = join(memory.folder, 'mill');
    const page = join(memory.folder, 'mill.html');
    mkdirSync(folder);
    writeFileSync(join(folder, 'mill.ts'), 'export function grind() {}\n');
    // In the place of the folder that keeps maps, in which there are two files for each.
    writeFileSync(join(memory.home, 'repomap'), '');
    const written = await memory.causantic('repomap', folder, '--html', page);
    expect(written.stdout).toBe(`Wrote ${page}\n`);
    expect(written.stderr).toMatch(/^The next map takes as long as this one: .*\n$/);
    rmSync(join(memory.home, 'repomap'));
    expect(readFileSync(page, 'utf8')).toMatch(/<h1>mill<\/h1>[^]*grind/);
    rmSync(page);
    const { stdout } = await memory.causantic('repomap', folder, '--html', page, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ text: expect.stringContaining('fn grind') as string });
    expect(existsSync(page)).toBe(true);
    if (!existsSync('/dev/full')) return;
    const { stderr } = await memory.causantic('repomap', folder, '--html', '/dev/full');
    expect(stderr).toBe('causantic: Cannot write /dev/full: no space left on device\n');
  });

  it.runIf(process.platform === 'linux')('repomap says beside the map what it lacks', async () => {
    const folder = join(memory.folder, 'quarry');
    mkdirSync(folder);
    writeFileSync(join(folder, 'quarry.ts'), 'export function dig() {}\n');
    // Nobody can open a file of this name by what the system says it is called.
    const hide = (name: string): void =>
      writeFileSync(Buffer.from(`${folder}/${name}\xe9.ts`, 'latin1'), 'export function hidden() {}\n');
    hide('caf');
    const { stdout, stderr } = await memory.causantic('repomap', folder);
    expect(stdout).toContain('fn dig');
    expect(stderr).toBe('Not in the map: caf\ufffd.ts (its name is not valid UTF-8)\n');
    for (const name of 'abcdef') hide(name);
    const { stderr: more } = await memory.causantic('repomap', folder);
    expect(more).toMatch(/^(Not in the map: .*\n){5}… and 2 more; --json has all of them\.\n$/);
  });

  it('explains itself and every tool', async () => {
    const { code, stdout } = await memory.causanticWith({ FORCE_COLOR: '1' }, '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('\n\u001b[1mAsk the memory:\u001b[22m\n');
    expect(stdout).toMatch(/^ {2}reconstruct \[options\] \[project\] +Show what happened/m);
    expect(stdout).toMatch(/\nExit status: 0 on success, 1 if the command failed, 2 for wrong usage\.\n$/);
    for (const command of [
      'serve',
      'search',
      'list-projects',
      'list-sessions',
      'reconstruct',
      'stats',
      'hook-status',
      'forget',
    ]) {
      expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
    }
    const help = await memory.causantic('forget', '--help');
    expect(help.code).toBe(0);
    for (const option of ['--before', '--after', '--session-id', '--dry-run', '--json'])
      expect(help.stdout).toContain(option);
    for (const option of ['-h', '--help'])
      expect((await memory.causantic('hook', option)).stdout).toMatch(/^Usage: causantic hook /);
    expect(await memory.causantic('hook', 'prompts')).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /^causantic: unknown hook "prompts"; known hooks: .*prompt-submit\n$/,
      ) as string,
    });
    expect((await memory.causantic('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  });

  it('forget --no-dry-run deletes', async () => {
    const { code, stdout, stderr } = await memory.causantic(
      'forget',
      'my-app',
      '--session-id',
      'e5f6a7b8',
      '--no-dry-run',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Deleted \d+ chunk\(s\) from project "my-app" /);
    expect((await memory.causantic('list-sessions', 'my-app')).stdout).not.toContain('e5f6a7b8');
  });
});
