import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { ConfigError, describeValue, errorReason } from '../errors.js';
import { clientTitles } from '../files/folders.js';
import { folderWithGit } from '../files/repository-folder.js';
import { readWholeFile } from '../files/whole-file.js';
import { isObject } from '../is-object.js';
import { jsonValue } from '../json-value.js';
import { projectOf } from '../projects.js';
import { acceptedBy, telling } from './accepted-value.js';

/** Limits of the size of a repository map, in tokens. */
export const REPOMAP_TOKENS = { least: 100, most: 100_000 };

/** Each pair of braces multiplies what has to be compared, and a repository of others may have such a pattern. */
const MOST_ALTERNATIVES = 1_000;

/** A pattern is compared with whole paths: one that begins with a mere name would leave nothing out. */
const WHOLE_PATH = /^(?:[/\\{]|~(?:[/\\]|$)|\*\*|[A-Za-z]:)/;

/** How many patterns without braces one with them stands for, or some more. */
function mostAlternatives(glob: string): number {
  const inBraces = glob.split('{').slice(1);
  return inBraces.reduce((product, part) => product * part.split(',').length, 1);
}

/** Every setting there is, with its default. A setting lives here only if code reads it. */
const configSchema = z.strictObject({
  tokens: z
    .strictObject({
      mcpMaxResponse: z
        .int()
        .min(200)
        .max(1_000_000)
        .default(20_000)
        .describe('Maximum size of a tool answer, in tokens.'),
    })
    .prefault({}),
  repomap: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Whether the repomap tool is enabled.'),
      maxTokens: z
        .int()
        .min(REPOMAP_TOKENS.least)
        .max(REPOMAP_TOKENS.most)
        .default(1_024)
        .describe('Size of a repository map, in tokens.'),
      useSession: z
        .boolean()
        .default(true)
        .describe('Whether files touched in the last hours of work rank higher in a repository map.'),
    })
    .prefault({}),
  ingest: z
    .strictObject({
      excludePaths: z
        .array(
          z
            .string()
            .regex(WHOLE_PATH, 'a whole path, or a pattern that begins with ~/ or **')
            .refine(
              (glob) => mostAlternatives(glob) <= MOST_ALTERNATIVES,
              `a pattern whose braces stand for at most ${MOST_ALTERNATIVES} others`,
            ),
        )
        .default([])
        .describe('Globs of project folders and transcript files that are never read.'),
      background: z
        .boolean()
        .default(true)
        .describe(
          `Whether a server started by ${clientTitles('or')} reads earlier sessions in the background.`,
        ),
    })
    .prefault({}),
  hooks: z
    .strictObject({
      briefingTokens: z
        .int()
        .min(0)
        .max(2_500)
        .default(1_500)
        .describe('Maximum size of the briefing at the start of a session, in tokens; 0 turns it off.'),
      promptTokens: z
        .int()
        .min(100)
        .max(2_500)
        .default(600)
        .describe('Maximum that the hook prompt-submit adds to a prompt, in tokens.'),
      claudeMd: z
        .enum(['existing', 'always', 'never'])
        .default('existing')
        .describe(
          "Whether a project's CLAUDE.md gets a block about the memory: only if the file exists, always, or never.",
        ),
    })
    .prefault({}),
  retention: z
    .strictObject({
      maxAgeDays: z
        .int()
        .min(0)
        .default(0)
        .describe(
          'causantic-reindex and causantic compact delete chunks older than this many days; 0 keeps all.',
        ),
      maxBytes: z
        .int()
        .min(0)
        .refine((bytes) => bytes === 0 || bytes >= 10_000_000, 'at least 10000000, or 0')
        .default(0)
        .describe(
          'The same commands delete the oldest chunks while the database is larger than this many bytes; 0: no limit.',
        ),
    })
    .prefault({}),
});

export type Config = z.infer<typeof configSchema>;

export interface ConfigSources {
  home: string;
  /** The folder of the work, in a project whose `causantic.config.json` applies; undefined if there is none. */
  projectDir: string | undefined;
  env: NodeJS.ProcessEnv;
}

/**
 * The settings in force: `CAUSANTIC_<SECTION>_<KEY>` variables (see also {@link setFromCommandLine}), then the project's
 * `causantic.config.json`, then `config.json` in the home, then defaults.
 * @throws ConfigError naming the key and its origin
 */
