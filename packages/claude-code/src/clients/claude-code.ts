import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { claudeConfigDir } from '@causantic/domain';
import { placesOf } from '../install/places.js';
import { isOnPath } from './on-path.js';

/**
 * Whether Claude Code is used on this machine. The mere folder is no sign: other programs put skills into it.
 */
export function usesClaudeCode(env: NodeJS.ProcessEnv): boolean {
  if (env['CLAUDE_CONFIG_DIR'] || isOnPath('claude', env)) return true;
  const { settings, mcp } = placesOf('user', '', env);
  return [settings, mcp, join(claudeConfigDir(env), 'projects')].some((path) => existsSync(path));
}
