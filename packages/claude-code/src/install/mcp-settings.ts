import { ConfigError, isObject } from '@causantic/domain';
import { removeValue, setValue } from './json-edits.js';
import { objectIn } from './json-text.js';
import { isMcpEntry, mcpEntry, type Program } from './program.js';

const NAME = 'causantic';

/**
 * Settings with our server; with the user's own entry of its name, they stay as they are.
 * @throws ConfigError when `mcpServers` is not what Claude Code takes
 */
export function withServer(text: string, program: Program): string {
  return hasUsersServer(text) ? text : setValue(text, ['mcpServers', NAME], mcpEntry(program));
}

export function withoutServer(text: string): string {
  const servers = serversOf(text);
  if (!(NAME in servers) || hasUsersServer(text)) return text;
  const edited = removeValue(text, ['mcpServers', NAME]);
  return Object.keys(servers).length === 1 ? removeValue(edited, ['mcpServers']) : edited;
}

/**
 * Whether an entry of our name is there that `init` would not write: with variables or arguments of the user's, say.
 * @throws ConfigError as `withServer` does
 */
export function hasUsersServer(text: string): boolean {
  const entry = serversOf(text)[NAME];
  return isObject(entry) && !isMcpEntry(entry);
}

/** @throws ConfigError as `withServer` does */
export function serversOf(text: string): Record<string, unknown> {
  const { mcpServers = {} } = objectIn(text);
  if (isObject(mcpServers)) return mcpServers;
  throw new ConfigError('"mcpServers" in the settings is not an object. Nothing was changed.');
}
