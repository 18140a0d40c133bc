import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { claudeConfigDir } from '@causantic/domain';
import { inSettings } from '../install/json-text.js';
import { hasUsersServer } from '../install/mcp-settings.js';
import { placesOf, type Scope } from '../install/places.js';
import { isOnPath } from './on-path.js';
import type { Attachment } from './other-clients.js';

/**
 * Whether Claude Code is used on this machine. The mere folder is no sign: other programs put skills into it.
 */
export function usesClaudeCode(env: NodeJS.ProcessEnv): boolean {
  if (env['CLAUDE_CONFIG_DIR'] || isOnPath('claude', env)) return true;
  const { settings, mcp } = placesOf('user', '', env);
  return [settings, mcp, join(claudeConfigDir(env), 'projects')].some((path) => existsSync(path));
}

/**
 * How to take out the entry for the server that a user wrote, which `init` and `uninstall` leave as it is.
 * @throws ConfigError when the settings cannot be read
 */
export function usersServer(
  scope: Scope,
  projectDir: string,
  env: NodeJS.ProcessEnv,
): Attachment | undefined {
  const { mcp } = placesOf(scope, projectDir, env);
  if (!inSettings(mcp, hasUsersServer)) return undefined;
  return { title: 'Claude Code', command: `claude mcp remove --scope ${scope} causantic`, note: mcp };
}
