import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { causanticHome, errorMessage, isObject } from '@causantic/domain';
import type { ClientPlace, Registration } from '../clients/client.js';
import { serverIn } from '../clients/entries.js';
import { HOOK_NAMES } from '../hooks/hook-names.js';
import { statusFile } from '../hooks/hook-records.js';
import { type EnabledPlugin, enabledPlugin } from '../install/enabled-plugin.js';
import { installedHooks, USUAL_HOOKS } from '../install/hook-settings.js';
import { inSettings } from '../install/json-text.js';
import { hasUsersServer } from '../install/mcp-settings.js';
import { type Places, placesOf } from '../install/places.js';
import { registeredFolder } from '../install/registered-folder.js';
import { skillsFor } from '../install/skills.js';
import { readJsonFile } from '../locked-json-file.js';
import { type Check, failure, info, ok, warning } from './check.js';
import { declinedIn, disabledIn, hooksDisabledIn } from './switched-off.js';

const INSTALL = 'run causantic init';

/** Server, hooks and skills: of the project where it has its own, else the user's, else those of the plugin. */
export function checkClient({ projectDir: folder, ...rest }: ClientPlace): Check[] {
  const { env } = rest;
  const projectDir = registeredFolder(folder, env);
  const place = { ...rest, projectDir };
  const user = placesOf('user', projectDir, env);
  const project = placesOf('project', projectDir, env);
  const plugin = (): EnabledPlugin | undefined => enabledPlugin(projectDir, env);
  return [
    attempt('mcp', () => checkServer([project, user], place) ?? inPlugin('mcp', plugin())),
    attempt('hooks', () => {
      const hooks = checkHooks([project, user], plugin()) ?? inPlugin('hooks', plugin());
      const off = hooksDisabledIn(place);
      if (off === undefined || hooks.status === 'error') return hooks;
      return warning('hooks', `disabled by disableAllHooks in ${off}`, 'remove that setting');
    }),
    attempt('skills', () => checkSkills([project, user]) ?? inPlugin('skills', plugin())),
  ];
}

/** What is registered nowhere comes from the plugin, or is missing. */
function inPlugin(name: string, plugin: EnabledPlugin | undefined): Check {
  if (plugin) return ok(name, `provided by the plugin ${plugin.name}, enabled in ${plugin.file}`);
  if (name === 'mcp') return failure(name, 'the server is not registered', INSTALL);
  return name === 'hooks' ? failure(name, 'not installed', INSTALL) : warning(name, 'not installed', INSTALL);
}

function attempt(name: string, check: () => Check): Check {
  try {
    return check();
  } catch (error) {
    return failure(name, errorMessage(error), 'fix the file');
  }
}

function checkServer([project, user]: readonly [Places, Places], place: ClientPlace): Check | undefined {
  const shared = checkEntry(project, place);
  const declined = shared && declinedIn(place);
  if (declined === undefined) return shared ?? checkEntry(user, place);
  const message = `the entry in ${project.mcp} was declined (${declined})`;
  return checkEntry(user, place) ?? warning('mcp', message, 'run claude mcp reset-project-choices');
}

/** What a file of servers says of ours; undefined where it says nothing. */
function checkEntry({ mcp }: Places, place: ClientPlace): Check | undefined {
  const server = serverIn(mcp);
  if (!server) return undefined;
  const fix = inSettings(mcp, hasUsersServer) ? 'correct the entry: init leaves it as you wrote it' : INSTALL;
  const missing = missingFile(server, place.projectDir);
  if (missing !== undefined)
    return failure('mcp', `the entry in ${mcp} names ${missing}, which does not exist`, fix);
  const home = otherHome({ ...server, seesEnvironment: false }, place.env);
  if (home !== undefined) {
    const own = causanticHome(place.env);
    return warning('mcp', `the entry in ${mcp} keeps its memory in ${home}, not in ${own}`, fix);
  }
  const disabled = disabledIn(place);
  return disabled === undefined
    ? ok('mcp', `registered in ${mcp}`)
    : warning('mcp', `disabled in this project (${disabled})`, 'enable it in Claude Code with /mcp');
}

