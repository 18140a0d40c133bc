import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  causanticHome,
  ConfigError,
  configJsonSchema,
  configProblems,
  findSetting,
  listSettings,
  loadConfig,
  setFromCommandLine,
  writeSetting,
} from '../src/index.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

let home: string;
let projectDir: string;

beforeEach(() => {
  home = temporaryFolder();
  projectDir = temporaryFolder();
});

const load = (env: NodeJS.ProcessEnv = {}) => loadConfig({ home, projectDir, env });
const put = (folder: string, name: string, content: unknown) =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));

test.each([
  [undefined, join(homedir(), '.causantic')],
  ['', join(homedir(), '.causantic')],
  ['~/memory', join(homedir(), 'memory')],
  ['~', homedir()],
  ['~ada', resolve('~ada')],
  ['memory', resolve('memory')],
])('CAUSANTIC_HOME %j is %s', (given, folder) => {
  expect(causanticHome({ CAUSANTIC_HOME: given })).toBe(folder);
});

test.skipIf(process.platform === 'win32').each(['', '.', 'home/me'])(
  'HOME %j, which is another folder in each folder, is not used',
  (home) => {
    vi.stubEnv('HOME', home);
    const used = causanticHome({});
    vi.unstubAllEnvs();
    expect(used).toBe(join(userInfo().homedir, '.causantic'));
  },
);

test('defaults hold where nothing is set', () => {
  expect(load()).toMatchObject({
    tokens: { mcpMaxResponse: 20_000 },
    repomap: { enabled: true, maxTokens: 1_024 },
    ingest: { excludePaths: [], background: true },
  });
});

test('command line wins over environment over project over home', () => {
  const size = (env?: NodeJS.ProcessEnv) => load(env).tokens.mcpMaxResponse;
  put(home, 'config.json', { tokens: { mcpMaxResponse: 1000 }, repomap: { enabled: false } });
  expect(size()).toBe(1000);
  put(projectDir, 'causantic.config.json', { tokens: { mcpMaxResponse: 2000 } });
  expect(size()).toBe(2000);
  expect(load().repomap.enabled).toBe(false);
  // Of one section, too, each setting on its own.
  expect(load({ CAUSANTIC_REPOMAP_MAX_TOKENS: '500' }).repomap).toMatchObject({
    enabled: false,
    maxTokens: 500,
  });
  const env = { CAUSANTIC_TOKENS_MCP_MAX_RESPONSE: '3000' };
  expect(size(env)).toBe(3000);
  expect(size({ CAUSANTIC_TOKENS_MCP_MAX_RESPONSE: '' })).toBe(size({}));
  setFromCommandLine('tokens.mcpMaxResponse=4000', env);
  expect(size(env)).toBe(4000);
});

test('in a part or worktree of a repository, the nearest file of it holds, and none from outside', () => {
  const part = join(projectDir, 'packages', 'mill');
  mkdirSync(part, { recursive: true });
  const sizeIn = (folder: string) => loadConfig({ home, projectDir: folder, env: {} }).tokens.mcpMaxResponse;
  put(projectDir, 'causantic.config.json', { tokens: { mcpMaxResponse: 2000 } });
  expect(sizeIn(part)).toBe(20_000);
  mkdirSync(join(projectDir, '.git'));
  expect([sizeIn(part), sizeIn(projectDir)]).toEqual([2000, 2000]);
  put(join(part, '..'), 'causantic.config.json', { tokens: { mcpMaxResponse: 2500 } });
  expect([sizeIn(part), sizeIn(projectDir)]).toEqual([2500, 2000]);
  put(part, 'causantic.config.json', { tokens: { mcpMaxResponse: 3000 } });
  expect([sizeIn(part), sizeIn(projectDir)]).toEqual([3000, 2000]);
  const worktree = temporaryFolder();
  put(worktree, '.git', `gitdir: ${join(projectDir, '.git', 'worktrees', 'mill')}\n`);
  mkdirSync(join(projectDir, '.git', 'worktrees', 'mill'), { recursive: true });
  put(join(projectDir, '.git', 'worktrees', 'mill'), 'commondir', '../..\n');
  expect(sizeIn(worktree)).toBe(2000);
});

test('a folder that no system can have, as in a broken transcript, is not looked for part by part', () => {
  const folder = '/a'.repeat(250_000);
  expect(loadConfig({ home, projectDir: folder, env: {} }).tokens.mcpMaxResponse).toBe(20_000);
});

