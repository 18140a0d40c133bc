import { dirname } from 'node:path';
import { isObject, objectIn, readJsonText } from '../install/json-text.js';
import { placesOf, settingsFiles } from '../install/places.js';

interface Where {
  projectDir: string;
  env: NodeJS.ProcessEnv;
}

/** In which file stands that a server was disabled in this project (by `/mcp`); undefined where it was not. */
export function disabledIn(server: string, { projectDir, env }: Where): string | undefined {
  const { mcp: state } = placesOf('user', projectDir, env);
  const { projects } = fieldsOf(state);
  const names = isObject(projects) ? nearest(projects, projectDir)['disabledMcpServers'] : undefined;
  return lists(names, server) ? state : undefined;
}

/** In which file stands that the user does not want this server of the project: Claude Code asks before it uses one. */
export function declinedIn(server: string, { projectDir, env }: Where): string | undefined {
  return settingsFiles(projectDir, env).find((file) =>
    lists(fieldsOf(file)['disabledMcpjsonServers'], server),
  );
}

/** In which file stands that no hooks are run; undefined where they are. */
export function hooksDisabledIn({ projectDir, env }: Where): string | undefined {
  const says = settingsFiles(projectDir, env).filter((file) => 'disableAllHooks' in fieldsOf(file));
  const last = says.at(-1);
  return last !== undefined && fieldsOf(last)['disableAllHooks'] === true ? last : undefined;
}

function fieldsOf(file: string): Record<string, unknown> {
  return objectIn(readJsonText(file) ?? '');
}

/** Claude Code keeps one entry for all folders of a repository, under its root. */
function nearest(projects: Record<string, unknown>, folder: string): Record<string, unknown> {
  const entry = projects[folder];
  if (isObject(entry)) return entry;
  return dirname(folder) === folder ? {} : nearest(projects, dirname(folder));
}

function lists(names: unknown, server: string): boolean {
  return Array.isArray(names) && names.includes(server);
}
