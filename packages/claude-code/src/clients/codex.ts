import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { causanticHome, codexFolder, ConfigError, errorMessage } from '@causantic/domain';
import { quoted } from '../install/program.js';
import type { ClientPlace, OtherClient, Registration } from './client.js';
import { isOnPath } from './on-path.js';

export const codex: OtherClient = {
  name: 'codex',
  title: 'Codex',
  isThere: (env) => existsSync(codexFolder(env)) || isOnPath('codex', env),
  registration: ({ projectDir, env }) => {
    const folders = [join(projectDir, '.codex'), codexFolder(env)];
    const found = folders.flatMap((folder) => registrationIn(join(folder, 'config.toml')) ?? []);
    return found.find(({ isDisabled }) => !isDisabled) ?? found[0];
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

const SERVER = /^\s*\[\s*mcp_servers\s*\.\s*["']?causantic["']?\s*(?:\.\s*env\s*)?\]/;
const PLUGIN = /^\s*\[\s*plugins\s*\.\s*["'](causantic@[^"']+)["']\s*\]/;
const STRING = /("(?:[^"\\]|\\.)*"|'[^']*')/.source;

/** Reads what Codex's own commands write; no whole TOML. */
function registrationIn(file: string): Registration | undefined {
  const tables = tablesOf(file);
  const server = tables.filter((table) => SERVER.test(table)).join('\n');
  if (server !== '') {
    return {
      file,
      command: stringAfter(/^\s*command\s*=\s*/, server),
      script: stringAfter(/^\s*args\s*=\s*\[\s*/, server),
      home: stringAfter(/\bCAUSANTIC_HOME["']?\s*=\s*/, server),
      seesEnvironment: /\benv_vars\s*=\s*\[[^\]]*CAUSANTIC_HOME/.test(server),
      isDisabled: isSwitchedOff(server),
      detach: 'codex mcp remove causantic',
    };
  }
  const plugin = tables.find((table) => PLUGIN.test(table));
  if (plugin === undefined) return undefined;
  return {
    file,
    command: 'causantic',
    seesEnvironment: false,
    isDisabled: isSwitchedOff(plugin),
    detach: `codex plugin remove ${PLUGIN.exec(plugin)![1]}`,
  };
}

/** Each with its head and the lines below it. */
function tablesOf(file: string): string[] {
  if (!existsSync(file)) return [];
  try {
    return readFileSync(file, 'utf8').split(/\n(?=\s*\[)/);
  } catch (cause) {
    throw new ConfigError(`Cannot read ${file}: ${errorMessage(cause)}`, { cause, data: { file } });
  }
}

function isSwitchedOff(table: string): boolean {
  return /^\s*enabled\s*=\s*false\b/m.test(table);
}

function stringAfter(beginning: RegExp, table: string): string | undefined {
  const [, string] = new RegExp(beginning.source + STRING, 'm').exec(table) ?? [];
  if (string === undefined || string.startsWith("'")) return string?.slice(1, -1);
  return string.slice(1, -1).replace(/\\(["\\])/g, '$1');
}