test('every setting can be given on the command line', () => {
  const env = {};
  for (const { key, default: value } of listSettings({ home, projectDir, env: {} })) {
    setFromCommandLine(`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`, env);
  }
  expect(listSettings({ home, projectDir, env }).map(({ origin }) => origin)).not.toContain('default');
  expect(load(env)).toEqual(load());
});

test('a value on the command line may have several lines', () => {
  const env = {};
  setFromCommandLine('ingest.excludePaths=["/plans",\n"/drafts"]', env);
  expect(load(env).ingest.excludePaths).toEqual(['/plans', '/drafts']);
});

test.each([
  ['tokens.mcpMaxResponse=5', '"tokens.mcpMaxResponse" in the command line: got 5; expected 200 or more'],
  ['tokens.most=5000', '"tokens.most" in the command line: there is no such setting'],
  ['token.most=5000', '"token" in the command line: there is no such setting'],
  ['repomap.enabled', 'as its key and value'],
  ['repomap=false', 'as its key and value'],
])('%s is refused on the command line', (given, message) => {
  const env = {};
  expect(() => setFromCommandLine(given, env)).toThrow(message);
  expect(env).toEqual({});
});

test.each([
  [{ tokens: { mcpMaxResponce: 1 } }, 'tokens.mcpMaxResponce'],
  [{ token: {} }, 'token'],
  [{ tokens: { mcpMaxResponse: 'many' } }, 'tokens.mcpMaxResponse'],
  [{ tokens: { mcpMaxResponse: -5 } }, 'tokens.mcpMaxResponse'],
])('%j names the key and the file', (content, key) => {
  put(home, 'config.json', content);
  expect(() => load()).toThrow(ConfigError);
  const origin = join(home, 'config.json');
  expect(() => load()).toThrow(`"${key}" in ${origin}`);
  const [section, name] = key.split('.');
  const value = (content as unknown as Record<string, Record<string, unknown>>)[section!]![name!];
  const isKnown = key === 'tokens.mcpMaxResponse';
  expect(() => load()).toThrow(expect.objectContaining({ data: { key, origin, ...(isKnown && { value }) } }));
});

test('a project has no say in what is deleted of all projects', () => {
  const retention = { maxAgeDays: 30 };
  put(home, 'config.json', { retention });
  expect(load().retention.maxAgeDays).toBe(30);
  put(projectDir, 'causantic.config.json', { retention: { maxAgeDays: 1 } });
  const file = join(projectDir, 'causantic.config.json');
  expect(() => load()).toThrow(`"retention.maxAgeDays" in ${file}: a project cannot decide`);
  expect(configProblems({ home, projectDir, env: {} })).toMatchObject([{ key: 'retention.maxAgeDays' }]);
  rmSync(file);
  expect(() => writeSetting(file, 'retention.maxAgeDays', 1)).toThrow('a project cannot decide');
  expect(load({ CAUSANTIC_RETENTION_MAX_AGE_DAYS: '40' }).retention.maxAgeDays).toBe(40);
});

test('a project leaves out more, and nothing less, than its user does', () => {
  put(projectDir, 'causantic.config.json', { ingest: { excludePaths: ['**/drafts/**'] } });
  expect(load().ingest.excludePaths).toEqual(['**/drafts/**']);
  put(home, 'config.json', { ingest: { excludePaths: ['**/customers/**'] } });
  put(projectDir, 'causantic.config.json', { ingest: { excludePaths: [] } });
  expect(load().ingest.excludePaths).toEqual(['**/customers/**']);
  put(projectDir, 'causantic.config.json', { ingest: { excludePaths: ['**/drafts/**'] } });
  expect(load().ingest.excludePaths).toEqual(['**/drafts/**', '**/customers/**']);
  const listed = findSetting({ home, projectDir, env: {} }, 'ingest.excludePaths');
  expect(listed).toMatchObject({ value: load().ingest.excludePaths });
});

test.skipIf(process.platform === 'win32')('a link to a device is not read for ever', () => {
  symlinkSync('/dev/zero', join(projectDir, 'causantic.config.json'));
  expect(() => load()).toThrow(/Cannot read the configuration file .*: not a file/);
});

test.skipIf(process.platform === 'win32')('settings that cannot be looked for are not taken for none', () => {
  const file = join(home, 'config.json');
  symlinkSync(file, file);
  expect(() => load()).toThrow(`Cannot read the configuration file ${file}: too many symbolic links`);
  // Whoever works elsewhere has nothing to do with what a folder that is closed to them says.
  rmSync(file);
  const ofProject = join(projectDir, 'causantic.config.json');
  symlinkSync(ofProject, ofProject);
  expect(load().repomap.enabled).toBe(true);
});

