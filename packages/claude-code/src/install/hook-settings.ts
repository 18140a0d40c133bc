import { ConfigError } from '@causantic/domain';
import type { HookName } from '../hooks/hook-names.js';
import { addElement, removeValue, setValue } from './json-edits.js';
import { isObject, objectIn } from './json-text.js';
import { hookCommand, hookOfCommand, type Program } from './program.js';

interface HookPlace {
  event: string;
  /** When the event counts, for events that tell. */
  matcher?: string;
  name: HookName;
  /** Seconds after which the client gives the hook up. */
  timeout: number;
}

/** A session that is resumed has its history before it, and needs no briefing. */
const STARTS = 'startup|clear|compact';

const PLACES: readonly HookPlace[] = [
  { event: 'SessionStart', matcher: STARTS, name: 'session-start', timeout: 10 },
  { event: 'SessionStart', matcher: STARTS, name: 'claudemd-generator', timeout: 10 },
  // Without a time of its own, Claude Code gives hooks at the end of a session 1.5 s.
  { event: 'SessionEnd', name: 'session-end', timeout: 60 },
  { event: 'PreCompact', name: 'pre-compact', timeout: 60 },
];

const PROMPT_SUBMIT: HookPlace = { event: 'UserPromptSubmit', name: 'prompt-submit', timeout: 5 };

/** The hooks that `init` installs. */
export function hooksToInstall(promptSubmit: boolean): readonly HookName[] {
  return placesOf(promptSubmit).map(({ name }) => name);
}

function placesOf(promptSubmit: boolean): readonly HookPlace[] {
  return promptSubmit ? [...PLACES, PROMPT_SUBMIT] : PLACES;
}

/**
 * Settings with our hooks behind everybody else's.
 * @param text without hooks of ours
 * @throws ConfigError when `hooks` in it is not what Claude Code takes
 */
export function withHooks(text: string, program: Program, promptSubmit: boolean): string {
  const groups = new Map<string, HookPlace[]>();
  for (const place of placesOf(promptSubmit)) {
    groups.set(place.event, [...(groups.get(place.event) ?? []), place]);
  }
  return [...groups].reduce((edited, [event, places]) => {
    const group = hookGroup(places, program);
    const present = groupsOf(edited, event);
    return present
      ? addElement(edited, ['hooks', event], group)
      : setValue(edited, ['hooks', event], [group]);
  }, text);
}

function hookGroup(places: readonly HookPlace[], program: Program): Record<string, unknown> {
  const matcher = places[0]?.matcher;
  return {
    ...(matcher !== undefined && { matcher }),
    hooks: places.map(({ name, timeout }) => ({
      type: 'command',
      command: hookCommand(program, name),
      timeout,
    })),
  };
}

/** Settings without hooks of ours, and without what was there only to hold them. */
export function withoutHooks(text: string): string {
  const events = eventsOf(text);
  const withoutOurs = Object.keys(events).reduce(withoutHooksOf, text);
  const isEmptied = Object.keys(events).length > 0 && Object.keys(eventsOf(withoutOurs)).length === 0;
  return isEmptied ? removeValue(withoutOurs, ['hooks']) : withoutOurs;
}

function withoutHooksOf(text: string, event: string): string {
  const groups = groupsOf(text, event) ?? [];
  // From the end on, since what is taken out moves what follows.
  const edited = groups.reduceRight<string>((current, group, index) => {
    const hooks = hooksIn(group);
    const ours = hooks.flatMap((hook, at) => (isOurs(hook) ? [at] : []));
    if (ours.length === 0) return current;
    const path = ['hooks', event, index];
    if (ours.length === hooks.length) return removeValue(current, path);
    return ours.reduceRight((rest, at) => removeValue(rest, [...path, 'hooks', at]), current);
  }, text);
  const isEmptied = groups.length > 0 && groupsOf(edited, event)?.length === 0;
  return isEmptied ? removeValue(edited, ['hooks', event]) : edited;
}

/** The command lines of our hooks in these settings, by hook. */
export function installedHooks(text: string): Map<string, string> {
  const commands = Object.keys(eventsOf(text))
    .flatMap((event) => groupsOf(text, event) ?? [])
    .flatMap(hooksIn)
    .filter(isOurs)
    .map(({ command }) => command);
  return new Map(commands.map((command) => [hookOfCommand(command)!, command]));
}

function eventsOf(text: string): Record<string, unknown> {
  const { hooks = {} } = objectIn(text);
  if (isObject(hooks)) return hooks;
  throw new ConfigError('"hooks" in the settings of Claude Code is no object. Nothing was changed.');
}

function groupsOf(text: string, event: string): unknown[] | undefined {
  const groups = eventsOf(text)[event];
  if (groups === undefined || Array.isArray(groups)) return groups;
  throw new ConfigError(`"hooks.${event}" in the settings of Claude Code is no list. Nothing was changed.`);
}

function hooksIn(group: unknown): unknown[] {
  return isObject(group) && Array.isArray(group['hooks']) ? group['hooks'] : [];
}

function isOurs(hook: unknown): hook is { command: string } {
  return isObject(hook) && hookOfCommand(hook['command']) !== undefined;
}
