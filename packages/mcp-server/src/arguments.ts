import { dirname, isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import {
  asCompared,
  folderWithGit,
  InvalidArgumentError,
  NotFoundError,
  projectOf,
  realPath,
  type TranscriptSource,
} from '@causantic/domain';
import { CLIENT_NAMES } from '@causantic/retrieval';
import { asSlug, type SessionRef, type Store, type StoredProject } from '@causantic/storage';

/** Longer texts are not questions; the limit keeps validation cheap. */
const MAX_TEXT = 200_000;
/** Limit for names, paths, ids and dates. Answers and errors repeat them, which must not fill up an answer. */
const MAX_NAME = 4_096;

const nonEmptyText = (most: number) =>
  z
    .string()
    .max(most, `text of at most ${most} characters`)
    .refine((value) => value.trim().length > 0, 'text that is not empty');

/** Text that must not be empty. */
export const text = (description: string) => nonEmptyText(MAX_TEXT).describe(description);

export const optionalText = (description: string) => nonEmptyText(MAX_TEXT).optional().describe(description);

export const name = (description: string) => nonEmptyText(MAX_NAME).describe(description);

export const optionalName = (description: string) => nonEmptyText(MAX_NAME).optional().describe(description);

export const projectFilter = optionalName(
  'Filter to a specific project. Omit to search all. Use list-projects to see available projects.',
);

export const agentFilter = optionalName(
  'Filter to a specific agent (e.g., "researcher"). Omit to include all agents.',
);

export const daysBack = z
  .number()
  .positive('a number of days greater than 0')
  .max(36_500, 'at most 36500 days')
  .optional()
  .describe('Look back N days from now.');

function unknownName(
  argument: 'project' | 'agent',
  name: string,
  known: readonly string[],
  nothing: string,
): NotFoundError {
  const expected = known.length > 0 ? `one of: ${shortList(known)}` : nothing;
  return new NotFoundError(
    `Invalid argument "${argument}": unknown ${argument} "${name}"; expected ${expected}.`,
    { data: { argument, [`${argument}s`]: known } },
  );
}

/** @throws NotFoundError naming the argument and the existing projects */
export function requireProject(store: Store, name: string): StoredProject {
  const project = findProject(store, name);
  if (project) return project;
  const slugs = store.projects.list().map((each) => each.slug);
  throw unknownName('project', name, slugs, 'a project, but none is in memory yet');
}

/** Finds a project by its slug (in any spelling, if unambiguous), its folder or one in which a session of it began. */
export function findProject(store: Store, name: string): StoredProject | undefined {
  return store.projects.findBySlug(name) ?? findByFolder(store, name) ?? findAlike(store, name);
}

/** A path as people and shells write it: with a trailing separator, or through a symbolic link like `/tmp` on macOS. */
function findByFolder(store: Store, name: string): StoredProject | undefined {
  const path = name.replace(/(?<=.)[\\/]+$/, '');
  return (
    findByPath(store, path) ?? (isAbsolute(path) ? findByPath(store, realPath(resolve(path))) : undefined)
  );
}

/** Agents name the folder that they work in, which may be a worktree of a project or a part of it. */
export function findByPath({ projects, sessions }: Store, path: string): StoredProject | undefined {
  const worked = sessions.projectOfFolder(path);
  return projects.findByPath(path) ?? (worked === undefined ? undefined : projects.get(worked));
}

/**
 * The project that a folder is, or is within: in a repository, that of the nearest folder above which has one; in a
 * worktree in which no session has begun yet, that of its main repository.
 */
export function projectAround(store: Store, folder: string): StoredProject | undefined {
  const root = folderWithGit(folder) ?? folder;
  for (let at = folder; ; at = dirname(at)) {
    const project = findByFolder(store, at);
    if (project) return project;
    if (at === root) return store.projects.findByPath(projectOf(root).path);
  }
}

/** A folder called `My Project` has the slug `My-Project`, but people and agents name it as the folder. */
function findAlike(store: Store, name: string): StoredProject | undefined {
  const wanted = asCompared(asSlug(name));
  const alike = store.projects.slugsInUse().filter((slug) => asCompared(slug) === wanted);
  return alike.length === 1 ? store.projects.findBySlug(alike[0]!) : undefined;
}

/**
 * Ids of the agents of that name, which may be written as in headers: `researcher`, `codex`, `codex researcher`; and
 * `claude-code`.
 * @throws NotFoundError when none of them said anything
 */
export function requireAgent(store: Store, name: string, projectId: number | undefined): number[] {
  const ofClients = CLIENTS.flatMap((client) => agentsOf(client, { store, name, projectId }));
  const ids = [...store.sessions.agentIds(name, projectId), ...ofClients];
  if (ids.length > 0) return ids;
  const clients = CLIENTS.filter(([source]) => store.sessions.mainAgentIds(source, projectId).length > 0);
  // Where all sessions are Claude Code's, its name distinguishes nothing.
  const told = clients.some((client) => client !== CLAUDE_CODE) ? clients : [];
  const names = [...store.sessions.agentNames(projectId), ...told.map(([, client]) => client)];
  throw unknownName('agent', name, names, 'no agent name, because no agents are in memory here');
}

type Client = [source: TranscriptSource, name: string];

/** Headers do not name it, but other clients ask for what was done in it. */
const CLAUDE_CODE: Client = ['claude-code', 'claude-code'];
const CLIENTS = [...(Object.entries(CLIENT_NAMES) as Client[]), CLAUDE_CODE];

function agentsOf(
  [source, client]: Client,
  { store, name, projectId }: { store: Store; name: string; projectId: number | undefined },
): number[] {
  const label = name.toLowerCase();
  if (label === client) return store.sessions.mainAgentIds(source, projectId);
  if (!label.startsWith(`${client} `)) return [];
  return store.sessions.agentIds(name.slice(client.length + 1), projectId, source);
}

/** Sessions whose id begins so, at most `limit`. A UUID may be written in capitals, and copied with blanks around it. */
export function sessionsNamed(store: Store, id: string, limit: number, projectId?: number): SessionRef[] {
  const found = store.sessions.withPrefix(id.trim(), limit, projectId);
  return found.length > 0 ? found : store.sessions.withPrefix(id.trim().toLowerCase(), limit, projectId);
}

/** A session id or a unique prefix of 8 or more characters. */
export function requireSession(
  store: Store,
  given: { argument: string; id: string; projectId?: number },
): SessionRef {
  const { argument, projectId } = given;
  const id = given.id.trim();
  const matches = sessionsNamed(store, id, MOST_CANDIDATES, projectId);
  const exact = matches.find(({ uuid }) => uuid === id || uuid === id.toLowerCase());
  if (exact) return exact;
  const [only, ...others] = matches;
  if (!only) {
    const other = slugOfSession(store, id);
    const where = other === undefined ? 'see list-sessions' : `it is one of project "${other}"`;
    const message = `Invalid argument "${argument}": no session "${id}" in this project; ${where}.`;
    throw new NotFoundError(message, { data: { argument } });
  }
  const refused = (expected: string) => new InvalidArgumentError(argument, id, expected);
  if (id.length < MIN_PREFIX) throw refused(`a session id or at least its first ${MIN_PREFIX} characters`);
  if (others.length > 0)
    throw refused(`a prefix of only one session; candidates: ${shortList(matches.map(({ uuid }) => uuid))}`);
  return only;
}

/** The project of the sessions whose id begins so, if it is one: answers about all projects name sessions of any of them. */
export function slugOfSession(store: Store, id: string): string | undefined {
  const sessions = id.trim().length < MIN_PREFIX ? [] : sessionsNamed(store, id, MOST_CANDIDATES);
  const [project, ...others] = new Set(sessions.map(({ projectId }) => projectId));
  if (project === undefined || others.length > 0) return undefined;
  return store.projects.get(project)!.slug;
}

const MIN_PREFIX = 8;
/** More are not counted. */
const MOST_CANDIDATES = 100;

function shortList(values: readonly string[]): string {
  const shown = values.slice(0, 20).join(', ');
  return values.length > 20 ? `${shown}, … (${values.length - 20} more)` : shown;
}
