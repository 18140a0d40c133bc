import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { codex } from '../src/clients/codex.js';
import type { Registration } from '../src/clients/client.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'shop', 'src'), { recursive: true });
});

function write(text: string, ...path: string[]): string {
  const file = join(folder, ...path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function registration(...project: string[]): Promise<Registration | undefined> {
  const program = { node: 'node', script: 'causantic.mjs' };
  const projectDir = join(folder, ...(project.length > 0 ? project : ['shop']));
  return codex.registration({ projectDir, env: { CODEX_HOME: folder }, program });
}

function registrationIn(config: string): Promise<Registration | undefined> {
  write(config, 'config.toml');
  return registration();
}

describe("Codex's settings", () => {
  it.each([
    [
      'the table that codex mcp add writes',
      '[mcp_servers.causantic]\ncommand = "/n"\nargs = ["/s", "serve"]\n',
    ],
    ['a name in quotes', `[mcp_servers."causantic"]\r\ncommand = '/n'\r\nargs = [\r\n  '/s',\r\n]\r\n`],
    ['a table within the line', 'mcp_servers = { causantic = { command = "/n", args = ["/s"] } }\n'],
    ['a table within braces', '[mcp_servers]\ncausantic = {\n  command = "/n",\n  args = ["/s"],\n}\n'],
    ['dotted keys', "mcp_servers.causantic.command = '/n'\nmcp_servers.'causantic'.args = ['/s']\n"],
    [
      'a file that begins with a byte order mark and holds large numbers',
      '\ufeffmodel_context_window = 9223372036854775807\n[mcp_servers.causantic]\ncommand = """/n"""\nargs = ["/s"]\n',
    ],
  ])('%s is a registration', async (_, config) => {
    const other = '\n[[x]]\n[x.other]\ncommand = "x"\nenabled = false\n';
    expect(await registrationIn(config + other)).toEqual({
      file: join(folder, 'config.toml'),
      command: '/n',
      script: '/s',
      home: undefined,
      seesEnvironment: false,
      unseenFolder: folder,
      detach: 'codex mcp remove causantic',
    });
  });

  it('name the home in a table of its own, or in the same', async () => {
    const server = '[mcp_servers.causantic]\ncommand = "n"\n';
    const table = await registrationIn(
      `${server}\n[mcp_servers.causantic.env]\nCAUSANTIC_HOME = "C:\\\\a b"\n`,
    );
    expect(table?.home).toBe('C:\\a b');
    expect((await registrationIn(`${server}env = { "CAUSANTIC_HOME" = '/a b' }\n`))?.home).toBe('/a b');
    const commented = `${server}# env = { CAUSANTIC_HOME = '/a b' }\n`;
    expect(await registrationIn(commented)).toMatchObject({ home: undefined, seesEnvironment: false });
  });

  it('tell the server where Codex keeps its sessions, or do not', async () => {
    const server = '[mcp_servers.causantic]\ncommand = "n"\n';
    expect(await registrationIn(server)).toMatchObject({ unseenFolder: folder });
    for (const told of ['env_vars = ["CODEX_HOME"]\n', 'env = { CODEX_HOME = "/x" }\n'])
      expect((await registrationIn(server + told))?.unseenFolder).toBeUndefined();
  });

  it.each(['["PATH", "CAUSANTIC_HOME"]', '[{ name = "CAUSANTIC_HOME", source = "local" }]'])(
    'pass the variable on with env_vars = %s',
    async (names) => {
      const config = `[mcp_servers.causantic]\ncommand = "n"\nenv_vars = ${names}\n`;
      expect((await registrationIn(config))?.seesEnvironment).toBe(true);
    },
  );

  it.each([
    '# [mcp_servers.causantic]',
    '[mcp_servers.causantic-old]\ncommand = "x"',
    'x = "causantic"',
    'x = """\n[mcp_servers.causantic]\n"""',
  ])('%j is none', async (config) => {
    expect(await registrationIn(`a = 1\n${config}\n`)).toBeUndefined();
  });

  it('switch a server or a plugin off', async () => {
    const server = await registrationIn('[mcp_servers.causantic]\ncommand = "n"\nenabled = false\n');
    expect(server?.switchedOff?.fix).toBe('remove enabled = false from it');
    const plugin = await registrationIn('[plugins."causantic@here"]\nenabled = false\n');
    expect(plugin).toMatchObject({
      switchedOff: { fix: 'remove enabled = false from it' },
      detach: 'codex plugin remove causantic@here',
    });
    const both = '[mcp_servers.causantic]\ncommand = "n"\n[plugins."causantic@here"]\nenabled = false\n';
    expect(await registrationIn(both)).toMatchObject({ command: 'n', detach: 'codex mcp remove causantic' });
  });

  it('that are no TOML are told with the place, and without what stands there', async () => {
    const found = registrationIn('[mcp_servers.causantic]\nbearer_token = sk-123\n');
    await expect(found).rejects.toThrow(
      `Cannot read ${join(folder, 'config.toml')}: Invalid TOML document: invalid value (line 2, column 16)`,
    );
    await expect(found).rejects.not.toThrow('sk-123');
  });
});

describe("a project's own settings", () => {
  const trusted = (...path: string[]): string =>
    `\n[projects.${JSON.stringify(join(folder, ...path))}]\ntrust_level = "trusted"\n`;

  it('count where the user trusts the repository, from its folder on', async () => {
    const file = write('[mcp_servers.causantic]\ncommand = "p"\n', 'shop', '.codex', 'config.toml');
    mkdirSync(join(folder, 'shop', '.git'));
    expect(await registration('shop')).toBeUndefined();
    write(trusted('shop'), 'config.toml');
    const found = { file, command: 'p' };
    expect(await registration('shop')).toMatchObject(found);
    expect(await registration('shop', 'src')).toMatchObject(found);
    // No command of Codex's takes it out.
    expect((await registration('shop'))?.detach).toBeUndefined();
    symlinkSync(join(folder, 'shop'), join(folder, 'link'), 'dir');
    expect(await registration('link')).toMatchObject(found);
  });

  it('are those of the folder alone where there is no repository', async () => {
    write('[mcp_servers.causantic]\ncommand = "p"\n', 'shop', '.codex', 'config.toml');
    write(trusted('shop'), 'config.toml');
    expect(await registration('shop')).toMatchObject({ command: 'p' });
    expect(await registration('shop', 'src')).toBeUndefined();
  });

  it('are those of a folder in a repository where it alone is trusted', async () => {
    mkdirSync(join(folder, 'shop', '.git'));
    write('[mcp_servers.causantic]\ncommand = "p"\n', 'shop', '.codex', 'config.toml');
    write('[mcp_servers.causantic]\ncommand = "s"\n', 'shop', 'src', '.codex', 'config.toml');
    write(trusted('shop', 'src'), 'config.toml');
    expect(await registration('shop', 'src')).toMatchObject({ command: 's' });
    expect(await registration('shop')).toBeUndefined();
  });

  it("switch the user's plugin off", async () => {
    const plugin = '[plugins."causantic@here"]\n';
    write(`${plugin}${trusted('shop')}`, 'config.toml');
    const file = write(`${plugin}enabled = false\n`, 'shop', '.codex', 'config.toml');
    expect(await registration('shop')).toMatchObject({ file, switchedOff: { file } });
  });

  it('change the entry of the user, key by key', async () => {
    mkdirSync(join(folder, 'shop', '.git'));
    const env = '[mcp_servers.causantic.env]\nCAUSANTIC_HOME = "/u"\n';
    write(`[mcp_servers.causantic]\ncommand = "u"\n${env}${trusted('shop')}`, 'config.toml');
    const file = write('[mcp_servers.causantic]\nenabled = false\n', 'shop', '.codex', 'config.toml');
    expect(await registration('shop')).toMatchObject({
      file,
      command: 'u',
      home: '/u',
      switchedOff: { file },
    });
    write(
      '[mcp_servers.causantic]\nenabled = true\nenv = { X = "y" }\n',
      'shop',
      'src',
      '.codex',
      'config.toml',
    );
    const inner = await registration('shop', 'src');
    expect(inner).toMatchObject({ command: 'u', home: '/u' });
    expect(inner?.switchedOff).toBeUndefined();
  });

  it('count in a worktree of a trusted repository', async () => {
    const git = (...args: string[]): unknown => execFileSync('git', ['-C', join(folder, 'shop'), ...args]);
    git('init', '-q');
    git('-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-q', '--allow-empty', '-m', 'x');
    git('worktree', 'add', '-q', join(folder, 'blue'));
    write('[mcp_servers.causantic]\ncommand = "p"\n', 'blue', '.codex', 'config.toml');
    write(trusted('shop'), 'config.toml');
    expect(await registration('blue')).toMatchObject({ command: 'p' });
  });
});
