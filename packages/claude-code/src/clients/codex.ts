import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  codexFolder,
  ConfigError,
  errorMessage,
  folderWithGit,
  isObject,
  projectOf,
  realPath,
} from '@causantic/domain';
import { readText } from '../install/json-text.js';
import { quoted } from '../install/program.js';
import {
  type ClientPlace,
  homeOption,
  type OtherClient,
  READ_BY_SERVER,
  type Registration,
  serving,
} from './client.js';
import { entriesIn, foldersBetween, leftTraces, merged, tableIn } from './entries.js';

type Table = Record<string, unknown>;

export const codex: OtherClient = {
  name: 'codex',
  title: 'Codex',
  isThere: (env) => leftTraces('codex', [codexFolder(env)], env),
  registration: async ({ projectDir, env }) => {
    const file = join(codexFolder(env), 'config.toml');
    const user = await readToml(file);
    const layers: Layer[] = [{ file, config: user }];
    for (const each of projectFiles(projectDir, user))
      layers.push({ file: each, config: await readToml(each) });
    return server(layers, file, env) ?? plugin(layers);
  },
  // Codex hands on no variables by itself.
  attach: (place) =>
    `codex mcp add causantic ${homeOption(place)}${codexHomeOption(place)}-- ${serving(place)}`,
  note: READ_BY_SERVER,
};

interface Layer {
  file: string;
  config: Table;
}

function codexHomeOption({ env }: ClientPlace): string {
  return env['CODEX_HOME'] ? `--env CODEX_HOME=${quoted(codexFolder(env))} ` : '';
}

const SWITCH_ON = 'remove enabled = false from it';

function server(
  layers: readonly Layer[],
  userFile: string,
  env: NodeJS.ProcessEnv,
): Registration | undefined {
  const found = merged(layers.flatMap(({ file, config }) => entriesIn(file, tableIn(config, 'mcp_servers'))));
  if (found === undefined) return undefined;
  const { isOff, values } = found;
  const { file } = found.server;
  const passedOn = [values['env_vars']].flat().map((each) => (isObject(each) ? each['name'] : each));
  const isTold = passedOn.includes('CODEX_HOME') || 'CODEX_HOME' in found.env;
  return {
    ...found.server,
    seesEnvironment: passedOn.includes('CAUSANTIC_HOME'),
    unseenFolder: env['CODEX_HOME'] && !isTold ? codexFolder(env) : undefined,
    ...(isOff && { switchedOff: { file, fix: SWITCH_ON } }),
    // Its command knows of no other file.
    ...(file === userFile && { detach: 'codex mcp remove causantic' }),
  };
}

function plugin(layers: readonly Layer[]): Registration | undefined {
  const found = layers.flatMap(({ file, config }) => {
    const plugins = tableIn(config, 'plugins');
    return Object.keys(plugins)
      .filter((name) => name.startsWith('causantic@'))
      .map((name) => ({ file, name, isOff: tableIn(plugins, name)['enabled'] === false }));
  });
  const last = found.at(-1);
  return (
    last && {
      file: last.file,
      command: 'causantic',
      // The plugin names both variables.
      seesEnvironment: true,
      ...(last.isOff && { switchedOff: { file: last.file, fix: SWITCH_ON } }),
      detach: `codex plugin remove ${last.name}`,
    }
  );
}

/**
 * Those from the repository's folder down to the one at hand. Codex passes over what the user has not trusted: the
 * folder itself, its repository or, of a worktree, the main one.
 */
function projectFiles(projectDir: string, user: Table): string[] {
  const folder = realPath(projectDir);
  const root = folderWithGit(folder) ?? folder;
  const projects = tableIn(user, 'projects');
  const isTrusted = (path: string): boolean => tableIn(projects, path)['trust_level'] === 'trusted';
  const isWhole = isTrusted(root) || isTrusted(projectOf(root).path);
  return foldersBetween(root, folder)
    .filter((each) => isWhole || isTrusted(each))
    .map((each) => join(each, '.codex', 'config.toml'));
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
