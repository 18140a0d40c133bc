import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  editedSkills,
  install,
  type InstallOptions,
  quoted,
  registeredElsewhere,
  uninstall,
} from '../src/index.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

/** A user's folder, with the settings that a test gives it. */
class Machine {
  readonly folder = temporaryFolder();
  readonly claude = join(this.folder, 'claude');
  readonly settings = join(this.claude, 'settings.json');
  readonly servers = join(this.claude, '.claude.json');
  readonly home = join(this.folder, 'home');
  script = join(this.folder, 'bin', 'causantic.mjs');

  constructor(files: Record<string, string> = {}) {
    mkdirSync(this.claude);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.claude, name), text);
  }

  options(more: Partial<InstallOptions> = {}): InstallOptions {
    return {
      scope: 'user',
      projectDir: join(this.folder, 'project'),
      env: { CAUSANTIC_HOME: this.home, CLAUDE_CONFIG_DIR: this.claude },
      program: { node: '/usr/bin/node', script: this.script },
      ...more,
    };
  }

  install(more: Partial<InstallOptions> = {}) {
    return install(this.options(more), { dryRun: false });
  }

  uninstall(more: Partial<InstallOptions> = {}) {
    return uninstall(this.options(more), { dryRun: false });
  }

  /** Every file below the user's folder with its contents. */
  contents(below = this.folder): Record<string, string> {
    const files = readdirSync(below, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const paths = files.map((file) => join(file.parentPath, file.name));
    return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]));
  }
}

/** Hooks run in a shell also on Windows. */
const inShell = (path: string): string => path.replaceAll('\\', '/');

const COMMENTED =
  '{\n  // mine\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }],\n  },\n}\n';
const STATE = '{\n  "numStartups": 7,\n  "mcpServers": { "other": { "command": "x" } }\n}';

