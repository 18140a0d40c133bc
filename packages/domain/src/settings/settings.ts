import { dirname } from 'node:path';
import { ConfigError, errorReason, InvalidArgumentError } from '../errors.js';
import { assertNotReadOnly, writeAtomically } from '../files/atomic-file.js';
import { withFileLock } from '../files/file-lock.js';
import { makeFolder } from '../files/private-file.js';
import { isObject } from '../is-object.js';
import {
  configJsonSchema,
  configLayers,
  isOfProject,
  issuesOf,
  jsonOrText,
  readConfigFile,
  refuseIssues,
  settingsIn,
  variableOf,
  type ConfigIssue,
  type ConfigSources,
} from './config.js';

/** One setting, with its value and where that comes from. */
export interface Setting {
  /** `tokens.mcpMaxResponse` */
  key: string;
  /** `CAUSANTIC_TOKENS_MCP_MAX_RESPONSE` */
  variable: string;
  description: string;
  default: unknown;
  value: unknown;
  /** The path of a file, `the environment` (in which the command line's settings are, too) or `default`. */
  origin: string;
}

interface SectionSchema {
  properties: Record<string, { description?: string; default?: unknown }>;
}

/**
 * Every setting there is.
 * @throws ConfigError for a file that is not JSON. Invalid keys and values are ignored; see `configProblems`.
 */
export function listSettings(sources: ConfigSources): Setting[] {
  const layers = configLayers(sources).reverse();
  return declaredSettings().map(({ section, name, key, description, default: defaultValue }) => {
    const layer = layers.find(({ settings }) => settings[section]?.[name] !== undefined);
    return {
      key,
      variable: variableOf(key),
      description,
      default: defaultValue,
      value: layer ? layer.settings[section]![name] : defaultValue,
      origin: layer?.origin ?? 'default',
    };
  });
}

/** `tokens.mcpMaxResponse` and all others. */
export function settingKeys(): string[] {
  return declaredSettings().map(({ key }) => key);
}

function declaredSettings() {
  const { $schema: _schema, ...sections } = configJsonSchema()['properties'] as Record<string, SectionSchema>;
  return Object.entries(sections).flatMap(([section, { properties }]) =>
    Object.entries(properties).map(([name, { description = '', default: defaultValue }]) => {
      return { section, name, key: `${section}.${name}`, description, default: defaultValue };
    }),
  );
}

/** @throws InvalidArgumentError naming the settings there are */
export function findSetting(sources: ConfigSources, key: string): Setting {
  const found = listSettings(sources).find((setting) => setting.key === key);
  if (found) return found;
  throw new InvalidArgumentError('key', key, `one of: ${settingKeys().join(', ')}`);
}

/**
 * A value from shell words: JSON, or else plain text. For a list setting, several words make a list.
 */
export function settingValue(setting: Setting, words: readonly string[]): unknown {
  const value = jsonOrText(words.join(' '));
  return Array.isArray(setting.default) && !Array.isArray(value) ? [...words] : value;
}

/** Everything that is wrong with the settings, in all origins; `loadConfig` throws the first of these. */
export function configProblems(sources: ConfigSources): (ConfigIssue & { origin: string })[] {
  return configLayers(sources).flatMap((layer) =>
    issuesOf(layer).map((issue) => ({ ...issue, origin: layer.origin })),
  );
}

/**
 * Write a setting to a configuration file, or remove it (`undefined`); the rest of the file stays.
 * @param key of an existing setting; to remove one, any key
 * @returns false if the key to remove is not in the file, which then stays unchanged
 * @throws ConfigError if the result would not be valid, or cannot be written; the file then stays unchanged
 */
export function writeSetting(file: string, key: string, value: unknown): boolean {
  const changed = (): Record<string, unknown> | undefined => {
    const written = withSetting(readConfigFile(file), key, value);
    if (written && value !== undefined) refuseIssues({ origin: file, settings: settingsIn(written) });
    return written;
  };
  if (!changed()) return false;
  // Whoever works on a project may be another user, as outside of a container.
  const mode = isOfProject(file) ? 0o644 : 0o600;
  try {
    makeFolder(dirname(file));
    assertNotReadOnly(file);
    withFileLock(file, () => {
      // Another command may have written to it meanwhile.
      const written = changed();
      if (written) writeAtomically(file, `${JSON.stringify(written, null, 2)}\n`, { mode });
    });
  } catch (cause) {
    throw new ConfigError(`Cannot write ${file}: ${errorReason(cause)}`, { cause, data: { file } });
  }
  return true;
}

/** @returns undefined if the key to remove is not there */
function withSetting(
  content: Record<string, unknown>,
  key: string,
  value: unknown,
): Record<string, unknown> | undefined {
  // No setting stands there, but what is wrong may: `{ "tokens": 5000, "repomap.maxTokens": 500 }`.
  if (value === undefined && Object.hasOwn(content, key))
    return withoutEmpty({ ...content, [key]: undefined });
  const [section = '', name = ''] = key.split(/\.(.*)/s);
  const old = isObject(content[section]) ? content[section] : {};
  if (value === undefined && old[name] === undefined) return undefined;
  return withoutEmpty({ ...content, [section]: withoutEmpty({ ...old, [name]: value }) });
}

/** Without members that are `undefined` or empty objects. */
function withoutEmpty(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined && JSON.stringify(value) !== '{}'),
  );
}