/** What a server is started with, where that is a path and names no file. */
export function missingFile(
  { command, script }: Pick<Registration, 'command' | 'script'>,
  folder: string,
): string | undefined {
  return [command, script].find(
    (word) => word !== undefined && /[\\/]/.test(word) && !existsSync(resolve(folder, word)),
  );
}

/** The home of a server that keeps its memory in another one; one that is reached by an address was started elsewhere. */
export function otherHome(
  { command, home, seesEnvironment }: Registration,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (command === undefined) return undefined;
  const told = causanticHome(home === undefined ? (seesEnvironment ? env : {}) : { CAUSANTIC_HOME: home });
  return told === causanticHome(env) ? undefined : told;
}

function checkHooks(places: readonly Places[], plugin: EnabledPlugin | undefined): Check | undefined {
  for (const { settings } of places) {
    const hooks = inSettings(settings, installedHooks);
    if (hooks.size === 0) continue;
    const absent = USUAL_HOOKS.filter((name) => !hooks.has(name));
    if (absent.length > 0) return failure('hooks', `${absent.join(', ')} missing from ${settings}`, INSTALL);
    const missing = [...hooks.values()].flatMap(pathsIn).find((path) => !existsSync(path));
    if (missing !== undefined)
      return failure('hooks', `${settings} names ${missing}, which does not exist`, INSTALL);
    if (plugin) {
      return warning(
        'hooks',
        `each runs twice: the plugin has them, too (${plugin.file})`,
        'run causantic uninstall, or disable the plugin',
      );
    }
    const other = places.find((place) => runsOthers(place, hooks));
    if (other) {
      const files = `${settings} and ${other.settings}`;
      return warning('hooks', `each runs twice: ${files} both have them`, 'remove them from one of the two');
    }
    return ok('hooks', `${[...hooks.keys()].join(', ')} in ${settings}`);
  }
  return undefined;
}

/** Claude Code runs a command once that stands in several places as it is. */
function runsOthers({ settings }: Places, hooks: ReadonlyMap<string, string>): boolean {
  const others = inSettings(settings, installedHooks);
  return [...others].some(([name, command]) => hooks.has(name) && hooks.get(name) !== command);
}

/** Paths in a command line as we write it; those the shell completes, or writes to, are not looked at. */
function pathsIn(command: string): string[] {
  const quoted = /"([^"]*)"|'([^']*)'|\\(.)/g;
  const words = command.match(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  const end = words.findIndex((word) => /[;&|<>]/.test(word.replace(quoted, '')));
  return words
    .slice(0, end < 0 ? undefined : end)
    .map((word) => word.replace(quoted, '$1$2$3'))
    .filter((word) => isAbsolute(word));
}

function checkSkills(places: readonly Places[]): Check | undefined {
  for (const { skills } of places) {
    const all = skillsFor(skills);
    const absent = all.filter(({ file }) => !existsSync(file));
    if (absent.length === all.length) continue;
    if (absent.length === 0) return ok('skills', `${all.length} in ${skills}`);
    return warning('skills', `${absent.length} missing from ${skills}`, INSTALL);
  }
  return undefined;
}

/** What became of the hooks when they ran last. */
export function checkHookRuns(home: string): Check {
  const file = statusFile(home);
  try {
    return checkRuns(home, readJsonFile(file));
  } catch (error) {
    const message = `cannot read ${file}: ${errorMessage(error)}`;
    return failure('hook runs', message, 'delete the file: the next hook writes a new one');
  }
}

function checkRuns(home: string, runs: Record<string, unknown>): Check {
  const failed = HOOK_NAMES.flatMap((name) => {
    const run = runs[name];
    return isObject(run) && run['ok'] === false ? [`${name}: ${String(run['message'])}`] : [];
  });
  if (failed.length > 0) return warning('hook runs', failed.join('; '), `see ${join(home, 'hooks.log')}`);
  const ran = HOOK_NAMES.filter((name) => name in runs);
  if (ran.length === 0)
    return info('hook runs', 'none yet: Claude Code and the Gemini CLI extension run them during sessions');
  return ok('hook runs', `last run succeeded: ${ran.join(', ')}`);
}