export function loadConfig(sources: ConfigSources): Config {
  let merged: Settings = {};
  for (const layer of configLayers(sources)) {
    refuseIssues(layer);
    merged = merge(merged, layer.settings);
  }
  return configSchema.parse(merged);
}

const ENVIRONMENT = 'the environment';

/** The settings of one origin (a file, the environment or the command line), not yet validated. */
type Settings = Record<string, Record<string, unknown>>;

export interface ConfigLayer {
  /** The path of a file, `the environment` or `the command line`. */
  origin: string;
  settings: Settings;
}

export interface ConfigIssue {
  key: string;
  /** Of a known key. */
  value?: unknown;
  message: string;
}

/** The user's file, which applies to all projects. */
export function homeConfigFile(home: string): string {
  return join(home, 'config.json');
}

const PROJECT_CONFIG_FILE = 'causantic.config.json';

/**
 * The file of the project that a folder is in, which overrides the user's: work that begins in a part of a repository, or
 * in a worktree, is work on that repository. The nearest one there is, or else that of the (main) repository.
 */
export function projectConfigFile(folder: string): string {
  const root = folderWithGit(folder) ?? folder;
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, PROJECT_CONFIG_FILE);
    if (existsSync(file)) return file;
    if (at === root) return join(projectOf(folder).path, PROJECT_CONFIG_FILE);
  }
}

/**
 * All origins of settings; later ones override earlier ones.
 * @throws ConfigError for a file that is not JSON
 */
export function configLayers(sources: ConfigSources): ConfigLayer[] {
  const user = layerOf(homeConfigFile(sources.home));
  const project = sources.projectDir === undefined ? [] : [layerOf(projectConfigFile(sources.projectDir))];
  return [
    user,
    ...project.map((layer) => ({ ...layer, settings: addedExclusions(user.settings, layer.settings) })),
    { origin: ENVIRONMENT, settings: environmentSettings(sources.env) },
  ];
}

/**
 * The settings in a file; none if there is no file.
 * @throws ConfigError for a file that is not JSON
 */
function layerOf(file: string): ConfigLayer {
  return { origin: file, settings: settingsIn(readConfigFile(file)) };
}

/** Without what a file says of itself for editors. */
export function settingsIn({ $schema: _schema, ...settings }: Record<string, unknown>): Settings {
  return settings as Settings;
}

/** A project may exclude more paths than the user does, but never include what the user excludes. */
function addedExclusions(user: Settings, project: Settings): Settings {
  const [everywhere, here] = [user, project].map(({ ingest }) => ingest?.['excludePaths']);
  if (!Array.isArray(everywhere) || !Array.isArray(here)) return project;
  return { ...project, ingest: { ...project['ingest'], excludePaths: [...here, ...everywhere] as string[] } };
}

/** Whether a file or other origin of settings is a project's file, which everybody who works on the project shares. */
export function isOfProject(origin: string): boolean {
  return basename(origin) === PROJECT_CONFIG_FILE;
}

/** The contents of a configuration file, including keys that are not settings. */
export function readConfigFile(file: string): Record<string, unknown> {
  try {
    if (!isThere(file)) return {};
    // A file that some editors write begins with a byte order mark.
    return asObject(
      JSON.parse(
        readWholeFile(file)
          .toString('utf8')
          .replace(/^\uFEFF/, ''),
      ),
    );
  } catch (cause) {
    throw new ConfigError(`Cannot read the configuration file ${file}: ${errorReason(cause)}`, {
      cause,
      data: { file },
    });
  }
}

/** In a home that is closed to its user there may be settings; a project that is closed has none for who cannot look. */
function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // Of a home that is a file more is said where something is written to it.
    if (isOfProject(file) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw error;
  }
}

function asObject(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value;
  throw new TypeError('it must contain a JSON object');
}

/** Every key that is unknown or misplaced, and every value that is not accepted. */
export function issuesOf({ origin, settings }: ConfigLayer): ConfigIssue[] {
  // Otherwise anyone who can change a repository's files could delete memories of all other projects.
  const misplaced = isOfProject(origin) ? Object.keys(settings['retention'] ?? {}) : [];
  const issues = telling(configSchema.safeParse(settings, { reportInput: true }).error?.issues ?? []);
  return [
    ...misplaced.map((key) => ({
      key: `retention.${key}`,
      message: 'a project cannot decide what is deleted',
    })),
    ...issues.flatMap(toConfigIssues),
  ];
}

