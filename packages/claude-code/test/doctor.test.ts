import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { databasePath } from '@causantic/domain';
import { ingestTree } from '@causantic/ingest';
import { openSqlite, SQLITE_PACKAGE, Store } from '@causantic/storage';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Check, diagnose, install, type InstallOptions, uninstall } from '../src/index.js';
import { checkDisk, checkHome, checkNativeModules, checkNode } from '../src/doctor/machine-checks.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';
import { TranscriptBuilder } from '../../../test/e2e/transcript-builder.js';
import { sessionOn, SHOP } from './remembered.js';

let folder: string;
let env: Record<string, string>;

beforeEach(() => {
  folder = temporaryFolder();
  env = {
    CAUSANTIC_HOME: join(folder, 'home'),
    CLAUDE_CONFIG_DIR: join(folder, 'claude'),
    CODEX_HOME: join(folder, 'codex'),
    GEMINI_CLI_HOME: join(folder, 'gemini'),
    COPILOT_HOME: join(folder, 'copilot'),
    QWEN_HOME: join(folder, 'qwen'),
    XDG_DATA_HOME: join(folder, 'data'),
  };
  mkdirSync(env['CLAUDE_CONFIG_DIR']!);
  writeFileSync(join(folder, 'causantic.mjs'), '');
  install(installation(), { dryRun: false });
});

function installation(): InstallOptions {
  const program = { node: process.execPath, script: join(folder, 'causantic.mjs') };
  return { scope: 'user', projectDir: folder, env, program };
}

async function checked(name: string): Promise<Check> {
  const checks = await diagnose(installation());
  return checks.find((check) => check.name === name)!;
}

