import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ClientPlace, OtherClient, Registration } from '../src/clients/client.js';
import { gemini } from '../src/clients/gemini.js';
import { jsonClients } from '../src/clients/json-clients.js';
import { isOnPath } from '../src/clients/on-path.js';
import { otherClients } from '../src/clients/other-clients.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

let folder: string;
let place: ClientPlace;

beforeEach(() => {
  folder = temporaryFolder();
  for (const name of ['HOME', 'USERPROFILE']) vi.stubEnv(name, folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  mkdirSync(join(folder, 'shop', '.git'), { recursive: true });
  mkdirSync(join(folder, 'shop', 'src'));
  place = {
    projectDir: join(folder, 'shop', 'src'),
    env: { PATH: join(folder, 'bin') },
    program: { node: '/usr/bin/node', script: '/opt/my tools/causantic.mjs' },
  };
});

function write(value: unknown, file: string): string {
  const path = join(folder, ...file.split('/'));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}

const client = (name: string): OtherClient => jsonClients.find((each) => each.name === name)!;
const found = (name: string): Promise<Registration | undefined> => client(name).registration(place);

const opencodeEntry = {
  type: 'local',
  command: ['/n', '/s', 'serve'],
  environment: { CAUSANTIC_HOME: '/m' },
};
const entry = { command: '/n', args: ['/s', 'serve'], env: { CAUSANTIC_HOME: '/m' } };
const clineEntry = { transport: { type: 'stdio', ...entry } };

/** As their commands write it. */
const WRITTEN = {
  opencode: ['.config/opencode/opencode.jsonc', { mcp: { causantic: opencodeEntry } }],
  copilot: ['.copilot/mcp-config.json', { mcpServers: { causantic: { tools: ['*'], ...entry } } }],
  qwen: ['.qwen/settings.json', { mcpServers: { causantic: entry }, $version: 4 }],
  cline: ['.cline/data/settings/cline_mcp_settings.json', { mcpServers: { causantic: clineEntry } }],
} as const;

describe.each(Object.entries(WRITTEN))('%s', (name, [file, settings]) => {
  it('is there where it has left something, or is on the path', () => {
    const isThere = (): boolean => otherClients(place.env).some((each) => each.name === name);
    expect(isThere()).toBe(false);
    write('', `bin/${name}${process.platform === 'win32' ? '.cmd' : ''}`);
    expect(isThere()).toBe(true);
    rmSync(join(folder, 'bin'), { recursive: true });
    write({}, name === 'opencode' ? '.local/share/opencode/opencode.db' : file);
    expect(isThere()).toBe(true);
  });

  it('is registered where its command has written', async () => {
    expect(await found(name)).toBeUndefined();
    write({ other: 1 }, file);
    expect(await found(name)).toBeUndefined();
    const path = write(settings, file);
    expect(await found(name)).toEqual({
      file: path,
      command: '/n',
      script: '/s',
      home: '/m',
      // Cline's servers have the variables that its background process was started with.
      seesEnvironment: name !== 'cline',
      ...(name !== 'opencode' && { detach: expect.stringMatching(`^${name} mcp remove .*causantic$`) }),
    });
  });

  it('with settings that are no JSON cannot be looked at', async () => {
    const path = write('{ "mcpServers": ', file);
    await expect(found(name)).rejects.toThrow(`Cannot read ${path}: invalid JSON at line 1`);
  });
});

describe('the command that attaches', () => {
  const program = '/usr/bin/node "/opt/my tools/causantic.mjs" serve';
  it.each([
    ['opencode', 'opencode mcp add causantic HOME-- PROGRAM'],
    ['copilot', 'copilot mcp add causantic HOME-- PROGRAM'],
    ['qwen', 'qwen mcp add --scope user HOMEcausantic PROGRAM'],
    ['cline', 'cline mcp add causantic --yes -- HOMEPROGRAM'],
  ])('%s names the home where one is set', (name, form) => {
    const text = form.replace('PROGRAM', program);
    expect(client(name).attach(place)).toBe(text.replace('HOME', ''));
    place.env['CAUSANTIC_HOME'] = join(folder, 'my memory');
    const option = `${name === 'cline' ? '' : '--'}env CAUSANTIC_HOME="${join(folder, 'my memory').replaceAll('\\', '/')}" `;
    expect(client(name).attach(place)).toBe(text.replace('HOME', option));
  });
});

describe('a server that is switched off', () => {
  it.each([
    [
      'opencode',
      { mcp: { causantic: { ...opencodeEntry, enabled: false } } },
      'remove "enabled": false from it',
    ],
    [
      'cline',
      { mcpServers: { causantic: { ...clineEntry, disabled: true } } },
      'remove "disabled": true from it',
    ],
    ['qwen', { mcpServers: { causantic: entry }, mcp: { excluded: ['causantic'] } }, 'from mcp.excluded'],
    ['qwen', { mcpServers: { causantic: entry }, mcp: { allowed: ['till'] } }, 'to mcp.allowed'],
  ] as const)('in the settings of %s', async (name, settings, fix) => {
    const file = write(settings, WRITTEN[name][0]);
    expect((await found(name))?.switchedOff).toEqual({ file, fix: expect.stringContaining(fix) });
  });

  it('by copilot mcp disable', async () => {
    write(WRITTEN.copilot[1], WRITTEN.copilot[0]);
    const file = write({ disabledMcpServers: ['causantic'] }, '.copilot/settings.json');
    const fix = 'run copilot mcp enable causantic';
    expect((await found('copilot'))?.switchedOff).toEqual({ file, fix });
  });
});

it('variables may be set by env', async () => {
  const command = { command: 'env', args: ['A=b', 'CAUSANTIC_HOME=/a b', '/n', '/s', 'serve'] };
  write({ mcpServers: { causantic: command } }, WRITTEN.cline[0]);
  expect(await found('cline')).toMatchObject({ command: '/n', script: '/s', home: '/a b' });
});

it('is known where the folder at hand cannot be looked at', async () => {
  place.projectDir = join(folder, 'gone');
  write(WRITTEN.opencode[1], WRITTEN.opencode[0]);
  expect(await found('opencode')).toMatchObject({ command: '/n' });
});

describe('Gemini CLI', () => {
  const off = async (): Promise<unknown> => (await gemini.registration(place))?.switchedOff;

  it("does not start a server that the user's settings exclude", async () => {
    const file = write(
      { mcpServers: { causantic: entry }, mcp: { excluded: ['causantic'] } },
      '.gemini/settings.json',
    );
    expect(await off()).toEqual({ file, fix: 'remove causantic from mcp.excluded in it' });
  });

  it('starts none but those that the settings allow, where they name any', async () => {
    const named = (...allowed: string[]): string =>
      write({ mcpServers: { causantic: entry }, mcp: { allowed } }, '.gemini/settings.json');
    const file = named('till');
    expect(await off()).toEqual({ file, fix: 'add causantic to mcp.allowed in it' });
    write({ mcp: { allowed: ['causantic'] } }, 'shop/src/.gemini/settings.json');
    expect(await off()).toBeUndefined();
    write({ mcp: {} }, 'shop/src/.gemini/settings.json');
    for (const all of [[], ['till', 'causantic']]) {
      named(...all);
      expect(await off()).toBeUndefined();
    }
  });

  it.each([
    ['of the settings', { mcpServers: { causantic: entry } }, '.gemini/settings.json'],
    ['of its extension', { type: 'local' }, '.gemini/extensions/causantic/.gemini-extension-install.json'],
  ])('does not start a server %s after gemini mcp disable', async (_, settings, path) => {
    write(settings, path);
    const state = (states: object): string => write(states, '.gemini/mcp-server-enablement.json');
    state({ till: { enabled: false }, causantic: { enabled: true } });
    expect(await off()).toBeUndefined();
    const file = state({ causantic: { enabled: false } });
    expect(await off()).toEqual({ file, fix: 'run gemini mcp enable causantic' });
  });

  it('needs the folder of an extension that it links, and not of one that it has copied', async () => {
    const install = '.gemini/extensions/causantic/.gemini-extension-install.json';
    const script = async (): Promise<unknown> => (await gemini.registration(place))?.script;
    write({ type: 'link', source: '/gone' }, install);
    expect(await script()).toBe('/gone');
    write({ type: 'local', source: '/gone' }, install);
    expect(await script()).toBeUndefined();
    // An entry of the user's comes before that of the extension.
    const file = write({ mcpServers: { causantic: entry } }, '.gemini/settings.json');
    expect(await gemini.registration(place)).toMatchObject({ file });
  });

  it('has its extension switched off by a rule about a drive of Windows', async () => {
    place.projectDir = 'C:\\work\\shop';
    write({ type: 'local' }, '.gemini/extensions/causantic/.gemini-extension-install.json');
    write({ causantic: { overrides: ['!/C:/work/*'] } }, '.gemini/extensions/extension-enablement.json');
    expect(await off()).toBeDefined();
  });

  it('has its extension switched off by the last rule about the folder', async () => {
    const slashed = (...path: string[]): string =>
      `/${join(folder, ...path)
        .replaceAll('\\', '/')
        .replace(/^\//, '')}/*`;
    write({ type: 'local' }, '.gemini/extensions/causantic/.gemini-extension-install.json');
    expect(await off()).toBeUndefined();
    const rules = (...overrides: string[]): string =>
      write({ causantic: { overrides } }, '.gemini/extensions/extension-enablement.json');
    const file = rules(`!${slashed()}`);
    expect(await off()).toEqual({ file, fix: 'run gemini extensions enable causantic' });
    rules(`!${slashed()}`, slashed('shop'));
    expect(await off()).toBeUndefined();
    rules(slashed(), `!${slashed('shop')}`);
    expect(await off()).toBeDefined();
    rules(slashed(), `!${slashed('store')}`);
    expect(await off()).toBeUndefined();
  });
});

describe('files of the folder at hand', () => {
  beforeEach(() => Object.values(WRITTEN).forEach(([file, settings]) => write(settings, file)));

  it('change an entry of opencode key by key, the nearest last', async () => {
    const off = write('{ "mcp": { "causantic": { "enabled": false } } } // not here', 'shop/opencode.json');
    expect(await found('opencode')).toMatchObject({ command: '/n', switchedOff: { file: off } });
    const environment = { CAUSANTIC_HOME: '/here' };
    const file = write({ mcp: { causantic: { enabled: true, environment } } }, 'shop/src/opencode.jsonc');
    const nearest = await found('opencode');
    expect(nearest).toMatchObject({ file, command: '/n', home: '/here' });
    expect(nearest?.switchedOff).toBeUndefined();
    const last = write({ mcp: { causantic: { command: ['causantic'] } } }, 'shop/.opencode/opencode.json');
    expect(await found('opencode')).toMatchObject({ file: last, command: 'causantic' });
  });

  it.each([
    ['copilot', 'shop/.mcp.json'],
    ['copilot', 'shop/.github/mcp.json'],
    ['qwen', 'shop/src/.qwen/settings.json'],
    ['qwen', 'shop/src/.mcp.json'],
  ])('take the place of an entry of %s: %s', async (name, shared) => {
    const file = write({ mcpServers: { causantic: { command: 'causantic' } } }, shared);
    const it = await found(name);
    expect(it).toMatchObject({ file, command: 'causantic', home: undefined });
    // Its command would take out the user's.
    expect(it?.detach).toBeUndefined();
  });
});

it.each([
  ['opencode', { XDG_CONFIG_HOME: 'x' }, 'x/opencode/opencode.json'],
  ['opencode', { OPENCODE_CONFIG: 'x.json' }, 'x.json'],
  ['copilot', { COPILOT_HOME: 'x' }, 'x/mcp-config.json'],
  ['qwen', { QWEN_HOME: 'x' }, 'x/settings.json'],
  ['cline', { CLINE_DIR: 'x' }, 'x/data/settings/cline_mcp_settings.json'],
  ['cline', { CLINE_DATA_DIR: 'x' }, 'x/settings/cline_mcp_settings.json'],
  ['cline', { CLINE_MCP_SETTINGS_PATH: 'x.json' }, 'x.json'],
] as const)("%s's files are where %j says", async (name, variables, file) => {
  for (const [key, value] of Object.entries(variables)) place.env[key] = join(folder, value);
  const path = write(WRITTEN[name][1], file);
  expect(await found(name)).toMatchObject({ file: path, command: '/n' });
});

it.each(['', delimiter])('a folder at hand of the name of a client is none on the path "%s"', (path) => {
  // Wherever tests are started.
  expect(existsSync('test')).toBe(true);
  expect(isOnPath('test', { PATH: path })).toBe(false);
});
