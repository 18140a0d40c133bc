import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { call, MemoryHome } from './memory-home.js';

let memory: MemoryHome;

beforeEach(() => {
  memory = new MemoryHome();
});
afterEach(() => memory.remove());

const config = async (...args: string[]) => memory.causantic('config', ...args);

it('what is set holds for the next program, the project over the user', async () => {
  const file = join(memory.home, 'config.json');
  expect((await config('path')).stdout).toBe(`${file}\n`);
  expect((await config('set', 'repomap.enabled', 'false')).stdout).toContain(file);
  expect((await config('get', 'repomap.enabled')).stdout).toBe('false\n');
  writeFileSync(join(memory.folder, 'mill.py'), 'def grind():\n    pass\n');
  const off = await memory.connect();
  const disabled = 'Repo map is disabled in configuration.';
  expect((await call(off, 'repomap')).text).toBe(disabled);
  expect((await memory.causantic('repomap', memory.folder)).stdout).toBe(`${disabled}\n`);
  expect(JSON.parse((await memory.causantic('repomap', '--json')).stdout)).toEqual({ text: disabled });
  const project = await config('set', 'repomap.enabled', 'true', '--project');
  expect(project.stdout).toContain(join(memory.folder, 'causantic.config.json'));
  const on = await memory.connect();
  expect((await call(on, 'repomap')).text).toContain('grind');
  const note = await config('set', 'repomap.enabled', 'false');
  expect(note.stderr).toContain('causantic.config.json overrides this with true');
  await config('set', 'ingest.excludePaths', '**/mill', '--project');
  expect(await config('set', 'ingest.excludePaths', '**/inn')).toMatchObject({ code: 0, stderr: '' });
  expect((await config('get', 'ingest.excludePaths')).stdout).toBe('["**/mill","**/inn"]\n');
  const { stdout } = await config('get', 'ingest.excludePaths', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ value: ['**/mill', '**/inn'], default: [] });
});

it('a server goes by what is set while it runs, and hook-status says when that is wrong', async () => {
  const client = await memory.connect();
  const mapOf = async (): Promise<string> => (await call(client, 'repomap')).text;
  writeFileSync(join(memory.folder, 'mill.py'), 'def grind():\n    pass\n');
  expect(await mapOf()).toContain('grind');
  await config('set', 'repomap.enabled', 'false');
  expect(await mapOf()).toBe('Repo map is disabled in configuration.');
  writeFileSync(join(memory.home, 'config.json'), '{ "repomap": ');
  expect((await call(client, 'hook-status')).text).toContain('config.json');
  await expect(mapOf()).rejects.toThrow('config.json');
  writeFileSync(join(memory.home, 'config.json'), '{}');
  expect(await mapOf()).toContain('grind');
});

it('what several commands set at once is all kept', async () => {
  const settings = ['repomap.enabled=false', 'repomap.maxTokens=500', 'tokens.mcpMaxResponse=9000'];
  const pairs = settings.map((setting) => setting.split('=') as [string, string]);
  await Promise.all(pairs.map(([key, value]) => config('set', key, value)));
  const file = JSON.parse(readFileSync(join(memory.home, 'config.json'), 'utf8')) as unknown;
  expect(file).toEqual({
    repomap: { enabled: false, maxTokens: 500 },
    tokens: { mcpMaxResponse: 9000 },
  });
});

it('a setting on the command line holds for that command alone, over all files', async () => {
  writeFileSync(join(memory.folder, 'mill.py'), 'def grind():\n    pass\n');
  await config('set', 'repomap.enabled', 'true', '--project');
  const disabled = 'Repo map is disabled in configuration.\n';
  expect((await memory.causantic('--set', 'repomap.enabled=false', 'repomap')).stdout).toBe(disabled);
  expect((await memory.causantic('repomap', '--set', 'repomap.enabled=false')).stdout).toBe(disabled);
  expect((await memory.causantic('repomap')).stdout).toContain('grind');
  for (const [program, says] of [
    [memory.causantic('stats', '--set', 'repomap.size=5'), 'there is no such setting'],
    [memory.reindex('--set', 'size=5'), 'such as tokens.mcpMaxResponse=5000; causantic config lists them.'],
  ] as const)
    expect(await program).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(says) as string });
});

