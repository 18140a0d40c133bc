import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { causanticHome, codexFolder, ConfigError, errorMessage } from '@causantic/domain';
import { folderWithGit, repositoryOf } from '../hooks/project-of-folder.js';
import { isObject, readText } from '../install/json-text.js';
import { quoted } from '../install/program.js';
import type { ClientPlace, OtherClient, Registration } from './client.js';
import { isOnPath } from './on-path.js';

type Table = Record<string, unknown>;

export const codex: OtherClient = {
  name: 'codex',
  title: 'Codex',
  isThere: (env) => existsSync(codexFolder(env)) || isOnPath('codex', env),
  registration: async ({ projectDir, env }) => {
    const file = join(codexFolder(env), 'config.toml');
    const user = await readToml(file);
    const layers: Layer[] = [{ file, config: user }];
    for (const each of await projectFiles(projectDir, user))
      layers.push({ file: each, config: await readToml(each) });
    return server(layers) ?? plugin(layers);
  },
  // Codex hands on no variables by itself.
  attach: ({ program: { node, script }, env }: ClientPlace) =>
    [
      'codex mcp add causantic',
      ...(env['CAUSANTIC_HOME'] ? [`--env CAUSANTIC_HOME=${quoted(causanticHome(env))}`] : []),
      `-- ${quoted(node)} ${quoted(script)} serve`,
    ].join(' '),
  note: 'it runs no hooks: causantic-reindex reads its new sessions',
};

interface Layer {
  file: string;
  config: Table;
}

/** What stands in a later layer wins, key by key. The first is the user's. */
function server(layers: readonly Layer[]): Registration | undefined {
  const own = layers.flatMap(({ file, config }) => {
    const entry = tableIn(config, 'mcp_servers')['causantic'];
    return isObject(entry) ? [{ file, entry }] : [];
  });
  const last = own.at(-1);
  if (last === undefined) return undefined;
  const entry: Table = Object.assign({}, ...own.map((each) => each.entry));
  const env: Table = Object.assign({}, ...own.map((each) => tableIn(each.entry, 'env')));
  const passedOn = Array.isArray(entry['env_vars']) ? entry['env_vars'] : [];
  return {
    file: last.file,
    command: textOf(entry['command']),
    script: Array.isArray(entry['args']) ? textOf(entry['args'][0]) : undefined,
    home: textOf(env['CAUSANTIC_HOME']),
    seesEnvironment: passedOn.some((each) => (isObject(each) ? each['name'] : each) === 'CAUSANTIC_HOME'),
    ...(entry['enabled'] === false && { switchOn: SWITCH_ON }),
    // Its command knows of no other file.
    ...(last.file === layers[0]!.file && { detach: 'codex mcp remove causantic' }),
  };
}

function plugin(layers: readonly Layer[]): Registration | undefined {
  return layers
    .flatMap(({ file, config }) =>
      Object.entries(tableIn(config, 'plugins')).flatMap(([name, settings]) => {
        if (!name.startsWith('causantic@')) return [];
        return {
          file,
          command: 'causantic',
          seesEnvironment: false,
          ...(isObject(settings) && settings['enabled'] === false && { switchOn: SWITCH_ON }),
          detach: `codex plugin remove ${name}`,
        };
      }),
    )
    .at(-1);
}

const SWITCH_ON = 'take enabled = false out of it';

/**
 * Those from the repository's folder down to the one at hand. Codex passes over what the user has not trusted: the
 * folder itself, its repository or, of a worktree, the main one.
 */
async function projectFiles(projectDir: string, user: Table): Promise<string[]> {
  const folder = realpathSync.native(projectDir);
  const root = folderWithGit(folder) ?? folder;
  const projects = tableIn(user, 'projects');
  const isTrusted = (path: string): boolean => tableIn(projects, path)['trust_level'] === 'trusted';
  const isWhole = isTrusted(root) || isTrusted(await repositoryOf(root));
  const folders: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    if (isWhole || isTrusted(at)) folders.unshift(at);
    if (at === root) return folders.map((each) => join(each, '.codex', 'config.toml'));
  }
}

/** The parser is loaded where there is such a file: hooks load this module as well. */
async function readToml(file: string): Promise<Table> {
  if (!existsSync(file)) return {};
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parse(readText(file), { integersAsBigInt: 'asNeeded' });
  } catch (cause) {
    // What follows the first line is lines of the file, which may hold keys.
    const [reason] = errorMessage(cause).split('\n');
    const place = cause instanceof TomlError ? ` (line ${cause.line}, column ${cause.column})` : '';
    throw new ConfigError(`Cannot read ${file}: ${reason}${place}`, { cause, data: { file } });
  }
}

function tableIn(table: Table, key: string): Table {
  const value = table[key];
  return isObject(value) ? value : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
