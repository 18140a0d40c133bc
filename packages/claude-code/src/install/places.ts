import { dirname, join } from 'node:path';
import { claudeConfigDir, homeFolder } from '@causantic/domain';

/** For all of a user's projects, or for one and everybody who works on it. */
export type Scope = 'user' | 'project';

/** Where Claude Code looks for what is installed. */
export interface Places {
  /** Hooks stand there. */
  settings: string;
  /** MCP servers stand there. */
  mcp: string;
  skills: string;
}

/** All settings that Claude Code reads in a project; what stands in a later file wins. */
export function settingsFiles(projectDir: string, env: NodeJS.ProcessEnv): string[] {
  const shared = placesOf('project', projectDir, env).settings;
  const own = join(dirname(shared), 'settings.local.json');
  return [placesOf('user', projectDir, env).settings, shared, own];
}

/** The files that `claude mcp add --scope user|project` and the settings of that scope live in. */
export function placesOf(scope: Scope, projectDir: string, env: NodeJS.ProcessEnv): Places {
  const isShared = scope === 'project';
  const folder = isShared ? join(projectDir, '.claude') : claudeConfigDir(env);
  return {
    settings: join(folder, 'settings.json'),
    mcp: isShared
      ? join(projectDir, '.mcp.json')
      : // Beside the default folder, but inside of one that the user names.
        join(env['CLAUDE_CONFIG_DIR'] ? folder : homeFolder(), '.claude.json'),
    skills: join(folder, 'skills'),
  };
}