describe('the doctor', () => {
  it('finds nothing wrong after an installation', async () => {
    addToState({ projects: { [join(folder, 'other')]: { disabledMcpServers: ['causantic'] } } });
    const checks = await diagnose(installation());
    expect(checks.filter(({ status }) => status === 'error' || status === 'warning')).toEqual([]);
  });

  it('waits not long for a process that keeps the memory to itself, and says what to do', async () => {
    const path = databasePath(env['CAUSANTIC_HOME']!);
    Store.open(path).close();
    const other = openSqlite(path);
    other.pragma('locking_mode = EXCLUSIVE');
    other.exec('BEGIN IMMEDIATE');
    const check = await checked('database');
    other.close();
    expect(check).toMatchObject({
      status: 'error',
      message: expect.stringContaining('is locked by') as string,
      fix: 'end the process that is using it, or wait for it; mount an SMB share with nobrl',
    });
  }, 30_000);

  it('sends nobody away from a memory that a newer program wrote', async () => {
    const path = databasePath(env['CAUSANTIC_HOME']!);
    Store.open(path).close();
    const newer = openSqlite(path);
    newer.exec("INSERT INTO schema_version VALUES (999, '2099-01-01 00:00:00.000')");
    newer.close();
    expect(await checked('database')).toMatchObject({ status: 'error', fix: 'install the latest Causantic' });
  });

  it('takes hooks that settings allow in so many words for no others', async () => {
    addToSettings('"disableAllHooks": false');
    expect(await checked('hooks')).toMatchObject({ status: 'ok' });
  });

  it.each([
    [40_000, 'error', 'full: 0.0 MB free'],
    [60_000_000, 'warning', '60.0 MB free'],
    [4e9, 'ok', '4000 MB free'],
  ])('tells what %d bytes on the disk mean', (bytes, status, message) => {
    const check = checkDisk(env['CAUSANTIC_HOME']!, () => bytes);
    expect(check).toMatchObject({ status, message: expect.stringContaining(message) as string });
  });

  it('names what in the home the user may not use, but for settings, which may be read-only', () => {
    const home = env['CAUSANTIC_HOME']!;
    const closed = ['indexes', 'config.json', 'notes.txt'].map((name) => join(home, name));
    for (const path of closed) mkdirSync(path);
    const check = checkHome(home, (path) => closed.includes(path));
    expect(check).toMatchObject({ status: 'warning', fix: `give yourself access to ${closed[0]}` });
    rmSync(closed[0]!, { recursive: true });
    expect(checkHome(home, (path) => closed.includes(path)).status).toBe('ok');
  });

  it.skipIf(process.platform === 'win32')('warns of a home that other users can read', () => {
    const home = env['CAUSANTIC_HOME']!;
    chmodSync(home, 0o750);
    expect(checkHome(home)).toMatchObject({ status: 'warning', message: `other users can read ${home}` });
  });

  it.skipIf(process.platform === 'win32')('takes no home that cannot be looked at for none', async () => {
    const home = env['CAUSANTIC_HOME']!;
    rmSync(home, { recursive: true, force: true });
    symlinkSync(home, home);
    for (const name of ['home', 'database', 'transcripts']) {
      expect(await checked(name)).toMatchObject({
        status: 'error',
        message: expect.stringContaining('ELOOP') as string,
      });
    }
  });

  it.skipIf(process.platform === 'win32')(
    'sends nobody to init whose home is a link to a missing disk',
    () => {
      const home = env['CAUSANTIC_HOME']!;
      rmSync(home, { recursive: true, force: true });
      symlinkSync(join(folder, 'no-disk'), home);
      for (const path of [home, join(home, 'memory')])
        expect(checkHome(path)).toMatchObject({
          status: 'error',
          message: `${home} leads to what is not there`,
          fix: 'connect its disk, or make the folder',
        });
    },
  );

  it('tells how to get back a model that was chosen and is gone', async () => {
    mkdirSync(env['CAUSANTIC_HOME']!, { recursive: true });
    const store = Store.open(databasePath(env['CAUSANTIC_HOME']!));
    store.embedding.choose('someone/tiny-embedder');
    store.close();
    const { status, fix } = await checked('model');
    expect(status).toBe('error');
    expect(fix).toMatch(/^install someone\/tiny-embedder again .*causantic model use causantic-static-v\d/);
  });

  it("finds a project's own server from a subfolder, and names a broken file above it", async () => {
    uninstall(installation(), { dryRun: false });
    mkdirSync(join(folder, '.git'));
    mkdirSync(join(folder, 'src', 'mill'), { recursive: true });
    install({ ...installation(), scope: 'project' }, { dryRun: false });
    const below = async (): Promise<Check[]> =>
      (await diagnose({ ...installation(), projectDir: join(folder, 'src', 'mill') })).filter(({ name }) =>
        ['mcp', 'hooks', 'skills'].includes(name),
      );
    for (const { message } of await below()) expect(message).toMatch(/ in .*(\.mcp|settings)\.json|skills$/);
    expect((await below()).map(({ status }) => status)).not.toContain('error');
    writeFileSync(join(folder, '.mcp.json'), '{');
    expect((await below())[0]).toMatchObject({
      status: 'error',
      message: expect.stringContaining(join(folder, '.mcp.json')) as string,
    });
  });

  it.each([
    [
      'a misspelt setting',
      'config',
      'error',
      () => writeFileSync(join(env['CAUSANTIC_HOME']!, 'config.json'), '{"hook":{}}'),
    ],
    ['a program that is gone', 'mcp', 'error', () => rmSync(join(folder, 'causantic.mjs'))],
    ['a program that is gone', 'hooks', 'error', () => rmSync(join(folder, 'causantic.mjs'))],
    [
      'settings that nobody can read',
      'hooks',
      'error',
      () => writeFileSync(join(folder, 'claude', 'settings.json'), '{'),
    ],
    ['hooks that are switched off', 'hooks', 'warning', () => addToSettings('"disableAllHooks": true')],
    [
      'hooks that are switched off in this project alone',
      'hooks',
      'warning',
      () => {
        addToSettings('"disableAllHooks": false');
        mkdirSync(join(folder, '.claude'));
        writeFileSync(join(folder, '.claude', 'settings.local.json'), '{ "disableAllHooks": true }');
      },
    ],
    [
      'hooks that are switched off, and of which the program is gone',
      'hooks',
      'error',
      () => {
        addToSettings('"disableAllHooks": true');
        rmSync(join(folder, 'causantic.mjs'));
      },
    ],
    [
      'the plugin beside the hooks',
      'hooks',
      'warning',
      () => addToSettings('"enabledPlugins": { "causantic@causantic": true }'),
    ],
    [
      "a project's hooks that are others than the user's",
      'hooks',
      'warning',
      () => {
        const program = { node: process.execPath, script: join(folder, 'other', 'causantic.mjs') };
        mkdirSync(join(folder, 'other'));
        writeFileSync(program.script, '');
        install({ ...installation(), scope: 'project', program }, { dryRun: false });
      },
    ],
    [
      'a hook that is not installed beside the others',
      'hooks',
      'error',
      () => {
        const file = join(folder, 'claude', 'settings.json');
        writeFileSync(
          file,
          readFileSync(file, 'utf8').replace('"PreCompact"', '"Stop"').replace('hook pre-compact', ''),
        );
      },
    ],
    ['a hook that failed', 'hook runs', 'warning', () => recordRun(false)],
    [
      'a server with another home',
      'mcp',
      'warning',
      () => (env['CAUSANTIC_HOME'] = join(folder, 'elsewhere')),
    ],
    [
      'a server that was disabled in this project',
      'mcp',
      'warning',
      () => addToState({ projects: { [folder]: { disabledMcpServers: ['causantic'] } } }),
    ],
    [
      'a server that was disabled in the repository around this folder',
      'mcp',
      'warning',
      () => addToState({ projects: { [dirname(folder)]: { disabledMcpServers: ['causantic'] } } }),
    ],
    ['a home that is gone', 'home', 'error', () => rmSync(env['CAUSANTIC_HOME']!, { recursive: true })],
    [
      'skills that are gone',
      'skills',
      'warning',
      () => rmSync(join(folder, 'claude', 'skills', 'causantic-recall'), { recursive: true }),
    ],
    [
      'a database that cannot be opened',
      'database',
      'error',
      () => mkdirSync(join(env['CAUSANTIC_HOME']!, 'memory.db')),
    ],
    [
      'a database with pages that are counted as free, and are not there',
      'database',
      'error',
      () => {
        const path = databasePath(env['CAUSANTIC_HOME']!);
        Store.open(path).close();
        const bytes = readFileSync(path);
        bytes.writeUInt32BE(3, 36);
        writeFileSync(path, bytes);
      },
    ],
    [
      'a session that was not read',
      'transcripts',
      'warning',
      () => {
        writeSession(new Date('2026-02-01'));
        env['CAUSANTIC_INGEST_BACKGROUND'] = 'false';
      },
    ],
  ] as const)('tells of %s', async (_, name, status, harm) => {
    harm();
    const check = await checked(name);
    expect(check).toMatchObject({ status });
    expect(check.fix).toEqual(expect.any(String));
  });

  it.each([
    ['settings.json', true],
    ['settings.local.json', true],
    ['settings.local.json', false],
  ])('takes the plugin for an installation that a project has in its %s as %s', async (name, isEnabled) => {
    uninstall(installation(), { dryRun: false });
    writeFileSync(
      join(env['CLAUDE_CONFIG_DIR']!, 'settings.json'),
      JSON.stringify({ enabledPlugins: { 'causantic@causantic': !isEnabled } }),
    );
    mkdirSync(join(folder, '.claude'));
    writeFileSync(
      join(folder, '.claude', name),
      JSON.stringify({ enabledPlugins: { 'causantic@causantic': isEnabled } }),
    );
    const checks = await diagnose(installation());
    for (const part of ['mcp', 'hooks', 'skills']) {
      const check = checks.find((each) => each.name === part)!;
      if (isEnabled) {
        expect(check.status).toBe('ok');
        expect(check.message).toContain(`by the plugin causantic@causantic, enabled in ${folder}`);
      } else {
        const status = part === 'skills' ? 'warning' : 'error';
        expect(check).toMatchObject({ status, fix: 'run causantic init' });
      }
    }
  });

  it('knows a server that is started by env with its variables', async () => {
    const { node, script } = installation().program;
    const args = [`CAUSANTIC_HOME=${env['CAUSANTIC_HOME']!}`, node, script, 'serve'];
    addToState({ mcpServers: { causantic: { command: 'env', args } } });
    expect(await checked('mcp')).toMatchObject({ status: 'ok' });
    addToState({
      mcpServers: { causantic: { command: 'env', args: ['CAUSANTIC_HOME=/other', ...args.slice(1)] } },
    });
    const elsewhere = expect.stringMatching(/keeps its memory in .*other, not in /) as string;
    expect(await checked('mcp')).toMatchObject({
      status: 'warning',
      message: elsewhere,
      fix: 'correct the entry: init leaves it as you wrote it',
    });
  });

  it('tells of a server that is not told the home, since it does not see the variables of a shell', async () => {
    const { node: command, script } = installation().program;
    addToState({ mcpServers: { causantic: { command, args: [script, 'serve'] } } });
    expect(await checked('mcp')).toMatchObject({ status: 'warning', fix: 'run causantic init' });
  });

  it('finds a program whose path has both an apostrophe and a dollar sign', async () => {
    const script = join(folder, "Ada's $5", 'causantic.mjs');
    mkdirSync(dirname(script));
    writeFileSync(script, '');
    const program = { node: process.execPath, script };
    install({ ...installation(), program }, { dryRun: false });
    expect(await checked('hooks')).toMatchObject({ status: 'ok' });
    rmSync(script);
    expect(await checked('hooks')).toMatchObject({ message: expect.stringContaining(script) as string });
  });

  it.each([
    ['hooks', 'settings.json', '{ "hooks": [] }'],
    ['hooks', 'settings.json', '{ "hooks": { "SessionEnd": {} } }'],
    ['mcp', '.claude.json', '{ "mcpServers": [] }'],
  ])('names the file in which %s are not what Claude Code takes: %s', async (name, file, text) => {
    const path = join(folder, 'claude', file);
    writeFileSync(path, text);
    const check = { status: 'error', message: expect.stringContaining(path) as string };
    expect(await checked(name)).toMatchObject(check);
  });

  it('looks for no file that a hook writes to', async () => {
    const settings = join(folder, 'claude', 'settings.json');
    const lines = readFileSync(settings, 'utf8').replace(/( hook [a-z-]+[^"\n]*)"/g, '$1 >> /no/such/log"');
    writeFileSync(settings, lines);
    expect(lines).toContain('/no/such/log');
    expect(await checked('hooks')).toMatchObject({ status: 'ok' });
  });

  it("tells of a project's server that was declined, unless the user has one", async () => {
    install({ ...installation(), scope: 'project' }, { dryRun: false });
    const answer = join(folder, '.claude', 'settings.local.json');
    writeFileSync(answer, JSON.stringify({ disabledMcpjsonServers: ['causantic'] }));
    expect(await checked('mcp')).toMatchObject({ status: 'ok' });
    rmSync(join(env['CLAUDE_CONFIG_DIR']!, '.claude.json'));
    expect(await checked('mcp')).toMatchObject({
      status: 'warning',
      message: `the entry in ${join(folder, '.mcp.json')} was declined (${answer})`,
    });
  });

  it('leaves sessions alone that go on, and hooks that ran well', async () => {
    writeSession(new Date());
    recordRun(true);
    expect(await checked('transcripts')).toMatchObject({
      status: 'ok',
      message: '0 of 1 are in memory; the rest changed in the last hour and may still be in use',
    });
    env['CAUSANTIC_INGEST_BACKGROUND'] = 'false';
    expect(await checked('transcripts')).toMatchObject({ status: 'ok' });
    expect(await checked('hook runs')).toMatchObject({
      status: 'ok',
      message: 'last run succeeded: session-end',
    });
  });

  it('says what to do about a setting that is wrong, and about settings that cannot be read', async () => {
    const file = join(env['CAUSANTIC_HOME']!, 'config.json');
    writeFileSync(file, '{ "hook": {} }');
    expect(await checked('config')).toMatchObject({ fix: 'correct or remove the key' });
    writeFileSync(file, '{ "hook": ');
    expect(await checked('config')).toMatchObject({ fix: 'correct the file, or give yourself access to it' });
  });

  it('warns of no session that is never read: settings exclude it, or it watches others', async () => {
    const excluding = (excludePaths: string[]): void =>
      writeFileSync(
        join(env['CAUSANTIC_HOME']!, 'config.json'),
        JSON.stringify({ ingest: { excludePaths } }),
      );
    writeSession(new Date('2026-02-01'), SHOP);
    writeSession(new Date('2026-02-01'), '/home/ada/.claude-mem/observer-sessions');
    excluding(['**/inn']);
    expect(await checked('transcripts')).toMatchObject({
      message: expect.stringMatching(/^1 of 1 /) as string,
    });
    excluding([SHOP]);
    expect(await checked('transcripts')).toMatchObject({
      message: expect.stringMatching(/^none yet/) as string,
    });
    writeFileSync(join(env['CAUSANTIC_HOME']!, 'config.json'), '{ "ingest": ');
    expect(await checked('transcripts')).toMatchObject({
      message: expect.stringMatching(/^2 of 2 /) as string,
    });
  });

  it('warns of no session that the server of the next one reads', async () => {
    writeSession(new Date('2026-02-01'));
    expect(await checked('transcripts')).toMatchObject({
      status: 'info',
      message: expect.stringMatching(/the server reads it during the next session of Claude Code$/) as string,
    });
    addToState({ projects: { [folder]: { disabledMcpServers: ['causantic'] } } });
    expect(await checked('transcripts')).toMatchObject({ status: 'warning' });
  });

  it('names what a folder of which nothing is known may have been before', async () => {
    expect(await checked('project')).toEqual({
      name: 'project',
      status: 'info',
      message: 'nothing from this folder in memory yet',
    });
    const path = writeSession(new Date());
    const store = Store.open(databasePath(env['CAUSANTIC_HOME']!));
    ingestTree(store, [path]);
    expect((await checked('project')).fix).toBe(
      `if this folder was shop (${SHOP}) before it was moved: causantic join shop .`,
    );
    // Folders that are there were not moved; of those that are gone, the latest are named.
    for (const [n, cwd] of ['/home/ada/inn', '/home/ada/mill', '/home/ada/pond', dirname(folder)].entries())
      ingestTree(store, [writeSession(new Date(), cwd, `2026-01-0${n + 1}`)]);
    const here = store.projects.ensure({ path: folder, name: 'here' });
    expect((await checked('project')).fix).toBe(
      `if this folder was shop (${SHOP}) or pond (/home/ada/pond) or mill (/home/ada/mill) before it was moved: causantic join NAME .`,
    );
    store.projects.join(store.projects.findBySlug('shop')!.id, here);
    store.close();
    expect(await checked('project')).toMatchObject({ status: 'ok', message: 'here: 1 session in memory' });
  });

  it('knows a session that its client has compressed since', async () => {
    const path = writeSession(new Date('2026-02-01'));
    const text = readFileSync(path);
    const frame = Buffer.from('28b52ffd0058', 'hex');
    const blockHeader = Buffer.from([(text.length << 3) | 1, text.length >> 5, 0]);
    writeFileSync(`${path}.zst`, Buffer.concat([frame, blockHeader, text]));
    utimesSync(`${path}.zst`, new Date('2026-02-01'), new Date('2026-02-01'));
    rmSync(path);
    expect(await checked('transcripts')).toMatchObject({ status: 'info' });
    const store = Store.open(databasePath(env['CAUSANTIC_HOME']!));
    ingestTree(store, [join(folder, 'claude', 'projects')]);
    store.close();
    expect(await checked('transcripts')).toMatchObject({ status: 'ok' });
  });

  it.each([
    [SQLITE_PACKAGE, 'is not there', 'error', undefined],
    [SQLITE_PACKAGE, 'has no binary', 'error', "throw new Error('no binary')"],
    ['faiss-node', 'has no binary, but a replacement', 'info', "throw new Error('no binary')"],
    [
      'faiss-node',
      'crashes the process, replacement or not',
      'error',
      "process.kill(process.pid, 'SIGSEGV')",
    ],
    ['tree-sitter', 'has no binary', 'error', "throw new Error('no binary')"],
    ['tree-sitter', 'it crashes the process', 'error', "process.kill(process.pid, 'SIGSEGV')"],
  ])('says of %s that it %s: %s', async (name, _, status, code) => {
    if (code !== undefined) {
      mkdirSync(join(folder, 'node_modules', name), { recursive: true });
      writeFileSync(join(folder, 'node_modules', name, 'index.js'), code);
    }
    const checks = await checkNativeModules(folder);
    expect(checks.find((check) => check.name === name)).toMatchObject({ status });
  });

  it.each([
    ['20.18.3', 'error'],
    ['18.20.0', 'error'],
    ['20.19.0', 'ok'],
    ['24.1.0', 'ok'],
  ])('judges Node %s: %s', (version, status) => {
    expect(checkNode(version).status).toBe(status);
  });
});

function addToSettings(property: string): void {
  writeFileSync(join(folder, 'claude', 'settings.json'), `{ ${property} }`);
  install(installation(), { dryRun: false });
}

/** What Claude Code keeps of its projects stands beside the servers. */
function addToState(fields: object): void {
  const file = join(folder, 'claude', '.claude.json');
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...fields }));
}

function recordRun(ok: boolean): void {
  const run = { lastRunMs: Date.now(), ok, durationMs: 3, message: 'what happened' };
  writeFileSync(join(env['CAUSANTIC_HOME']!, 'hook-status.json'), JSON.stringify({ 'session-end': run }));
}

function writeSession(modified: Date, cwd = SHOP, day = '2026-02-01'): string {
  const session = new TranscriptBuilder({ session: sessionOn(day), cwd, start: `${day}T10:00:00Z` });
  const path = session
    .exchange('Where is the till?', 'In the cellar.')
    .writeTo(join(folder, 'claude', 'projects'));
  utimesSync(path, modified, modified);
  return path;
}
