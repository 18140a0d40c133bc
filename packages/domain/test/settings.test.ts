import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  configProblems,
  findSetting,
  homeConfigFile,
  InvalidArgumentError,
  listSettings,
  loadConfig,
  projectConfigFile,
  settingValue,
  writeSetting,
} from '../src/index.js';
import { temporaryFolder } from '../../../test/temporary-folder.js';

let folder: string;
let sources: { home: string; projectDir: string; env: NodeJS.ProcessEnv };
let file: string;

beforeEach(() => {
  folder = temporaryFolder();
  sources = { home: join(folder, 'home'), projectDir: folder, env: {} };
  file = homeConfigFile(sources.home);
});

const stored = (): unknown => JSON.parse(readFileSync(file, 'utf8'));

describe('listSettings', () => {
  it('names every setting with its default, and each variable sets its key', () => {
    const settings = listSettings(sources);
    const defaults = loadConfig(sources) as Record<string, Record<string, unknown>>;
    const keys = Object.entries(defaults).flatMap(([section, keysOf]) =>
      Object.keys(keysOf).map((key) => `${section}.${key}`),
    );
    expect(settings.map((setting) => setting.key).sort()).toEqual(keys.sort());
    for (const { key, variable, description, value, origin } of settings) {
      const [section = '', name = ''] = key.split('.');
      expect(description).not.toBe('');
      expect([value, origin]).toEqual([defaults[section]![name], 'default']);
      const env = { [variable]: JSON.stringify(value) };
      expect(findSetting({ ...sources, env }, key).origin).toBe('the environment');
    }
  });

  it('says where the value that holds stands', () => {
    const valueOf = () => {
      const { value, origin } = findSetting(sources, 'repomap.maxTokens');
      return [value, origin];
    };
    writeSetting(file, 'repomap.maxTokens', 500);
    expect(valueOf()).toEqual([500, file]);
    writeSetting(projectConfigFile(folder), 'repomap.maxTokens', 600);
    expect(valueOf()).toEqual([600, projectConfigFile(folder)]);
    sources.env = { CAUSANTIC_REPOMAP_MAX_TOKENS: '700' };
    expect(valueOf()).toEqual([700, 'the environment']);
    expect(() => findSetting(sources, 'repomap.size')).toThrow(InvalidArgumentError);
  });
});

describe('writeSetting', () => {
  it('makes a file for its owner alone, and leaves nothing beside it', () => {
    writeSetting(file, 'repomap.enabled', false);
    expect(stored()).toEqual({ repomap: { enabled: false } });
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(sources.home)).toEqual(['config.json']);
  });

  it.skipIf(process.platform === 'win32')('makes a file of a project that others can read', () => {
    const ofProject = projectConfigFile(folder);
    writeSetting(ofProject, 'repomap.enabled', false);
    expect(statSync(ofProject).mode & 0o777).toBe(0o644 & ~process.umask());
  });

  it.skipIf(process.platform === 'win32')('writes through a link to a file that is kept elsewhere', () => {
    const kept = join(folder, 'dotfiles.json');
    writeFileSync(kept, '{}');
    mkdirSync(sources.home);
    symlinkSync(kept, file);
    writeSetting(file, 'repomap.enabled', false);
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual({ repomap: { enabled: false } });
  });

  it('changes one key and keeps the others, their order and the schema', () => {
    writeSetting(file, 'repomap.enabled', false);
    const content = {
      $schema: './schema.json',
      tokens: { mcpMaxResponse: 900 },
      repomap: { maxTokens: 200 },
    };
    writeFileSync(file, JSON.stringify(content));
    writeSetting(file, 'repomap.enabled', true);
    expect(readFileSync(file, 'utf8')).toBe(
      `${JSON.stringify({ ...content, repomap: { maxTokens: 200, enabled: true } }, null, 2)}\n`,
    );
    writeSetting(file, 'tokens.mcpMaxResponse', undefined);
    writeSetting(file, 'repomap.maxTokens', undefined);
    expect(stored()).toEqual({ $schema: './schema.json', repomap: { enabled: true } });
  });

  it.each([
    ['tokens.mcpMaxResponse', 'many', 'tokens.mcpMaxResponse'],
    ['tokens.size', 1, 'tokens.size'],
    ['size', 1, 'size'],
  ])('refuses %s = %j and leaves the file as it was', (key, value, named) => {
    expect(() => writeSetting(file, key, value)).toThrow(`"${named}" in ${file}`);
    expect(existsSync(file)).toBe(false);
  });

  it('names the file that cannot be written, not the draft of it', () => {
    writeFileSync(join(folder, 'no-folder'), '');
    const other = join(folder, 'no-folder', 'config.json');
    expect(() => writeSetting(other, 'repomap.enabled', true)).toThrow(`Cannot write ${other}: `);
  });

  it.skipIf(process.getuid?.() === 0)('leaves a file that is read-only as it is', () => {
    writeSetting(file, 'repomap.enabled', false);
    chmodSync(file, 0o444);
    expect(() => writeSetting(file, 'repomap.enabled', true)).toThrow(
      `Cannot write ${file}: permission denied`,
    );
    expect(stored()).toEqual({ repomap: { enabled: false } });
  });

  it('refuses to write into what is not JSON, and takes a wrong key out', () => {
    writeSetting(file, 'repomap.enabled', false);
    writeFileSync(file, '{ "repomap": ');
    expect(() => writeSetting(file, 'repomap.enabled', true)).toThrow(file);
    expect(readFileSync(file, 'utf8')).toBe('{ "repomap": ');
    writeFileSync(file, '{ "repomap": { "size": 1 } }');
    expect(() => writeSetting(file, 'repomap.enabled', true)).toThrow('"repomap.size"');
    writeSetting(file, 'repomap.size', undefined);
    expect(stored()).toEqual({});
  });
});

