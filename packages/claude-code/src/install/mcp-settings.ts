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

/** @throws ConfigError as `withServer` does */
export function serversOf(text: string): Record<string, unknown> {
  const { mcpServers = {} } = objectIn(text);
  if (isObject(mcpServers)) return mcpServers;
  throw new ConfigError('"mcpServers" in the settings is not an object. Nothing was changed.');
}
