import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Store } from '@causantic/storage';
import { ClaudeHome } from './claude-home.js';
import { call, collected, finished, type Finished, SERVER } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

let home: ClaudeHome;

beforeEach(() => {
  home = new ClaudeHome();
});
afterEach(() => home.remove());

const SETTINGS = `{
    // Opus for everything
    "model": "opus",
    "hooks": {
        "SessionStart": [
            { "matcher": "startup", "hooks": [{ "type": "command", "command": "echo hello" }] }, // greets
        ],
        "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "check-bash" }] }]
    },
    "permissions": { "allow": ["Bash(ls:*)"] } /* more to come */
}`;
const STATE =
  '{\n  "numStartups": 12,\n  "mcpServers": {\n    "other": { "type": "http", "url": "https://example.org" }\n  }\n}\n';
const RULES = '# Rules\r\n\r\nUse tabs.';
const REINDEX = fileURLToPath(new URL('../../apps/reindex/bin/causantic-reindex.mjs', import.meta.url));

const FIRST = sessionId('aaaa0001');
const SECOND = sessionId('bbbb0002');

/** The command lines that stand in the settings, by event and hook. */
function commandsIn(settings: string): string[] {
  return [...settings.matchAll(/"command": ("(?:[^"\\]|\\.)*causantic\.mjs(?:[^"\\]|\\.)*")/g)].map(
    ([, text]) => JSON.parse(text!) as string,
  );
}

function contextOf({ stdout }: Finished): string {
  const output = JSON.parse(stdout) as {
    hookSpecificOutput: { hookEventName: string; additionalContext: string };
  };
  expect(output.hookSpecificOutput.hookEventName).toBe('SessionStart');
  return output.hookSpecificOutput.additionalContext;
}