it('refuses what there is not, naming what there is, and what is wrong, leaving the file alone', async () => {
  expect(await config('list')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(
      '"list"; expected one of: get, path, validate, schema, set, unset.',
    ) as string,
  });
  expect((await config('help', 'set')).stdout).toContain('causantic config set [options] <key> <value...>');
  for (const superfluous of [
    ['get', 'repomap.enabled', 'repomap.maxTokens'],
    ['path', '--json'],
    ['--json', 'unset', 'repomap.maxTokens'],
  ])
    expect(await config(...superfluous), superfluous.join(' ')).toMatchObject({ code: 2, stdout: '' });
  const unknown = await config('set', 'repomap.size', '5');
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain('repomap.maxTokens');
  await config('set', 'repomap.maxTokens', '500');
  const wrong = await config('set', 'repomap.maxTokens', 'many');
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain(`"repomap.maxTokens" in ${join(memory.home, 'config.json')}`);
  expect((await config('get', 'repomap.maxTokens')).stdout).toBe('500\n');
});

it('takes out what stands in the file, and says where nothing does', async () => {
  const file = join(memory.home, 'config.json');
  expect((await config('unset', 'repomap.maxTokens')).stdout).toBe(`repomap.maxTokens is not in ${file}\n`);
  expect((await config('unset', 'repomap.size')).code).toBe(2);
  expect(existsSync(file)).toBe(false);
  await config('set', 'repomap.maxTokens', '500');
  const wrong = { 'repomap.maxTokens': 500, tokens: 5, repomap: { size: 5, maxTokens: 500 } };
  writeFileSync(file, JSON.stringify(wrong));
  for (const key of ['repomap.maxTokens', 'tokens', 'repomap.size', 'repomap.maxTokens'])
    expect(await config('unset', key)).toEqual({
      code: 0,
      stdout: `Removed ${key} from ${file}\n`,
      stderr: '',
    });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({});
});

it('validate names each wrong key and its file', async () => {
  expect(await config('validate')).toMatchObject({ code: 0, stdout: 'All settings are valid.\n' });
  const file = join(memory.folder, 'causantic.config.json');
  writeFileSync(file, JSON.stringify({ repomap: { size: 5 }, tokens: { mcpMaxResponse: 'many' } }));
  const { code, stdout } = await config('validate');
  expect(code).toBe(1);
  expect(stdout).toContain(`"repomap.size" in ${file}: there is no such setting`);
  expect(stdout).toContain(`"tokens.mcpMaxResponse" in ${file}: `);
  const problems = JSON.parse((await config('validate', '--json')).stdout) as { key: string }[];
  expect(problems.map(({ key }) => key).sort()).toEqual(['repomap.size', 'tokens.mcpMaxResponse']);
});

it('shows settings that are wrong, too, and says that they are', async () => {
  const file = join(memory.folder, 'causantic.config.json');
  writeFileSync(file, JSON.stringify({ repomap: { size: 5 }, tokens: { mcpMaxResponse: 'many' } }));
  for (const command of [config(), config('--json'), config('get', 'tokens.mcpMaxResponse')]) {
    const { code, stdout, stderr } = await command;
    expect(code).toBe(1);
    expect(stdout).toContain('many');
    expect(stderr).toContain(`Invalid: "repomap.size" in ${file}: there is no such setting.`);
    expect(stderr).toContain(`Invalid: "tokens.mcpMaxResponse" in ${file}: got "many"; expected a number.`);
  }
  const { stdout } = await config();
  expect(stdout).toContain(`tokens.mcpMaxResponse  many  (${file})\n${' '.repeat(23)}Maximum size of a tool`);
  expect(stdout).toMatch(/^repomap\.enabled {8}true$/m);
});

it('names the variable of a setting that is wrong', async () => {
  const variable = 'CAUSANTIC_REPOMAP_MAXTOKENS';
  const told = `"repomap.maxtokens" in the environment (${variable}): there is no such setting`;
  const run = (...args: string[]) => memory.causanticWith({ [variable]: '500' }, 'config', ...args);
  expect((await run('validate')).stdout).toContain(told);
  expect((await run()).stderr).toContain(told);
});

it('the schema for editors is a file that knows every setting', async () => {
  const { stdout } = await config('schema', '--path');
  const schema = JSON.parse(readFileSync(stdout.trim(), 'utf8')) as Schema;
  expect(schema).toEqual(JSON.parse((await config('schema')).stdout));
  const settings = JSON.parse((await config('--json')).stdout) as { key: string; default: unknown }[];
  expect(settings.length).toBeGreaterThan(3);
  for (const { key, default: value } of settings) {
    const [section = '', name = ''] = key.split('.');
    expect(schema.properties[section]!.properties[name]!.default).toEqual(value);
  }
});

it('docs/settings.md documents every setting with its variable', async () => {
  const documented = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
  const settings = JSON.parse((await config('--json')).stdout) as { key: string; variable: string }[];
  const missing = settings.filter(
    ({ key, variable }) => !documented.includes(`\`${key}\``) || !documented.includes(variable),
  );
  expect(missing).toEqual([]);
});

interface Schema {
  properties: Record<string, { properties: Record<string, { default: unknown }> }>;
}