function toConfigIssues(issue: z.core.$ZodIssue): ConfigIssue[] {
  if (issue.code === 'unrecognized_keys') {
    const message = 'there is no such setting';
    return issue.keys.map((key) => ({ key: [...issue.path, key].join('.'), message }));
  }
  const message = `got ${describeValue(issue.input)}; expected ${acceptedBySetting(issue)}`;
  return [{ key: issue.path.join('.'), value: issue.input, message }];
}

const TYPES: Record<string, string> = {
  array: 'a list such as ["one", "two"]',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object of settings',
  string: 'text',
};

function acceptedBySetting(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      return `${issue.minimum} or more`;
    case 'too_big':
      return `${issue.maximum} or less`;
    default:
      return acceptedBy(issue, TYPES);
  }
}

/** @throws ConfigError for the first issue, if there is one */
export function refuseIssues(layer: ConfigLayer): void {
  const [issue] = issuesOf(layer);
  if (!issue) return;
  const { origin } = layer;
  const { message, ...named } = issue;
  const { key } = named;
  throw new ConfigError(`Configuration key "${key}" in ${placeOf(key, origin)}: ${message}.`, {
    data: { ...named, origin },
  });
}

/** An origin of settings; of the environment, with the variable that a key stands in. */
export function placeOf(key: string, origin: string): string {
  return origin === ENVIRONMENT ? `${origin} (${variableOf(key)})` : origin;
}

function merge(base: Settings, over: Settings): Settings {
  const merged = { ...base };
  for (const [section, values] of Object.entries(over)) merged[section] = { ...merged[section], ...values };
  return merged;
}

/** `CAUSANTIC_TOKENS_MCP_MAX_RESPONSE`, of `tokens.mcpMaxResponse`; of an item of a list, the list's. */
export function variableOf(key: string): string {
  const [section, name = ''] = key.split('.');
  return `CAUSANTIC_${section}_${name.replace(/([A-Z])/g, '_$1')}`.toUpperCase();
}

/**
 * `CAUSANTIC_TOKENS_MCP_MAX_RESPONSE=5000` → `{ tokens: { mcpMaxResponse: 5000 } }`. What passes variables on, as a
 * client's settings of a server, has empty ones for those that are not set.
 */
function environmentSettings(env: NodeJS.ProcessEnv): Settings {
  const settings: Settings = {};
  for (const [name, value] of Object.entries(env)) {
    const [, prefix = '', rest = ''] = /^CAUSANTIC_([A-Z]+)_([A-Z0-9_]+)$/.exec(name) ?? [];
    const section = prefix.toLowerCase();
    if (!value?.trim() || !Object.hasOwn(configSchema.shape, section)) continue;
    const key = rest.toLowerCase().replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    settings[section] = { ...settings[section], [key]: jsonOrText(value) };
  }
  return settings;
}

/**
 * Puts a setting from the command line, such as `tokens.mcpMaxResponse=5000`, into the environment, where threads find it,
 * too.
 * @throws ConfigError for a key or value that is not accepted
 */
export function setFromCommandLine(given: string, env: NodeJS.ProcessEnv): void {
  const [, section, name, value] = /^(\w+)\.(\w+)=(.*)$/s.exec(given) ?? [];
  if (section === undefined || name === undefined || value === undefined)
    throw new ConfigError(
      'A setting is given as its key and value, such as tokens.mcpMaxResponse=5000; causantic config lists them.',
    );
  refuseIssues({ origin: 'the command line', settings: { [section]: { [name]: jsonOrText(value) } } });
  env[variableOf(`${section}.${name}`)] = value;
}

export function jsonOrText(value: string): unknown {
  const json = jsonValue(value);
  return json === undefined ? value : json;
}

/** A JSON schema of the configuration file, for editors; it allows the file to name its schema. */
export function configJsonSchema(): Record<string, unknown> {
  const { properties, ...schema } = z.toJSONSchema(configSchema, { io: 'input' }) as Record<string, unknown>;
  return { ...schema, properties: { $schema: { type: 'string' }, ...(properties as object) } };
}
