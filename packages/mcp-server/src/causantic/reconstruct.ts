import * as z from 'zod';
import { errorMessage, InvalidArgumentError, NotFoundError } from '@causantic/domain';
import { formatDate, formatTimeRange, reconstruct } from '@causantic/retrieval';
import type { ChunkFilter, SessionSummary, Store, StoredProject } from '@causantic/storage';
import {
  agentFilter,
  daysBack,
  name,
  optionalName,
  requireAgent,
  requireProject,
  requireSession,
  sessionsNamed,
} from '../arguments.js';
import { timeWindow } from '../time-window.js';
import { defineTool, ofMemory, READ_ONLY, type ToolAnswer, type ToolContext } from '../tool.js';
import { latestSession, noSessions } from './no-sessions.js';

const input = z.strictObject({
  project: name('Project slug. Use list-projects to discover available projects.'),
  session_id: optionalName('Specific session ID to reconstruct (or its first 8 characters).'),
  from: optionalName('Start date (ISO 8601).'),
  to: optionalName(
    'End date (ISO 8601). When used without from/days_back/session_id, acts as the anchor for timeline mode: ' +
      'returns the most recent chunks before this date.',
  ),
  days_back: daysBack,
  previous_session: z.boolean().optional().describe('Get the session before the current one.'),
  current_session_id: optionalName('Current session ID (required when previous_session is true).'),
  keep_newest: z
    .boolean()
    .default(true)
    .describe('Keep newest chunks when truncating to fit token budget. Default: true.'),
  agent: agentFilter,
});

type Input = z.infer<typeof input>;

export const reconstructTool = defineTool({
  name: 'reconstruct',
  title: 'Reconstruct sessions',
  description:
    'Use this for all recent/latest/last session queries. Rebuild session context for a project. Call with just ' +
    'project to get the most recent history up to the token budget (timeline mode). Optionally specify a time range ' +
    'with from/to, days_back, session_id, or previous_session.',
  input,
  annotations: READ_ONLY,
  run(given, context) {
    try {
      return answer(given, context);
    } catch (cause) {
      // The document wants this tool's own errors as plain text.
      const error = ofMemory(cause, context);
      return { text: `Error: ${errorMessage(error)}`, hits: [], error };
    }
  },
});

function answer(given: Input, { store, config, clock }: ToolContext): ToolAnswer {
  const startMs = performance.now();
  const project = requireProject(store, given.project);
  const session = sessionOf(given, project, store);
  const filter: ChunkFilter = {
    projectId: project.id,
    ...timeWindow(given, clock()),
    ...(session && { sessionId: session.id }),
    ...(given.agent !== undefined && { agentIds: requireAgent(store, given.agent, project.id) }),
  };
  const result = reconstruct(store, {
    filter,
    budgetTokens: config.tokens.mcpMaxResponse,
    keep: given.keep_newest ? 'newest' : 'oldest',
  });
  const { hits, sessions, truncated, tokens } = result;
  // What is too large for the answer is there, and the text says that it is left out.
  const isEmpty = hits.length === 0 && !truncated;
  const text = isEmpty ? nothingFound(store, project, session) : result.text;
  const timingsMs = { read: performance.now() - startMs };
  return { text, hits, diagnostics: { sessions, tokens, truncated, timingsMs } };
}

type NamedSession = Pick<SessionSummary, 'id' | 'shortId'>;

/** Mentions other sessions, so that the caller does not take the project for empty. */
function nothingFound(store: Store, project: StoredProject, session: NamedSession | undefined): string {
  if (session) return nothingOfSession(store, project, session);
  const latest = latestSession(store, project);
  const text = noSessions(store, project, latest);
  if (!latest) return text;
  const { shortId, endTimeMs } = latest;
  const ended = endTimeMs === null ? 'at an unknown time' : `on ${formatDate(endTimeMs)}`;
  return `${text} The latest session, ${shortId}, ended ${ended}.`;
}

function nothingOfSession(store: Store, { slug }: StoredProject, { id, shortId }: NamedSession): string {
  const begin = `Session ${shortId} of project "${slug}" has nothing`;
  if (!store.chunks.isReadable(id)) return `${begin} to show: no prompt, answer or tool call.`;
  const { startTimeMs, endTimeMs } = store.sessions.get(id)!;
  return `${begin} that matches; it ran ${formatTimeRange(startTimeMs, endTimeMs)}.`;
}

function sessionOf(given: Input, project: StoredProject, store: Store): NamedSession | undefined {
  const { session_id: id, current_session_id: currentId } = given;
  if (id !== undefined && given.previous_session)
    throw new InvalidArgumentError('session_id', id, 'no session_id together with previous_session');
  if (id !== undefined) return requireSession(store, { argument: 'session_id', id, projectId: project.id });
  if (!given.previous_session) return undefined;
  if (currentId !== undefined) return previousSession(store, project, currentId);
  throw new InvalidArgumentError(
    'current_session_id',
    undefined,
    'the current session id, because previous_session is true',
  );
}

/**
 * The latest session that began before the current one and has something to show. The current one itself is often not in
 * memory yet.
 */
function previousSession(store: Store, project: StoredProject, currentId: string): NamedSession {
  const inMemory = sessionsNamed(store, currentId, 1, project.id).length > 0;
  const reference = { argument: 'current_session_id', id: currentId, projectId: project.id };
  const knownId = inMemory ? requireSession(store, reference).id : undefined;
  const latestFirst = store.sessions
    .list({ projectId: project.id })
    .sort((a, b) => (b.startTimeMs ?? 0) - (a.startTimeMs ?? 0) || b.id - a.id);
  const earlier = latestFirst.slice(latestFirst.findIndex(({ id }) => id === knownId) + 1);
  const previous = earlier.find(({ id }) => store.chunks.isReadable(id));
  if (previous) return previous;
  throw new NotFoundError(`There is no session before "${currentId}" in project "${project.slug}".`);
}
