import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { causanticHome, ConfigError, counted, errorMessage, makeHome } from '@causantic/domain';
import { filesWithBlock } from '../claude-md/kept-files.js';
import { withoutBlock } from '../claude-md/marked-block.js';
import {
  applyChange,
  assertPossible,
  type FileChange,
  readIfThere,
  removeEmptyFolders,
} from './file-change.js';
import { installedHooks, withHooks, withoutHooks } from './hook-settings.js';
import { inSettings, naming, objectIn, readJsonText } from './json-text.js';
import { withoutServer, withServer } from './mcp-settings.js';
import { placesOf, type Scope } from './places.js';
import { type Program, sharedProgram, withHome } from './program.js';
import { InstallRecord } from './record.js';
import { type Skill, skillsFor } from './skills.js';

export interface InstallOptions {
  scope: Scope;
  /** The project's folder, for the scope `project`. */
  projectDir: string;
  env: NodeJS.ProcessEnv;
  program: Program;
  /** Install the hook for prompts as well, and keep it where it is installed when undefined. */
  promptSubmit?: boolean;
}

/** What was or would be done, one line each. */
export interface InstallStep {
  file: string;
  what: string;
  /** Copy of what the file was. */
  backup?: string;
}

/**
 * Registers server, hooks and skills with Claude Code, or shows what would be done. Nothing is written unless all files can
 * be read and written; what is already installed stays unchanged.
 * @throws ConfigError if a settings file cannot be read
 */
export function install(options: InstallOptions, { dryRun }: { dryRun: boolean }): InstallStep[] {
  const home = causanticHome(options.env);
  const record = new InstallRecord(home);
  const changes = [...settingsChanges(options, record), ...skillChanges(options, record)];
  if (dryRun) return changes.map(({ file, what }) => ({ file, what }));
  assertPossible(changes);
  makeHome(home);
  return stepByStep(changes, 'init', (change) => applyAndRemember(change, record));
}

/** A disk may become full. What was written is in order as it is. */
function stepByStep<T extends FileChange>(
  changes: readonly T[],
  command: 'init' | 'uninstall',
  apply: (change: T) => InstallStep,
): InstallStep[] {
  return changes.map((change, done) => {
    try {
      return apply(change);
    } catch (cause) {
      const rest = done > 0 ? ` (done before it: ${counted(done, 'step')})` : '';
      throw new ConfigError(
        `Cannot ${change.what}: ${change.file}: ${errorMessage(cause)}${rest}. Fix this and run causantic ${command} again.`,
        { cause },
      );
    }
  });
}

/** A settings file that we edit, and how. */
interface Editing {
  file: string;
  what: string;
  add: (text: string, current: string) => string;
  remove: (text: string) => string;
}

function editingsOf({ scope, program: own, projectDir, promptSubmit, env }: InstallOptions): Editing[] {
  const places = placesOf(scope, projectDir, env);
  const program = scope === 'project' ? sharedProgram(own, projectDir) : withHome(own, env);
  return [
    {
      file: places.mcp,
      what: 'the MCP server',
      add: (text) => withServer(text, program),
      remove: withoutServer,
    },
    {
      file: places.settings,
      what: 'the hooks',
      add: (text, current) =>
        withHooks(text, program, promptSubmit ?? installedHooks(current).has('prompt-submit')),
      remove: withoutHooks,
    },
  ];
}

interface Addition extends FileChange {
  after: string;
  mode: number;
  /** What the file was without anything of ours. */
  original: string | null;
}

function settingsChanges(options: InstallOptions, record: InstallRecord): Addition[] {
  return editingsOf(options).flatMap((editing) => {
    const { file, what, add } = editing;
    const current = readJsonText(file);
    const change = naming(file, (): Addition => {
      const original = withoutOurs(editing, current, record);
      const after = add(original ?? '', current ?? '');
      return { file, what: `register ${what}`, before: current, after, mode: modeIn(options), original };
    });
    return saysTheSame(change.after, current) ? [] : [change];
  });
}

/** Whoever works on a project may be another user, as outside of a container. */
function modeIn({ scope }: InstallOptions): number {
  return scope === 'project' ? 0o644 : 0o600;
}

/** What the file was before us where that is known, else what it is but for ours. */
function withoutOurs(
  { file, remove }: Editing,
  current: string | null,
  record: InstallRecord,
): string | null {
  const known = record.original(file, current);
  return known === undefined ? current && remove(current) : known;
}

