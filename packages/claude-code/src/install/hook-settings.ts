import { ConfigError, isObject } from '@causantic/domain';
import type { HookName } from '../hooks/hook-names.js';
import { addElement, removeValue, setValue } from './json-edits.js';
import { objectIn } from './json-text.js';
import { hookCommand, hookOfCommand, type Program } from './program.js';

/** Hooks that start together. */
interface HookGroup {
  event: string;
  /** When the event counts, for events that tell. */
  matcher?: string;
  /** Seconds after which the client gives each up. */
  timeouts: Partial<Record<HookName, number>>;
}

const GROUPS: readonly HookGroup[] = [
  {
    event: 'SessionStart',
    // A session that is resumed has its history before it, and needs no briefing.
    matcher: 'startup|clear|compact',
    timeouts: { 'session-start': 10, 'claudemd-generator': 10 },
  },
  // Without a time of its own, Claude Code gives hooks at the end of a session 1.5 s.
  { event: 'SessionEnd', timeouts: { 'session-end': 60 } },
  { event: 'PreCompact', timeouts: { 'pre-compact': 60 } },
];

const PROMPT_SUBMIT: HookGroup = { event: 'UserPromptSubmit', timeouts: { 'prompt-submit': 5 } };

/** The hooks that `init` installs without being asked for more. */
export const USUAL_HOOKS = GROUPS.flatMap(({ timeouts }) => Object.keys(timeouts));

/**
 * Settings with our hooks behind everybody else's.
 * @param text without hooks of ours
 * @throws ConfigError when `hooks` in it is not what Claude Code takes
 */
export function withHooks(text: string, program: Program, promptSubmit: boolean): string {
  return (promptSubmit ? [...GROUPS, PROMPT_SUBMIT] : GROUPS).reduce(
    (edited, { event, matcher, timeouts }) => {
      const hooks = Object.entries(timeouts).map(([name, timeout]) => {
        return { type: 'command', command: hookCommand(program, name), timeout };
      });
      const group = { ...(matcher !== undefined && { matcher }), hooks };
      return groupsOf(edited, event)
        ? addElement(edited, ['hooks', event], group)
        : setValue(edited, ['hooks', event], [group]);
    },
    text,
  );
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
  throw new ConfigError(`"hooks" in Claude Code's settings is not an object. Nothing was changed.`);
}

function groupsOf(text: string, event: string): unknown[] | undefined {
  const groups = eventsOf(text)[event];
  if (groups === undefined || Array.isArray(groups)) return groups;
  throw new ConfigError(`"hooks.${event}" in Claude Code's settings is not a list. Nothing was changed.`);
}

function hooksIn(group: unknown): unknown[] {
  return isObject(group) && Array.isArray(group['hooks']) ? group['hooks'] : [];
}

function isOurs(hook: unknown): hook is { command: string } {
  return isObject(hook) && hookOfCommand(hook['command']) !== undefined;
}
