import { isObject } from '@causantic/domain';
import { readJsonObject } from './json-text.js';
import { settingsFiles } from './places.js';

export interface EnabledPlugin {
  /** With its marketplace, as Claude Code's commands take it. */
  name: string;
  /** The settings that enable it. */
  file: string;
}

/**
 * The enabled plugin that provides server, hooks and skills, from any marketplace; undefined if none is enabled. Settings
 * closer to the project override others.
 * @throws ConfigError if a settings file cannot be read
 */
export function enabledPlugin(projectDir: string, env: NodeJS.ProcessEnv): EnabledPlugin | undefined {
  const plugins = new Map<string, string | undefined>();
  for (const file of settingsFiles(projectDir, env)) {
    const { enabledPlugins } = readJsonObject(file);
    for (const [name, isEnabled] of isObject(enabledPlugins) ? Object.entries(enabledPlugins) : []) {
      if (name.startsWith('causantic@')) plugins.set(name, isEnabled === true ? file : undefined);
    }
  }
  const [found] = [...plugins].flatMap(([name, file]) => (file === undefined ? [] : [{ name, file }]));
  return found;
}