/** Claude Code writes its file anew at each start, and what it adds comes behind what is ours. */
function saysTheSame(after: string, current: string | null): boolean {
  return current !== null && isDeepStrictEqual(objectIn(after), objectIn(current));
}

function skillsOf({ scope, projectDir, env }: InstallOptions): Skill[] {
  return skillsFor(placesOf(scope, projectDir, env).skills);
}

function skillChanges(options: InstallOptions, record: InstallRecord): Addition[] {
  return skillsOf(options).flatMap((skill) => {
    const { file, text } = skill;
    const before = readIfThere(file);
    if (before === text || isEdited(skill, before, record)) return [];
    const what = before === null ? 'install the skill' : 'update the skill';
    return [{ file, what, before, after: text, mode: modeIn(options), original: null }];
  });
}

/** Files of skills that the user has edited, and that therefore stay unchanged. */
export function editedSkills(options: InstallOptions): string[] {
  const record = new InstallRecord(causanticHome(options.env));
  return skillsOf(options)
    .filter((skill) => isEdited(skill, readIfThere(skill.file), record))
    .map(({ file }) => file);
}

/** Whether the file differs from this version's skill, and not because an earlier version installed it. */
function isEdited({ file, text }: Skill, present: string | null, record: InstallRecord): boolean {
  return present !== null && present !== text && record.original(file, present) === undefined;
}

function applyAndRemember(change: Addition, record: InstallRecord): InstallStep {
  const { file, what, after, original } = change;
  const backup = record.remember(file, original, after);
  record.rememberFolders(applyChange(change));
  return { file, what, ...(backup !== null && { backup }) };
}

/**
 * Removes from Claude Code what `install` added, or shows what would be done. Files that nobody else changed are restored
 * byte for byte; from others, only our entries are removed. The memory stays.
 * @throws ConfigError if a settings file cannot be read
 */
export function uninstall(options: InstallOptions, { dryRun }: { dryRun: boolean }): InstallStep[] {
  const home = causanticHome(options.env);
  const record = new InstallRecord(home);
  const skills = skillRemovals(options, record);
  const changes = [...removals(options, record), ...skills, ...blockRemovals(home)];
  if (dryRun) return changes.map(({ file, what }) => ({ file, what }));
  assertPossible(changes.length > 0 ? [...changes, record] : []);
  const steps = stepByStep(changes, 'uninstall', (change) => takeOut(change, record));
  removeEmptyFolders([...skills.map(({ file }) => dirname(file)), ...record.folders()]);
  record.close();
  return steps;
}

/** Settings files of other projects and configuration folders in which what `install` added still stands. */
export function registeredElsewhere(env: NodeJS.ProcessEnv, removed: readonly InstallStep[]): string[] {
  const isRemoved = new Set(removed.map(({ file }) => file));
  const files = new InstallRecord(causanticHome(env)).changedFiles();
  return files.filter((file) => file.endsWith('.json') && !isRemoved.has(file) && holdsOurs(file));
}

function holdsOurs(file: string): boolean {
  try {
    return inSettings(file, (text) => installedHooks(text).size > 0 || withoutServer(text) !== text);
  } catch {
    // Nobody can tell, and whoever is told of the file can look.
    return true;
  }
}

function takeOut(change: FileChange, record: InstallRecord): InstallStep {
  const { file, what, before } = change;
  const backup = what === REMOVE_EDITED ? record.keepCopy(file, before!) : undefined;
  applyChange(change);
  record.forget(file);
  return { file, what, ...(backup !== undefined && { backup }) };
}

function removals(options: InstallOptions, record: InstallRecord): FileChange[] {
  return editingsOf(options).flatMap((editing) => {
    const { file, what } = editing;
    const before = readJsonText(file);
    const after = naming(file, () => withoutOurs(editing, before, record));
    return after === before ? [] : [{ file, what: `remove ${what}`, before, after }];
  });
}

/** A file that holds nothing else was made for the block, and goes. */
function blockRemovals(home: string): FileChange[] {
  return filesWithBlock(home).map((file) => {
    const before = readFileSync(file, 'utf8');
    return { file, what: 'remove the block', before, after: withoutBlock(before) || null };
  });
}

const REMOVE_EDITED = 'remove the edited skill';

function skillRemovals(options: InstallOptions, record: InstallRecord): FileChange[] {
  return skillsOf(options).flatMap((skill) => {
    const { file } = skill;
    const before = readIfThere(file);
    if (before === null) return [];
    const what = isEdited(skill, before, record) ? REMOVE_EDITED : 'remove the skill';
    return [{ file, what, before, after: null }];
  });
}