describe('of a file in which several things are wrong', () => {
  const wrong = { tokens: 5000, 'repomap.maxTokens': 500, repomap: { 'map.size': 1 }, more: null };
  beforeEach(() => {
    mkdirSync(sources.home);
    writeFileSync(file, JSON.stringify(wrong));
  });

  it.each([
    ['tokens', 'tokens'],
    ['repomap.maxTokens', 'repomap.maxTokens'],
    ['repomap.map.size', 'repomap'],
  ])('%s can be taken out alone', (key, member) => {
    expect(writeSetting(file, key, undefined)).toBe(true);
    expect(stored()).toEqual(Object.fromEntries(Object.entries(wrong).filter(([name]) => name !== member)));
  });

  it('what is not there is not taken out, and the file stays as it was', () => {
    for (const key of ['repomap.enabled', 'hooks.claudeMd', 'size'])
      expect(writeSetting(file, key, undefined)).toBe(false);
    expect(stored()).toEqual(wrong);
  });

  it('a setting takes the place of what should have been its section', () => {
    writeFileSync(file, '{ "tokens": "many" }');
    writeSetting(file, 'tokens.mcpMaxResponse', 900);
    expect(stored()).toEqual({ tokens: { mcpMaxResponse: 900 } });
  });
});

it.each([
  ['tokens.mcpMaxResponse', ['500'], 500],
  ['repomap.enabled', ['false'], false],
  ['ingest.excludePaths', ['**/private/**'], ['**/private/**']],
  ['ingest.excludePaths', ['a b', 'c'], ['a b', 'c']],
  ['ingest.excludePaths', ['["x"]'], ['x']],
  ['tokens.mcpMaxResponse', ['lots', 'of'], 'lots of'],
])('%s is set to %j from a shell', (key, words, value) => {
  expect(settingValue(findSetting(sources, key), words)).toEqual(value);
});

it('names all problems with their place', () => {
  writeSetting(file, 'repomap.enabled', false);
  writeFileSync(file, '\uFEFF{ "repomap": { "size": 1, "enabled": "no" }, "more": {} }');
  sources.env = { CAUSANTIC_TOKENS_MCP_MAX_RESPONSE: 'many' };
  const problems = configProblems(sources).map(({ origin, key }) => [origin, key]);
  expect(problems.sort()).toEqual(
    [
      [file, 'repomap.enabled'],
      [file, 'repomap.size'],
      [file, 'more'],
      ['the environment', 'tokens.mcpMaxResponse'],
    ].sort(),
  );
});

it.each(['null', '[]', '"text"'])('a file that holds %s is refused', (content) => {
  writeSetting(file, 'repomap.enabled', false);
  writeFileSync(file, content);
  expect(() => loadConfig(sources)).toThrow(`${file}: it must contain a JSON object`);
});