describe('installing', () => {
  it.skipIf(process.platform === 'win32')('leaves no skill that others may write, whatever the mask', () => {
    const machine = new Machine({ 'settings.json': '{}' });
    const mask = process.umask(0);
    try {
      machine.install();
    } finally {
      process.umask(mask);
    }
    const skills = join(machine.claude, 'skills');
    const made = [
      skills,
      ...readdirSync(skills, { recursive: true, encoding: 'utf8' }).map((path) => join(skills, path)),
    ];
    expect(made.length).toBeGreaterThan(9);
    expect(made.filter((path) => (statSync(path).mode & 0o022) !== 0)).toEqual([]);
  });

  it('registers the server as claude mcp add does, and hooks behind those that are there', () => {
    const machine = new Machine({ 'settings.json': COMMENTED, '.claude.json': STATE });
    machine.install();
    const servers = JSON.parse(readFileSync(machine.servers, 'utf8')) as object;
    expect(servers).toEqual({
      numStartups: 7,
      mcpServers: {
        other: { command: 'x' },
        causantic: {
          type: 'stdio',
          command: '/usr/bin/node',
          args: [machine.script, 'serve'],
          env: { CAUSANTIC_HOME: machine.home },
        },
      },
    });
    const settings = readFileSync(machine.settings, 'utf8');
    expect(settings.startsWith(COMMENTED.slice(0, COMMENTED.indexOf('  },\n}')))).toBe(true);
    for (const hook of ['session-start', 'claudemd-generator', 'session-end', 'pre-compact'])
      expect(settings).toContain(
        `/usr/bin/node ${inShell(machine.script)} hook ${hook} --home ${inShell(machine.home)}"`,
      );
    expect(settings).not.toContain('prompt-submit');
    expect(readdirSync(join(machine.claude, 'skills'))).toHaveLength(9);
    if (process.platform === 'win32') return;
    expect(statSync(machine.home).mode & 0o777).toBe(0o700);
    const skill = join(machine.claude, 'skills', 'causantic-recall', 'SKILL.md');
    expect(statSync(skill).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['the skills', 'skills'],
    ['a link to settings', 'elsewhere'],
  ])('changes nothing where %s cannot be written', (_, blocked) => {
    const machine = new Machine({ '.claude.json': STATE, [blocked]: 'a file, no folder' });
    if (blocked === 'elsewhere')
      symlinkSync(join(machine.claude, blocked, 'settings.json'), machine.settings);
    const before = machine.contents();
    expect(() => machine.install()).toThrow(
      /Cannot write .*(?:SKILL\.md|settings\.json): .*Nothing was changed\./,
    );
    expect(machine.contents()).toEqual(before);
  });

  it.skipIf(process.platform === 'win32')(
    'changes nothing where a link leads to a disk that is not there',
    () => {
      const machine = new Machine({ '.claude.json': STATE });
      symlinkSync(join(machine.folder, 'no-disk', 'settings.json'), machine.settings);
      const before = machine.contents();
      expect(() => machine.install()).toThrow(/Cannot write .*settings\.json: .*Nothing was changed\./);
      expect(machine.contents()).toEqual(before);
    },
  );

  it('names the home where that has no room for what a file was', () => {
    const machine = new Machine({ 'settings.json': COMMENTED });
    mkdirSync(machine.home);
    writeFileSync(join(machine.home, 'backups'), '');
    expect(() => machine.install()).toThrow(
      `Cannot register the hooks: ${machine.settings}: cannot note in ${machine.home} what it was: `,
    );
    expect(readFileSync(machine.settings, 'utf8')).toBe(COMMENTED);
  });

  it('twice is once', () => {
    const machine = new Machine({ 'settings.json': COMMENTED });
    machine.install({ promptSubmit: true });
    expect(readFileSync(machine.settings, 'utf8')).toContain('hook prompt-submit');
    const before = machine.contents();
    expect(machine.install()).toEqual([]);
    expect(machine.contents()).toEqual(before);
  });

  it('writes nothing where the client wrote its settings anew, with more behind what is ours', () => {
    const machine = new Machine({ '.claude.json': STATE });
    machine.install();
    for (const file of [machine.servers, machine.settings]) {
      const settings = JSON.parse(readFileSync(file, 'utf8')) as object;
      writeFileSync(file, JSON.stringify({ ...settings, theme: 'dark' }));
    }
    const before = machine.contents();
    expect(machine.install()).toEqual([]);
    expect(machine.contents()).toEqual(before);
  });

  it('leaves skills that were edited, and replaces those of an earlier version', () => {
    const machine = new Machine();
    machine.install();
    const [edited, old] = ['recall', 'search'].map((name) =>
      join(machine.claude, 'skills', `causantic-${name}`, 'SKILL.md'),
    ) as [string, string];
    const current = readFileSync(old, 'utf8');
    writeFileSync(edited, 'In verse, please.');
    // As an earlier version would have written and remembered it.
    writeFileSync(old, 'Older.');
    const record = join(machine.home, 'installed.json');
    const { files, ...rest } = JSON.parse(readFileSync(record, 'utf8')) as { files: Record<string, object> };
    files[old] = { backup: null, changedTo: createHash('sha256').update('Older.').digest('hex') };
    writeFileSync(record, JSON.stringify({ files, ...rest }));
    expect(machine.install()).toEqual([{ file: old, what: 'update the skill' }]);
    expect(readFileSync(old, 'utf8')).toBe(current);
    expect(readFileSync(edited, 'utf8')).toBe('In verse, please.');
    expect(editedSkills(machine.options())).toEqual([edited]);
  });

  it('follows a program that moved', () => {
    const machine = new Machine({ 'settings.json': COMMENTED, '.claude.json': STATE });
    machine.install();
    writeFileSync(
      machine.settings,
      readFileSync(machine.settings, 'utf8').replace('mine', 'changed by hand'),
    );
    machine.script = '/opt/new place/causantic.mjs';
    expect(machine.install()).toHaveLength(2);
    const settings = readFileSync(machine.settings, 'utf8');
    expect(settings.match(/hook session-end/g)).toHaveLength(1);
    expect(settings).toContain(String.raw`/usr/bin/node \"/opt/new place/causantic.mjs\" hook session-end`);
  });

  it.each([
    ['arguments', { args: ['/elsewhere/causantic.mjs', 'serve', '--http'] }],
    ['a variable', { env: { CAUSANTIC_INGEST_BACKGROUND: 'false' } }],
    ['a command', { command: 'npx', args: ['-y', 'causantic', 'serve'] }],
    ['a limit', { timeout: 5000 }],
    ['an address', { type: 'http', url: 'http://127.0.0.1:7411/mcp' }],
  ])("leaves the user's own entry for the server, with %s, as it is", (_, own) => {
    const usual = { command: '/usr/bin/node', args: ['/elsewhere/causantic.mjs', 'serve'] };
    const state = JSON.stringify({ mcpServers: { causantic: { ...usual, ...own } } });
    const machine = new Machine({ '.claude.json': state });
    machine.install();
    expect(readFileSync(machine.servers, 'utf8')).toBe(state);
    machine.uninstall();
    expect(readFileSync(machine.servers, 'utf8')).toBe(state);
  });

  it.each([[{ command: '/usr/bin/node', args: ['/elsewhere/causantic.mjs', 'serve'] }], [null]])(
    'replaces an entry for the server that says nothing of its own: %j',
    (usual) => {
      const machine = new Machine({ '.claude.json': JSON.stringify({ mcpServers: { causantic: usual } }) });
      machine.install();
      expect(readFileSync(machine.servers, 'utf8')).toContain(JSON.stringify(machine.script).slice(1, -1));
    },
  );

  it.each([
    '',
    ' --home /elsewhere',
    ' --home=/elsewhere',
    ' --set hooks.briefingTokens=900',
    ' --set=hooks.briefingTokens=900',
  ])('knows hooks with "%s" that a user has put more behind', (option) => {
    const command = (more: string) => `node "/elsewhere/causantic.mjs" hook session-end${option}${more}`;
    const lines = ['', ' || true', ' 2>/dev/null', '; exit 0', ' &'].map(command);
    const groups = lines.map((line) => ({ hooks: [{ type: 'command', command: line }] }));
    const others = { hooks: [{ type: 'command', command: 'echo a causantic hook session-end runs' }] };
    const machine = new Machine({
      'settings.json': JSON.stringify({ hooks: { SessionEnd: [...groups, others] } }),
    });
    machine.install();
    const installed = readFileSync(machine.settings, 'utf8');
    expect(installed.match(/causantic\.mjs[\\"]* hook session-end/g)).toHaveLength(1);
    expect(installed).toContain('echo a causantic hook session-end runs');
    machine.uninstall();
    expect(JSON.parse(readFileSync(machine.settings, 'utf8'))).toEqual({ hooks: { SessionEnd: [others] } });
  });

  it('shows in a dry run what it would do, and does nothing', () => {
    const machine = new Machine({ 'settings.json': COMMENTED });
    const before = machine.contents();
    const steps = install(machine.options(), { dryRun: true });
    expect(steps.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['register the hooks', 'install the skill']),
    );
    expect(machine.contents()).toEqual(before);
    expect(existsSync(machine.home)).toBe(false);
  });

  it.each([
    ['broken JSON', '{ "hooks": '],
    ['a list', '[]'],
    ['hooks that are no object', '{ "hooks": [] }'],
    ['events that are no list', '{ "hooks": { "SessionEnd": {} } }'],
    ['bytes that are no text', Buffer.from('{ "mine": "R\u00e8gles" }', 'latin1')],
  ])('refuses settings with %s, and changes nothing', (_, text) => {
    const machine = new Machine({ '.claude.json': STATE });
    writeFileSync(machine.settings, text);
    expect(() => machine.install()).toThrow(machine.settings);
    expect(readFileSync(machine.settings)).toEqual(Buffer.from(text));
    expect(readFileSync(machine.servers, 'utf8')).toBe(STATE);
    expect(existsSync(join(machine.claude, 'skills'))).toBe(false);
  });

  it('says of settings that are null what is wrong with them', () => {
    const machine = new Machine({ 'settings.json': 'null\n' });
    expect(() => machine.install()).toThrow(/: not a JSON object\. Nothing was changed\.$/);
  });

  it.skipIf(process.getuid?.() === 0)('leaves settings that are read-only, and all else with them', () => {
    const machine = new Machine({ 'settings.json': COMMENTED });
    chmodSync(machine.settings, 0o444);
    expect(() => machine.install()).toThrow(
      /^Cannot write .*settings\.json: E(?:ACCES|PERM).* Nothing was changed\.$/,
    );
    expect(readFileSync(machine.settings, 'utf8')).toBe(COMMENTED);
    expect(existsSync(machine.servers)).toBe(false);
    chmodSync(machine.settings, 0o644);
    machine.install();
    chmodSync(machine.settings, 0o444);
    const installed = machine.contents();
    expect(() => machine.uninstall()).toThrow(/^Cannot write .*settings\.json: .* Nothing was changed\.$/);
    expect(machine.contents()).toEqual(installed);
  });

  it.skipIf(process.getuid?.() !== 0)('leaves to a user what root makes in their home', () => {
    const machine = new Machine({ '.claude.json': STATE });
    for (const path of [machine.folder, machine.claude, machine.servers]) chownSync(path, 4711, 4712);
    machine.install();
    const made = readdirSync(machine.folder, { recursive: true, encoding: 'utf8' });
    expect(made).toContain(join('claude', 'skills', 'causantic-search', 'SKILL.md'));
    expect(made.filter((path) => statSync(join(machine.folder, path)).uid !== 4711)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('leaves a link to settings a link', () => {
    const machine = new Machine();
    const target = join(machine.folder, 'dotfiles', 'settings.json');
    mkdirSync(dirname(target));
    writeFileSync(target, COMMENTED);
    // More than the mask of most users lets a new file have.
    chmodSync(target, 0o662);
    symlinkSync(target, machine.settings);
    machine.install();
    expect(lstatSync(machine.settings).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('hook session-end');
    expect(statSync(target).mode & 0o777).toBe(0o662);
    machine.uninstall();
    expect(readFileSync(target, 'utf8')).toBe(COMMENTED);
    expect(lstatSync(machine.settings).isSymbolicLink()).toBe(true);
  });

  it.skipIf(process.platform === 'win32')('leaves a link that leads nowhere as it is', () => {
    const machine = new Machine();
    symlinkSync('not-there.json', machine.settings);
    machine.install();
    expect(readFileSync(machine.settings, 'utf8')).toContain('hook session-end');
    machine.uninstall();
    expect(readdirSync(machine.claude)).toEqual(['settings.json']);
    expect(readlinkSync(machine.settings)).toBe('not-there.json');
  });

  it('names a program inside of the project relative to it, for everybody who works there', () => {
    const machine = new Machine();
    const projectDir = join(machine.folder, 'project');
    mkdirSync(projectDir);
    machine.script = join(projectDir, 'node_modules', 'causantic', 'bin', 'causantic.mjs');
    machine.install({ scope: 'project', projectDir });
    const servers = JSON.parse(readFileSync(join(projectDir, '.mcp.json'), 'utf8')) as object;
    expect(servers).toMatchObject({
      mcpServers: {
        causantic: { command: 'node', args: ['node_modules/causantic/bin/causantic.mjs', 'serve'] },
      },
    });
    expect(readFileSync(join(projectDir, '.claude', 'settings.json'), 'utf8')).toContain(
      String.raw`node \"$CLAUDE_PROJECT_DIR/node_modules/causantic/bin/causantic.mjs\" hook pre-compact`,
    );
    // Windows knows no such rights.
    if (process.platform !== 'win32')
      expect(statSync(join(projectDir, '.mcp.json')).mode & 0o777).toBe(0o644 & ~process.umask());
    machine.uninstall({ scope: 'project', projectDir });
    expect(readdirSync(projectDir)).toEqual([]);
  });

  it('names a program outside of the project as it lies on this machine', () => {
    const machine = new Machine();
    const projectDir = join(machine.folder, 'project');
    machine.install({ scope: 'project', projectDir });
    expect(JSON.parse(readFileSync(join(projectDir, '.mcp.json'), 'utf8'))).toMatchObject({
      mcpServers: { causantic: { command: '/usr/bin/node', args: [machine.script, 'serve'] } },
    });
  });
});

describe('uninstalling', () => {
  it.each([
    ['with comments', COMMENTED, STATE],
    ['without any', undefined, undefined],
    ['on one line, with Windows line breaks', '{"model":"opus"}\r\n', '{"mcpServers":{}}'],
  ])('gives back settings %s to the byte', (_, settings, servers) => {
    const files = {
      ...(settings && { 'settings.json': settings }),
      ...(servers && { '.claude.json': servers }),
    };
    const machine = new Machine(files);
    const before = machine.contents(machine.claude);
    machine.install();
    machine.install({ promptSubmit: true });
    expect(machine.contents(machine.claude)).not.toEqual(before);
    machine.uninstall();
    expect(machine.contents(machine.claude)).toEqual(before);
    expect(readdirSync(machine.claude)).not.toContain('skills');
    expect(readdirSync(machine.home)).not.toContain('installed.json');
    expect(machine.uninstall()).toEqual([]);
  });

  it.each([
    ['what is ours', COMMENTED, STATE],
    ['what was made for it', '{\n  "model": "mine"\n}\n', '{\n  "numStartups": 7\n}\n'],
  ])('takes out only %s when others changed the files since', (_, settings, servers) => {
    const machine = new Machine({ 'settings.json': settings, '.claude.json': servers });
    machine.install();
    for (const file of [machine.settings, machine.servers]) {
      writeFileSync(file, readFileSync(file, 'utf8').replace('mine', 'changed by hand').replace('7', '8'));
    }
    machine.uninstall();
    expect(readFileSync(machine.settings, 'utf8')).toBe(settings.replace('mine', 'changed by hand'));
    expect(readFileSync(machine.servers, 'utf8')).toBe(servers.replace('7', '8'));
  });

  it.each(['{"hooks": {}}', '{"hooks": {"PostToolUse": []}}'])(
    'leaves %s, in which nothing is ours',
    (settings) => {
      const machine = new Machine({ 'settings.json': settings });
      expect(machine.uninstall()).toEqual([]);
      expect(readFileSync(machine.settings, 'utf8')).toBe(settings);
    },
  );

  it('from one place keeps what was noted of the others, and no more', () => {
    const machine = new Machine({ 'settings.json': COMMENTED, '.claude.json': STATE });
    const project = join(machine.folder, 'project');
    mkdirSync(project);
    machine.install();
    machine.install({ scope: 'project' });
    machine.uninstall();
    machine.uninstall({ scope: 'project' });
    expect(readdirSync(project)).toEqual([]);
    expect(existsSync(join(machine.home, 'installed.json'))).toBe(false);
  });

  it('leaves a hook that the user put beside ours', () => {
    const machine = new Machine();
    machine.install();
    const settings = JSON.parse(readFileSync(machine.settings, 'utf8')) as {
      hooks: { SessionStart: { hooks: object[] }[] };
    };
    const [group] = settings.hooks.SessionStart;
    const theirs = { type: 'command', command: 'say hello' };
    group!.hooks.push(theirs);
    writeFileSync(machine.settings, JSON.stringify(settings));
    machine.uninstall();
    expect(JSON.parse(readFileSync(machine.settings, 'utf8'))).toEqual({
      hooks: { SessionStart: [{ ...group, hooks: [theirs] }] },
    });
  });

  it('leaves empty folders that it did not make', () => {
    const machine = new Machine();
    rmSync(machine.claude, { recursive: true });
    machine.install();
    const theirs = ['agents', join('skills', 'drafts')].map((name) => join(machine.claude, name));
    for (const folder of theirs) mkdirSync(folder);
    machine.uninstall();
    for (const folder of theirs) expect(existsSync(folder)).toBe(true);
    expect(readdirSync(join(machine.claude, 'skills'))).toEqual(['drafts']);
  });

  it('keeps a copy of a skill that was edited', () => {
    const machine = new Machine();
    machine.install();
    const skill = join(machine.claude, 'skills', 'causantic-recall', 'SKILL.md');
    writeFileSync(skill, 'In verse, please.');
    const [copy, ...more] = machine.uninstall().flatMap(({ backup }) => backup ?? []);
    expect(readFileSync(copy!, 'utf8')).toBe('In verse, please.');
    expect(more).toEqual([]);
    expect(existsSync(join(machine.claude, 'skills'))).toBe(false);
  });

  it('changes nothing where it cannot note that it did', () => {
    const machine = new Machine();
    machine.install();
    const installed = machine.contents();
    rmSync(machine.home, { recursive: true });
    writeFileSync(machine.home, 'a file, no folder');
    expect(() => machine.uninstall()).toThrow(/^Cannot write .*installed\.json: .* Nothing was changed\.$/);
    rmSync(machine.home);
    expect(machine.contents()).toEqual(
      Object.fromEntries(Object.entries(installed).filter(([path]) => !path.startsWith(machine.home))),
    );
  });

  it('says what it could not do, and what it did before', () => {
    const machine = new Machine();
    machine.install();
    // A draft beside it would have a name that is too long.
    const file = join(machine.folder, `${'x'.repeat(250)}.md`);
    writeFileSync(file, '# Mine\n\n<!-- causantic:begin -->\nmemory\n<!-- causantic:end -->\n');
    writeFileSync(join(machine.home, 'claude-md.json'), JSON.stringify({ files: [file] }));
    expect(() => machine.uninstall()).toThrow(
      /^Cannot remove the block: .*x\.md: .* \(done before it: 11 steps\)\. Fix this and run causantic uninstall again\.$/,
    );
    expect(existsSync(machine.settings)).toBe(false);
  });

  it('takes a file that was made for the block, and nothing else in it', () => {
    const machine = new Machine();
    machine.install();
    const block = '<!-- causantic:begin -->\nmemory\n<!-- causantic:end -->\n';
    const [own, shared] = [block, `# Mine\n\n${block}`].map((text, i) => {
      const file = join(machine.folder, `${i}.md`);
      writeFileSync(file, text);
      return file;
    });
    writeFileSync(join(machine.home, 'claude-md.json'), JSON.stringify({ files: [own, shared] }));
    machine.uninstall();
    expect(existsSync(own!)).toBe(false);
    expect(readFileSync(shared!, 'utf8').trim()).toBe('# Mine');
  });

  it('passes over a file with a block that is a folder now', () => {
    const machine = new Machine();
    machine.install();
    writeFileSync(join(machine.home, 'claude-md.json'), JSON.stringify({ files: [machine.folder] }));
    machine.uninstall();
    expect(existsSync(machine.settings)).toBe(false);
  });

  it.each(['', 'backups'])('works without its record (%j)', (gone) => {
    const machine = new Machine({ 'settings.json': COMMENTED, '.claude.json': STATE });
    machine.install();
    rmSync(join(machine.home, gone), { recursive: true });
    expect(editedSkills(machine.options())).toEqual([]);
    machine.uninstall();
    expect(readFileSync(machine.settings, 'utf8')).toBe(COMMENTED);
    expect(readFileSync(machine.servers, 'utf8')).toBe(STATE);
  });

  it.each(['other', 'causantic-weekly'])('leaves the skill "%s" of somebody else alone', (name) => {
    const machine = new Machine();
    const other = join(machine.claude, 'skills', name, 'SKILL.md');
    mkdirSync(dirname(other), { recursive: true });
    writeFileSync(other, 'mine');
    machine.install();
    machine.uninstall();
    expect(readdirSync(join(machine.claude, 'skills'))).toEqual([name]);
    expect(readFileSync(other, 'utf8')).toBe('mine');
  });
});

it('settings in which something stays registered are named, broken ones among them, and no skills', () => {
  const machine = new Machine();
  const steps = machine.install();
  const { env } = machine.options();
  const named = () => registeredElsewhere(env, []).sort();
  expect(steps.length).toBeGreaterThan(2);
  expect(named()).toEqual([machine.servers, machine.settings].sort());
  writeFileSync(machine.servers, '{}');
  writeFileSync(machine.settings, '{ broken');
  expect(named()).toEqual([machine.settings]);
});

it
  .skipIf(process.platform === 'win32')
  .each([
    '/opt/my tools/causantic.mjs',
    "/opt/it's mine/causantic.mjs",
    '/opt/$HOME/causantic.mjs',
    '/opt/`id`/causantic.mjs',
    '/opt/"mine"/causantic.mjs',
    "/opt/it's $HOME/工具/causantic.mjs",
    '/opt/its\\mine/causantic.mjs',
  ])('a shell takes the path %s as it is', (path) => {
  expect(execFileSync('sh', ['-c', `printf %s ${quoted(path)}`], { encoding: 'utf8' })).toBe(path);
});
