import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject } from '@causantic/domain';
import { inSettings, readJsonObject } from '../install/json-text.js';
import { serversOf } from '../install/mcp-settings.js';
import type { Registration } from './client.js';
import { isOnPath } from './on-path.js';

/** What a file says of our server. */
export interface Entry {
  file: string;
  values: Record<string, unknown>;
}

/** What entries come to of which each changes the one before, key by key; clients differ little in what these are. */
export interface Merged {
  /** `file` is the last of them. */
  server: Pick<Registration, 'file' | 'command' | 'script' | 'home'>;
  isOff: boolean;
  /** What the server is told by variables. */
  env: Record<string, unknown>;
  values: Record<string, unknown>;
}

export function entriesIn(file: string, servers: Record<string, unknown>): Entry[] {
  const values = servers['causantic'];
  return isObject(values) ? [{ file, values }] : [];
}

export function merged(entries: readonly Entry[]): Merged | undefined {
  const last = entries.at(-1);
  if (last === undefined) return undefined;
  const values: Record<string, unknown> = Object.assign({}, ...entries.map((each) => each.values));
  const env: Record<string, unknown> = Object.assign(
    {},
    ...entries.map((each) => each.values['env'] ?? each.values['environment']),
  );
  // opencode has one list for both.
  const words = [values['command'], values['args'] ?? []].flat().map(textOf);
  // `env NAME=value command`, for clients that cannot set a variable otherwise.
  for (let set; words[0] === 'env' && (set = /^(\w+)=(.*)$/s.exec(words[1] ?? '')); words.splice(1, 1))
    env[set[1]!] = set[2];
  const [command, script] = words[0] === 'env' ? words.slice(1) : words;
  const home = textOf(env['CAUSANTIC_HOME']);
  const isOff = values['enabled'] === false || values['disabled'] === true;
  return { server: { file: last.file, command, script, home }, isOff, env, values };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * The server in a file of Claude Code, or of Gemini CLI, which has the same form.
 * @throws ConfigError
 */
export function serverIn(file: string): Merged['server'] | undefined {
  return merged(entriesIn(file, inSettings(file, serversOf)))?.server;
}

/** The table in a table; an empty one where there is none. */
export function tableIn(table: Record<string, unknown>, key: string): Record<string, unknown> {
  const value = table[key];
  return isObject(value) ? value : {};
}

/** The first of the files that keeps the server out, by its name or as it allows others, as those of Gemini CLI and its relatives can. */
export function keptOut(files: readonly string[]): Registration['switchedOff'] {
  const settings = files.map((file) => {
    const { allowed, excluded } = tableIn(readJsonObject(file), 'mcp');
    return { file, allowed, excluded };
  });
  const excluding = settings.find(({ excluded }) => isListed(excluded));
  if (excluding) return { file: excluding.file, fix: 'remove causantic from mcp.excluded in it' };
  // Where there is such a list, what is on none stays out.
  const allowing = settings.filter(({ allowed }) => Array.isArray(allowed) && allowed.length > 0);
  const [first] = allowing.some(({ allowed }) => isListed(allowed)) ? [] : allowing;
  return first && { file: first.file, fix: 'add causantic to mcp.allowed in it' };
}

/** Whether settings name our server in such a list. */
export function isListed(names: unknown): boolean {
  return Array.isArray(names) && names.includes('causantic');
}

/** From the folder above down to the one below, both included. */
export function foldersBetween(above: string, below: string): string[] {
  return below === above || dirname(below) === below
    ? [below]
    : [...foldersBetween(above, dirname(below)), below];
}

/** Whether a client can be started, or has left what it alone writes. */
export function leftTraces(command: string, traces: readonly string[], env: NodeJS.ProcessEnv): boolean {
  return traces.some((path) => existsSync(path)) || isOnPath(command, env);
}
