import { ConfigError } from '@causantic/domain';
import { removeValue, setValue } from './json-edits.js';
import { isObject, objectIn } from './json-text.js';
import { mcpEntry, type Program } from './program.js';

const NAME = 'causantic';

/** @throws ConfigError when `mcpServers` is not what Claude Code takes */
export function withServer(text: string, program: Program): string {
  serversOf(text);
  return setValue(text, ['mcpServers', NAME], mcpEntry(program));
}

export function withoutServer(text: string): string {
  const servers = serversOf(text);
  if (!(NAME in servers)) return text;
  const edited = removeValue(text, ['mcpServers', NAME]);
  return Object.keys(servers).length === 1 ? removeValue(edited, ['mcpServers']) : edited;
}

/** What our entry starts, and the home that it names, if any; undefined where there is no entry. */
export function installedServer(
  text: string,
): { command: string; args: string[]; home: string | undefined } | undefined {
  const entry = serversOf(text)[NAME];
  if (!isObject(entry)) return undefined;
  const args = Array.isArray(entry['args']) ? entry['args'].filter((arg) => typeof arg === 'string') : [];
  const { CAUSANTIC_HOME: home } = isObject(entry['env']) ? entry['env'] : {};
  return { command: String(entry['command'] ?? ''), args, home: typeof home === 'string' ? home : undefined };
}

function serversOf(text: string): Record<string, unknown> {
  const { mcpServers = {} } = objectIn(text);
  if (isObject(mcpServers)) return mcpServers;
  throw new ConfigError('"mcpServers" in the settings is no object. Nothing was changed.');
}
