import { dirname } from 'node:path';
import { isObject } from '@causantic/domain';
import type { ClientPlace } from '../clients/client.js';
import { isListed } from '../clients/entries.js';
import { readJsonObject } from '../install/json-text.js';
import { placesOf, settingsFiles } from '../install/places.js';

/** In which file stands that the server was disabled in this project (by `/mcp`); undefined where it was not. */
export function disabledIn({ projectDir, env }: ClientPlace): string | undefined {
  const { mcp: state } = placesOf('user', projectDir, env);
  const { projects } = readJsonObject(state);
  const names = isObject(projects) ? nearest(projects, projectDir)['disabledMcpServers'] : undefined;
  return isListed(names) ? state : undefined;
}

/** In which file stands that the user does not want the project's server: Claude Code asks before it uses one. */
export function declinedIn({ projectDir, env }: ClientPlace): string | undefined {
  return settingsFiles(projectDir, env).find((file) =>
    isListed(readJsonObject(file)['disabledMcpjsonServers']),
  );
}

/** In which file stands that no hooks are run; undefined where they are. */
export function hooksDisabledIn({ projectDir, env }: ClientPlace): string | undefined {
  const file = settingsFiles(projectDir, env).findLast((each) => 'disableAllHooks' in readJsonObject(each));
  return file !== undefined && readJsonObject(file)['disableAllHooks'] === true ? file : undefined;
}

/** Claude Code keeps one entry for all folders of a repository, under its root. */
function nearest(projects: Record<string, unknown>, folder: string): Record<string, unknown> {
  const entry = projects[folder];
  if (isObject(entry)) return entry;
  return dirname(folder) === folder ? {} : nearest(projects, dirname(folder));
}