describe('in Claude Code', () => {
  it('topics are found in what init reads', async () => {
    cpSync(fileURLToPath(new URL('../sample/claude/projects', import.meta.url)), home.projects, {
      recursive: true,
    });
    expect((await home.causantic('init', '--yes')).code).toBe(0);
    expect((await home.causantic('stats')).stdout).toContain('- Clusters: 2\n');
  });

  it('everything works after init, and is gone to the byte after uninstall', async () => {
    home.write(home.settings, SETTINGS);
    home.write(home.state, STATE);
    const rules = join(home.project, 'CLAUDE.md');
    home.write(rules, RULES);
    home.session(FIRST, '2026-02-02').exchange('Oil the hinges.', 'They are oiled.').writeTo(home.projects);

    const dry = await home.causantic('init', '--dry-run', '--yes');
    expect(dry.stdout).toContain('Would do:');
    expect(dry.stdout).not.toMatch(/Start a new session|Not read/);
    expect(existsSync(home.memory)).toBe(false);
    const init = await home.causantic('init', '--yes');
    expect(init).toMatchObject({ code: 0, stderr: '' });
    expect(init.stdout).toContain('1 transcript (');
    expect(init.stdout).toMatch(
      /^Registered with Claude Code:\n(?: {2}register the .*: ~.* \(backup: ~.*\)\n){2} {2}install 9 skills: ~.*skills\n\n/,
    );
    expect(init.stdout).not.toContain('Any MCP client');
    expect(init.stdout).toMatch(/Read 1 session: \d+ new chunks?, \d+ vectors?\.\n/);
    expect(init.stdout).toMatch(/\nStart a new session of Claude Code to use it\. .*doctor.*\n$/);
    const installed = readFileSync(home.settings, 'utf8');
    expect((await home.causantic('init')).stdout).toContain('Already registered with Claude Code.');
    expect(readFileSync(home.settings, 'utf8')).toBe(installed);

    const [start, claudeMd, end, preCompact, ...more] = commandsIn(installed);
    expect(more).toEqual([]);
    const transcript = home
      .session(SECOND, '2026-02-03')
      .exchange('Who painted the sign of the Grebe Inn?', 'Ida Fenwick painted it in 1887.')
      .writeTo(home.projects);
    const started = await home.shell(
      start!,
      home.input('SessionStart', SECOND, transcript, { source: 'startup' }),
    );
    expect(contextOf(started)).toContain('- last: Oil the hinges.');
    const others: [string, string, object][] = [
      [claudeMd!, 'SessionStart', { source: 'startup' }],
      [preCompact!, 'PreCompact', { trigger: 'auto', custom_instructions: '' }],
      [end!, 'SessionEnd', { reason: 'exit' }],
    ];
    for (const [command, event, fields] of others) {
      const { code, stdout, stderr } = await home.shell(
        command,
        home.input(event, SECOND, transcript, fields),
      );
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
    }
    expect(readFileSync(rules, 'utf8')).toContain('causantic:begin');
    expect(Object.values(home.runs()).map(({ ok }) => ok)).toEqual([true, true, true, true]);

    const client = await home.client();
    expect((await call(client, 'search', { query: 'Who painted the sign?' })).text).toContain('Ida Fenwick');
    expect((await call(client, 'hook-status')).text).toMatch(
      /session-start: last run .*\(success in \d+ ms: [a-z].*\)$/m,
    );
    await client.close();
    const doctor = await home.causantic('doctor');
    expect(doctor.stdout).not.toContain('FAIL');
    expect(doctor.code).toBe(0);

    const database = join('~', '.causantic', 'memory.db');
    const undone = await home.causantic('uninstall', '--purge', '--dry-run');
    expect(undone.stdout).toMatch(/^Would do:[^]*remove the block/);
    expect(undone.stdout).toContain(`  would delete: ${database}\n`);
    expect(readFileSync(home.settings, 'utf8')).toBe(installed);
    const uninstall = await home.causantic('uninstall');
    expect(uninstall.code).toBe(0);
    expect(uninstall.stdout).toMatch(
      /^Done:[^]*The memory is still in ~.*; `causantic uninstall --purge` deletes it/,
    );
    expect(readFileSync(home.settings, 'utf8')).toBe(SETTINGS);
    expect(readFileSync(home.state, 'utf8')).toBe(STATE);
    expect(readFileSync(rules, 'utf8')).toBe(RULES);
    expect(readdirSync(join(home.folder, '.claude')).sort()).toEqual(['projects', 'settings.json']);
    expect((await home.causantic('uninstall')).stdout).toContain(
      'Nothing to remove: init has registered nothing with Claude Code.',
    );
    expect((await home.causantic('search', 'painted')).stdout).toContain('Ida Fenwick');
    expect((await home.causantic('uninstall', '--purge')).stdout).toContain(`  deleted: ${database}\n`);
    expect(existsSync(home.memory)).toBe(false);
  });

  it('init tells how long much history takes in minutes', async () => {
    const transcript = home.session(FIRST, '2026-02-02').exchange('Oil the hinges.', 'Done.');
    const file = transcript.writeTo(home.projects);
    const told = async (bytes: number, ...args: string[]): Promise<string> => {
      truncateSync(file, bytes);
      return (await home.causantic('init', '--dry-run', ...args)).stdout;
    };
    expect(await told(534_000_000)).toContain('reading takes about 89 s.');
    expect(await told(900_000_000)).toContain(
      '1 transcript (900.0 MB) not yet in memory; reading takes about 3 min.',
    );
    expect(await told(900_000_000, '--no-import')).not.toContain('not yet in memory');
  });

  it('init counts and reads no session that settings exclude', async () => {
    home.session(FIRST, '2026-02-02').exchange('Oil the hinges.', 'They are oiled.').writeTo(home.projects);
    const inn = { session: SECOND, cwd: join(home.folder, 'inn'), start: '2026-02-03T10:00:00Z' };
    new TranscriptBuilder(inn).exchange('Who painted the sign?', 'Ida Fenwick.').writeTo(home.projects);
    home.env['CAUSANTIC_INGEST_EXCLUDE_PATHS'] = '["**/shop"]';
    const unread = await home.causantic('init');
    expect(unread.stdout).toMatch(/1 transcript \(.* about 1 s\.\n {2}in ~.*projects\nNot read\. /);
    expect(unread.stdout).not.toContain('[Y/n]');
    expect((await home.causantic('init', '--yes')).stdout).toContain('Read 1 session:');
    expect((await home.causantic('list-projects')).stdout).toMatch(/^Projects in memory:\n- inn .*\n$/);
    expect((await home.causantic('init')).stdout).not.toContain('not yet in memory');
  });

  it('init reads without a model, too, and says that there are no vectors', async () => {
    await home.causantic('init');
    home.session(FIRST, '2026-02-02').exchange('Oil the hinges.', 'They are oiled.').writeTo(home.projects);
    const store = Store.open(join(home.memory, 'memory.db'));
    store.embedding.choose('tiny');
    store.close();
    const { code, stdout } = await home.causantic('init', '--yes');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Read 1 session: 1 new chunk \(without vectors: .*"tiny" is not installed/);
    expect((await home.causantic('search', 'hinges')).stdout).toContain('They are oiled.');
  });

  it('init names what lists the problems of the transcripts that it read', async () => {
    const transcript = home
      .session(FIRST, '2026-02-02')
      .exchange('Oil the hinges.', 'They are oiled.')
      .raw('{"type": broken')
      .writeTo(home.projects);
    const { stdout } = await home.causantic('init', '--yes');
    const [, listing = ''] = /1 problem; (causantic-reindex.*) lists them\./.exec(stdout) ?? [];
    const command = listing.replace('causantic-reindex', `"${process.execPath}" "${REINDEX}"`);
    expect((await home.shell(command, {})).stdout).toContain(`${transcript}:3 invalid-json`);
  });

  it("a home of the user's choice is told to what Claude Code starts", async () => {
    const elsewhere = join(home.folder, 'my memory');
    home.env['CAUSANTIC_HOME'] = elsewhere;
    await home.causantic('init');
    delete home.env['CAUSANTIC_HOME'];
    const transcript = home
      .session(FIRST, '2026-02-03')
      .exchange('Hello?', 'Hello, Ida.')
      .writeTo(home.projects);
    const end = commandsIn(readFileSync(home.settings, 'utf8')).find((command) =>
      command.includes('session-end'),
    )!;
    expect((await home.shell(end, home.input('SessionEnd', FIRST, transcript))).code).toBe(0);
    expect(existsSync(join(elsewhere, 'memory.db'))).toBe(true);
    expect(existsSync(home.memory)).toBe(false);
    const client = await home.client();
    expect((await call(client, 'search', { query: 'Hello Ida' })).text).toContain('Hello, Ida.');
    await client.close();
  });

  it('a folder beside the home whose name begins like it is told by its whole path', async () => {
    home.env['CLAUDE_CONFIG_DIR'] = `${home.folder}-of-others`;
    const { stdout } = await home.causantic('init', '--dry-run', '--no-import');
    expect(stdout).toContain(`: ${join(`${home.folder}-of-others`, 'settings.json')}\n`);
  });

  it.each(['/', '//', '/.'])(
    'a home that is written with %j at its end is told as any other',
    async (end) => {
      home.env['HOME'] = home.env['USERPROFILE'] = `${home.folder}${end}`;
      const { stdout } = await home.causantic('init', '--dry-run', '--no-import');
      expect(stdout).toContain(`: ${join('~', '.claude', 'settings.json')}\n`);
    },
  );

  it("the user's own entry for the server stays, and how to take it out is told", async () => {
    const own = { command: 'causantic', args: ['serve'], env: { CAUSANTIC_TOKENS_MCP_MAX_RESPONSE: '5000' } };
    const state = home.write(home.state, JSON.stringify({ mcpServers: { causantic: own } }));
    for (const command of ['init', 'uninstall', 'uninstall']) {
      const { code, stdout } = await home.causantic(command);
      expect(code).toBe(0);
      expect(stdout).toContain('claude mcp remove --scope user causantic');
      expect(readFileSync(home.state, 'utf8')).toBe(state);
      expect(stdout).not.toContain('The memory is still');
    }
  });

  it('skills that the user edited stay, and how to get the current ones is told', async () => {
    const first = await home.causantic('init', '--no-import', '--prompt-submit');
    expect(first.stdout).not.toContain('edited');
    expect(readFileSync(home.settings, 'utf8')).toContain('hook prompt-submit');
    const skill = join(home.folder, '.claude', 'skills', 'causantic-recall', 'SKILL.md');
    home.write(skill, 'My own.');
    const { stdout } = await home.causantic('init', '--no-import');
    expect(stdout).toMatch(/\nYou edited these skills, .*\n {2}~.*causantic-recall.*\n\nStart a new session/);
    expect(readFileSync(skill, 'utf8')).toBe('My own.');
  });

  it.skipIf(process.platform === 'win32')(
    'init in a cache of npx says that the cache is cleared',
    async () => {
      const cache = join(home.folder, '.npm', '_npx');
      mkdirSync(cache, { recursive: true });
      symlinkSync(dirname(dirname(SERVER)), join(cache, 'causantic'));
      const program = join(cache, 'causantic', 'bin', 'causantic.mjs');
      const args = ['--preserve-symlinks', '--preserve-symlinks-main', program, 'init', '--no-import'];
      const { stdout } = await finished(spawn(process.execPath, args, { env: home.env, cwd: home.project }));
      expect(stdout).toContain("\nThis program is in npx's cache, which npm clears.");
      expect((await home.causantic('init', '--no-import')).stdout).not.toContain('npx');
    },
  );

  it.skipIf(process.platform !== 'linux' || !existsSync('/usr/bin/script')).each([
    ['Ctrl-C', '\u0003', 130, /\[Y\/n\] \S*\s*$/],
    ['Ctrl-D', '\u0004', 0, /\r\nNot read\. [^]*causantic doctor/],
    ['no', ' No\r', 0, /\r\nNot read\. [^]*causantic doctor/],
    ['Enter', '\r', 0, /Read 1 session: [^]*causantic doctor/],
  ] as const)(
    'init that is answered by %s when it asks has registered, and reads if it is told to',
    async (name, key, code, says) => {
      home.session(FIRST, '2026-02-02').exchange('Oil the hinges.', 'Done.').writeTo(home.projects);
      const child = spawn(
        '/usr/bin/script',
        ['-qec', `'${process.execPath}' '${SERVER}' init`, '/dev/null'],
        {
          env: home.env,
        },
      );
      const output = collected(child.stdout);
      let isAnswered = false;
      child.stdout.on('data', () => {
        if (isAnswered || !output.text().includes('[Y/n]')) return;
        isAnswered = true;
        child.stdin.write(key);
      });
      expect(await once(child, 'close')).toEqual([code, null]);
      expect(output.text()).not.toMatch(/Abort|[A-Z]s left/);
      expect(output.text()).toMatch(says);
      expect(readFileSync(home.settings, 'utf8')).toContain('session-end');
      expect(existsSync(join(home.memory, 'memory.db'))).toBe(name === 'Enter');
    },
  );

  it('init leaves to the plugin what it has registered, and reads the history', async () => {
    const settings = home.write(home.settings, '{ "enabledPlugins": { "causantic@causantic": true } }');
    home.session(FIRST, '2026-02-02').exchange('Oil the hinges.', 'They are oiled.').writeTo(home.projects);
    const { code, stdout } = await home.causantic('init', '--yes');
    expect(code).toBe(0);
    expect(stdout).toMatch(/plugin causantic@causantic [^]*already[^]*registered nothing/);
    expect(stdout).toMatch(/Read 1 session: \d+ new chunks?/);
    expect(readFileSync(home.settings, 'utf8')).toBe(settings);
    expect(existsSync(home.state)).toBe(false);
    expect((await home.causantic('doctor')).stdout).toMatch(
      /ok +hooks +provided by the plugin causantic@causantic/,
    );
    // Others who work on the project may not have it.
    const shared = await home.causantic('init', '--scope', 'project', '--no-import', '--dry-run');
    expect(shared.stdout).toContain('register the MCP server: ~/shop/.mcp.json');
  });

  it('init for a project says what everybody else will be asked', async () => {
    const { stdout } = await home.causantic('init', '--scope', 'project', '--no-import');
    expect(stdout).toContain(join(home.project, '.mcp.json').replace(home.folder, '~'));
    expect(stdout).toMatch(/asks everyone who works on this project whether to use its server/);
    expect(stdout).toContain('These files name programs on this machine.');
  });

  it('init for the project that holds the program names no place of this machine, and does not say so', async () => {
    const workspace = join(import.meta.dirname, '..', '..');
    const child = home.spawn(['init', '--scope', 'project', '--no-import', '--dry-run'], { cwd: workspace });
    const { stdout } = await finished(child);
    expect(stdout).toContain('register the MCP server');
    expect(stdout).not.toContain('on this machine');
  });

  it('uninstall takes out of a project what init put there, also from a subfolder', async () => {
    const sub = join(home.project, 'src', 'mill');
    mkdirSync(sub, { recursive: true });
    mkdirSync(join(home.project, '.git'));
    await home.causantic('init', '--scope', 'project', '--no-import');
    await finished(home.spawn(['uninstall'], { cwd: sub }));
    expect(readdirSync(home.project).sort()).toEqual(['.git', 'src']);
  });

  it('uninstall names what stays registered for other projects and configuration folders', async () => {
    await home.causantic('init', '--scope', 'project', '--no-import');
    home.env['CLAUDE_CONFIG_DIR'] = join(home.folder, 'other');
    await home.causantic('init', '--no-import');
    delete home.env['CLAUDE_CONFIG_DIR'];
    const project = ['  ~/shop/.mcp.json', '  ~/shop/.claude/settings.json'];
    const other = ['  ~/other/.claude.json', '  ~/other/settings.json'];
    const lines = async (...args: string[]) =>
      (await home.causantic('uninstall', ...args)).stdout.split('\n');
    for (const args of [['--dry-run'], []]) {
      const told = await lines(...args);
      expect(told).toEqual(expect.arrayContaining(other));
      expect(told).not.toContain(project[0]);
      expect(told.join('\n')).toMatch(
        /\nStill registered in other places\. .*\n.*CLAUDE_CONFIG_DIR as it was:\n {2}~/,
      );
    }
    const last = await lines('--purge');
    expect(last[0]).toBe('Nothing to remove: init has registered nothing here.');
    expect(last).toEqual(expect.arrayContaining(other));
  });

  it('settings that are mounted into a container, each by itself, are written over', async () => {
    home.write(home.state, STATE);
    const mounted = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      const rename = fs.renameSync; const file = ${JSON.stringify(home.state)};
      fs.renameSync = (from, to) => {
        if (to === file) throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
        rename(from, to);
      }; syncBuiltinESMExports();`;
    home.env['NODE_OPTIONS'] = `--import data:text/javascript,${encodeURIComponent(mounted)}`;
    expect((await home.causantic('init', '--no-import')).code).toBe(0);
    expect(readFileSync(home.state, 'utf8')).toContain('causantic.mjs');
    expect((await home.causantic('uninstall')).code).toBe(0);
    expect(readFileSync(home.state, 'utf8')).toBe(STATE);
    expect(readdirSync(home.folder).sort()).toEqual(['.causantic', '.claude', '.claude.json', 'shop']);
  });

  it('what others write while a slow disk is waited for is not written over', async () => {
    const rules = join(home.project, 'CLAUDE.md');
    const transcript = home.session(FIRST, '2026-02-02').exchange('Oil the hinges.', 'Done.');
    await home.hook('session-end', home.input('SessionEnd', FIRST, transcript.writeTo(home.projects)));
    home.write(home.state, STATE);
    home.write(rules, RULES);
    // Whatever is waited for, somebody adds a line to each of the two.
    const disk = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      const others = ${JSON.stringify([home.state, rules])};
      fs.fsyncSync = () => others.forEach((file) => fs.appendFileSync(file, '\\n')); syncBuiltinESMExports();`;
    home.env['NODE_OPTIONS'] = `--import data:text/javascript,${encodeURIComponent(disk)}`;
    const { code, stderr } = await home.causantic('init', '--no-import');
    expect(code).toBe(1);
    expect(stderr).toMatch(/another program has just changed it\. Fix this and run causantic init again\.$/m);
    await home.hook('claudemd-generator', home.input('SessionStart', SECOND, ''));
    expect(home.runs()['claudemd-generator']!.message).toMatch(/^left unchanged: another program/);
    for (const [file, text] of [
      [home.state, STATE],
      [rules, RULES],
    ] as const)
      expect(readFileSync(file, 'utf8').trimEnd()).toBe(text.trimEnd());
  });

  it('unreadable settings end init, and stay as they are', async () => {
    const settings = '{\n  "hooks": here\n}';
    home.write(home.settings, settings);
    home.write(home.state, STATE);
    const { code, stderr } = await home.causantic('init');
    expect(code).toBe(1);
    expect(stderr).toContain(`Cannot read ${home.settings}: invalid JSON at line 2, column 12.`);
    expect(readFileSync(home.settings, 'utf8')).toBe(settings);
    expect(readFileSync(home.state, 'utf8')).toBe(STATE);
  });

  it('the doctor names what is wrong and how to mend it', async () => {
    const absent = await home.causantic('doctor');
    expect(absent.code).toBe(1);
    expect(absent.stdout).toMatch(/FAIL {2}mcp +the server is not registered\n +→ run causantic init/);
    await home.causantic('init');
    home.write(
      home.settings,
      readFileSync(home.settings, 'utf8').replaceAll('causantic.mjs', 'gone/causantic.mjs'),
    );
    home.write(join(home.memory, 'memory.db'), 'this is no database');
    const { code, stdout } = await home.causantic('doctor', '--json');
    expect(code).toBe(1);
    const failed = (JSON.parse(stdout) as { name: string; status: string; fix?: string }[]).filter(
      ({ status }) => status === 'error',
    );
    expect(failed.map(({ name }) => name)).toEqual(['database', 'transcripts', 'hooks']);
    expect(failed.every(({ fix }) => fix !== undefined)).toBe(true);
  });
});

describe('hooks', () => {
  it.each([
    ['an unknown name', ['hook', 'no-such-hook'], '{}'],
    ['no name', ['hook'], '{}'],
    ['a setting that there is not', ['hook', 'session-start', '--set', 'no=such'], '{}'],
    ['no input', ['hook', 'session-start'], ''],
    ['input that is no JSON', ['hook', 'session-end'], 'null'],
  ])('never break a session: %s', async (_, args, input) => {
    expect((await finished(home.spawn(args), input)).code).toBe(0);
  });

  it('take settings from their command line', async () => {
    const transcript = home
      .session(FIRST, '2026-02-02')
      .exchange('Oil the hinges.', 'They are oiled.')
      .writeTo(home.projects);
    await home.hook('session-end', home.input('SessionEnd', FIRST, transcript));
    const start = (...args: string[]) =>
      home.hook('session-start', home.input('SessionStart', SECOND, '', { source: 'startup' }), ...args);
    expect(contextOf(await start())).toContain('Oil the hinges.');
    for (const option of [['--set', 'hooks.briefingTokens=0'], ['--set=hooks.briefingTokens=0']])
      expect((await start(...option)).stdout).toBe('');
    const elsewhere = join(home.folder, 'elsewhere');
    for (const option of [['--home', elsewhere], [`--home=${elsewhere}`]])
      expect((await start(...option)).stdout).toBe('');
    const optionsFirst = ['hook', '--home', elsewhere, '--set=hooks.briefingTokens=0', 'session-start'];
    await finished(home.spawn(optionsFirst), '{}');
    expect(readFileSync(join(elsewhere, 'hooks.log'), 'utf8')).toMatch(/ briefings are disabled\n$/);
  });

  it('and a server, all at once, lose nothing', async () => {
    await home.causantic('init');
    const sessions = Array.from({ length: 4 }, (_, n) => sessionId(`cccc000${n}`));
    const paths = sessions.map((session, n) => {
      const transcript = home.session(session, `2026-02-0${n + 1}`);
      for (let turn = 0; turn < 60; turn++)
        transcript.exchange(`Question ${turn} of ${n}?`, `Answer${n}x${turn}. ${'So it is. '.repeat(40)}`);
      return transcript.writeTo(home.projects);
    });
    const client = await home.client();
    const inputs = sessions.map((session, n) => home.input('SessionEnd', session, paths[n]!));
    const [calls, ...hooks] = await Promise.all([
      (async () => {
        for (let n = 0; n < 10; n++) await call(client, 'search', { query: `Question ${n}` });
        return 'answered';
      })(),
      ...inputs.map((input, n) => home.hook(n % 2 === 0 ? 'session-end' : 'pre-compact', input)),
      home.hook('session-start', { ...inputs[0], session_id: 'new', source: 'startup' }),
      home.hook('claudemd-generator', inputs[0]!),
    ]);
    expect(calls).toBe('answered');
    for (const { code, stderr } of hooks) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const runs = home.runs();
    expect(Object.keys(runs).sort()).toEqual([
      'claudemd-generator',
      'pre-compact',
      'session-end',
      'session-start',
    ]);
    for (const run of Object.values(runs)) expect(run).toMatchObject({ ok: true });
    const { text } = await call(client, 'list-sessions', { project: 'shop' });
    await client.close();
    expect(text).toContain('(4 total)');
    for (let n = 0; n < 4; n++) {
      const found = await home.causantic('search', `Answer${n}x59`);
      expect(found.stdout).toContain(`Answer${n}x59.`);
    }
  });

  it('that run at once on a slow disk are all recorded', async () => {
    const disk = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      fs.fsyncSync = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000); syncBuiltinESMExports();`;
    home.env['NODE_OPTIONS'] = `--import data:text/javascript,${encodeURIComponent(disk)}`;
    const names = ['session-start', 'claudemd-generator', 'pre-compact', 'session-end'];
    await Promise.all(names.map((name) => home.hook(name, { cwd: home.project })));
    expect(Object.keys(home.runs()).sort()).toEqual(names.sort());
  });

  it('that are killed leave nothing behind, and the next one finishes their work', async () => {
    await home.causantic('init');
    const transcript = home.session(FIRST, '2026-02-02');
    for (let turn = 0; turn < 400; turn++)
      transcript.exchange(`Question ${turn}?`, `Answer ${turn}. ${'So it is. '.repeat(60)}`);
    const input = home.input('SessionEnd', FIRST, transcript.writeTo(home.projects));
    for (const afterMs of [30, 120, 250, 400]) {
      for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
        const child = home.spawn(['hook', 'session-end'], { detached: process.platform !== 'win32' });
        child.stdin!.on('error', () => undefined);
        child.stdin!.end(JSON.stringify(input));
        await sleep(afterMs);
        child.kill(signal);
        await ended(child);
        expect(groupIsGone(child)).toBe(true);
      }
    }
    expect((await home.hook('session-end', input)).code).toBe(0);
    expect(home.runs()['session-end']).toMatchObject({ ok: true });
    expect((await home.causantic('search', 'Question 399')).stdout).toContain('Answer 399.');
    expect((await home.causantic('stats')).stdout).toMatch(/Chunks: 400\n- Edges: 399\n/);
  });

  it.skipIf(process.platform === 'win32')(
    'work in a folder that was deleted, as a worktree at its end',
    async () => {
      await home.causantic('init');
      const transcript = home.session(FIRST, '2026-02-02').exchange('Who painted it?', 'Ida painted it.');
      const input = home.input('SessionEnd', FIRST, transcript.writeTo(home.projects));
      const end = commandsIn(readFileSync(home.settings, 'utf8')).find((each) =>
        each.includes('session-end'),
      );
      const { code, stderr } = await home.shell(`mkdir gone && cd gone && rmdir "$PWD" && ${end}`, input);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(home.runs()['session-end']).toMatchObject({ ok: true });
    },
  );

  it('leave the session alone where they fail unforeseen, or nobody reads what they say', async () => {
    const said = home.session(FIRST, '2026-02-02').exchange('Oil the hinges.', 'Done.');
    await home.hook('session-end', home.input('SessionEnd', FIRST, said.writeTo(home.projects)));
    const input = home.input('SessionStart', SECOND, '', { source: 'startup' });
    const deaf = home.spawn(['hook', 'session-start']);
    deaf.stdout!.destroy();
    deaf.stdin!.end(JSON.stringify(input));
    expect(await once(deaf, 'close')).toEqual([0, null]);
    const failing = `process.on('newListener', (name) => {
      if (name === 'uncaughtException') setTimeout(() => { throw new Error('The moon is full'); });
    });`;
    home.env['NODE_OPTIONS'] = `--import data:text/javascript,${encodeURIComponent(failing)}`;
    expect(await home.hook('session-start', input)).toMatchObject({
      code: 0,
      stderr: 'causantic hook session-start: The moon is full\n',
    });
  });

  it('end with a client that is gone before it said anything', async () => {
    const child = home.spawn(['hook', 'session-start'], { detached: process.platform !== 'win32' });
    await sleep(50);
    child.stdin!.destroy();
    child.stdout!.destroy();
    await ended(child);
    expect(child.exitCode).toBe(0);
    expect(groupIsGone(child)).toBe(true);
  });
});

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Whether no process is left of those that the child started; it was the first of its group. */
function groupIsGone({ pid }: ChildProcess): boolean {
  if (process.platform === 'win32') return true;
  try {
    process.kill(-pid!, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