test('a damaged file and a wrong variable are named', () => {
  expect(() => load({ CAUSANTIC_REPOMAP_ENABLED: 'perhaps' })).toThrow(
    '"repomap.enabled" in the environment (CAUSANTIC_REPOMAP_ENABLED): got "perhaps"; expected',
  );
  expect(() => load({ CAUSANTIC_INGEST_EXCLUDE_PATHS: '[1]' })).toThrow(
    '"ingest.excludePaths.0" in the environment (CAUSANTIC_INGEST_EXCLUDE_PATHS): got 1; expected',
  );
  put(home, 'config.json', '{ "tokens": ');
  expect(() => load()).toThrow(join(home, 'config.json'));
});

test('a variable that is called like what every object has is no setting', () => {
  expect(load({ CAUSANTIC_CONSTRUCTOR_NAME: 'x' })).toEqual(load());
});

test('values at the ends of their ranges are taken', () => {
  const settings = {
    tokens: { mcpMaxResponse: 200 },
    repomap: { maxTokens: 100_000 },
    hooks: { briefingTokens: 0, promptTokens: 2_500 },
    retention: { maxAgeDays: 0, maxBytes: 10_000_000 },
    ingest: { excludePaths: [`/${'{a,b,c,d,e,f,g,h,i,j}'.repeat(3)}`] },
  };
  put(home, 'config.json', settings);
  expect(load()).toMatchObject(settings);
  put(home, 'config.json', { tokens: { mcpMaxResponse: 1_000_000 }, repomap: { maxTokens: 100 } });
  expect(load()).toMatchObject({ tokens: { mcpMaxResponse: 1_000_000 }, repomap: { maxTokens: 100 } });
  for (const mcpMaxResponse of [199, 1_000_001]) {
    put(home, 'config.json', { tokens: { mcpMaxResponse } });
    expect(() => load()).toThrow(`got ${mcpMaxResponse}; expected`);
  }
});

test('the published schema knows every section, and a file may name it', () => {
  const { $schema, ...sections } = configJsonSchema()['properties'] as Record<string, unknown>;
  expect($schema).toEqual({ type: 'string' });
  expect(Object.keys(sections)).toEqual(Object.keys(load()));
});

const wholePath = 'a whole path, or a pattern that begins with ~/ or **';

test.each([
  [{ tokens: { mcpMaxResponse: 5 } }, 'tokens.mcpMaxResponse', '5', '200 or more'],
  [{ tokens: { mcpMaxResponse: 5e9 } }, 'tokens.mcpMaxResponse', '5000000000', '1000000 or less'],
  [{ tokens: { mcpMaxResponse: 1e300 } }, 'tokens.mcpMaxResponse', '1e+300', '1000000 or less'],
  [{ tokens: { mcpMaxResponse: 'many' } }, 'tokens.mcpMaxResponse', '"many"', 'a number'],
  [{ tokens: { mcpMaxResponse: 250.5 } }, 'tokens.mcpMaxResponse', '250.5', 'a whole number'],
  [{ tokens: 'many' }, 'tokens', '"many"', 'an object of settings'],
  [{ repomap: { enabled: 'yes' } }, 'repomap.enabled', '"yes"', 'true or false'],
  [
    { ingest: { excludePaths: ['/x{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}'] } },
    'ingest.excludePaths.0',
    '"/x{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"',
    'a pattern whose braces stand for at most 1000 others',
  ],
  [{ ingest: { excludePaths: '**' } }, 'ingest.excludePaths', '"**"', 'a list such as ["one", "two"]'],
  [{ ingest: { background: 'no' } }, 'ingest.background', '"no"', 'true or false'],
  [{ ingest: { excludePaths: ['~/plans', 'plans'] } }, 'ingest.excludePaths.1', '"plans"', wholePath],
  [{ ingest: { excludePaths: ['', 'C:/plans', '/plans'] } }, 'ingest.excludePaths.0', '""', wholePath],
  [{ hooks: { claudeMd: 'no' } }, 'hooks.claudeMd', '"no"', 'one of: existing, always, never'],
  [{ retention: { maxBytes: 5 } }, 'retention.maxBytes', '5', 'at least 10000000, or 0'],
])('%j is refused in words', (settings, key, got, accepted) => {
  put(home, 'config.json', settings);
  const file = join(home, 'config.json');
  expect(() => load()).toThrow(`Configuration key "${key}" in ${file}: got ${got}; expected ${accepted}.`);
});
