import { z } from 'zod';
import { errorMessage, InvalidArgumentError, NotFoundError } from '@causantic/domain';
import { formatDate, reconstruct } from '@causantic/retrieval';
import type { ChunkFilter } from '@causantic/storage';
import {
  agentFilter,
  daysBack,
  optionalText,
  requireAgent,
  requireProject,
  requireSession,
  timeWindow,
  text,
  type ProjectRef,
} from '../arguments.js';
import { defineTool, READ_ONLY, type ToolAnswer, type ToolContext } from '../tool.js';

const input = z.strictObject({
  project: text('Project slug. Use list-projects to discover available projects.'),
  session_id: optionalText('Specific session ID to reconstruct (or its first 8 characters).'),
  from: optionalText('Start date (ISO 8601).'),
  to: optionalText(
    'End date (ISO 8601). When used without from/days_back/session_id, acts as the anchor for timeline mode: ' +
      'returns the most recent chunks before this date.',
  ),
  days_back: daysBack,
  previous_session: z.boolean().optional().describe('Get the session before the current one.'),
  current_session_id: optionalText('Current session ID (required when previous_session is true).'),
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
    } catch (error) {
      // The document wants this tool's own errors as plain text.
      return { text: `Error: ${errorMessage(error)}`, hits: [] };
    }
  },
});

function answer(given: Input, { store, config, clock }: ToolContext): ToolAnswer {
  const project = requireProject(store, given.project);
  const filter: ChunkFilter = {
    projectId: project.id,
    ...timeWindow(given, clock()),
    ...sessionFilter(given, project, store),
    ...(given.agent !== undefined && { agentIds: requireAgent(store, given.agent, project.id) }),
  };
  const result = reconstruct(store, {
    filter,
    budgetTokens: config.tokens.mcpMaxResponse,
    keep: given.keep_newest ? 'newest' : 'oldest',
  });
  const { hits, sessions, truncated, tokens } = result;
  if (hits.length === 0) return { text: nothingFound(store, project), hits };
  return { text: result.text, hits, diagnostics: { sessions, tokens, truncated } };
}

/** Where there is something else, the caller should not take the project for empty. */
function nothingFound(store: ToolContext['store'], project: ProjectRef): string {
  const text = `No sessions found for project "${project.slug}".`;
  const [latest] = store.sessions.list({ projectId: project.id });
  if (!latest) return text;
  return `${text} Its latest is ${latest.uuid.slice(0, 8)}, which ended ${formatDate(latest.endTimeMs)}.`;
}

function sessionFilter(
  given: Input,
  project: ProjectRef,
  store: ToolContext['store'],
): { sessionId?: number } {
  if (given.session_id !== undefined) {
    return {
      sessionId: requireSession(store, {
        argument: 'session_id',
        id: given.session_id,
        projectId: project.id,
      }).id,
    };
  }
  if (!given.previous_session) return {};
  if (given.current_session_id === undefined) {
    throw new InvalidArgumentError(
      'current_session_id',
      undefined,
      'the current session id when previous_session is true',
    );
  }
  return { sessionId: previousSession(store, project, given.current_session_id) };
}

/** The session that began last before the current one; the current one itself is often not in memory yet. */
function previousSession(store: ToolContext['store'], project: ProjectRef, currentId: string): number {
  const sessions = store.sessions.list({ projectId: project.id });
  const inMemory = store.sessions.withPrefix(currentId, 1, project.id).length > 0;
  const reference = { argument: 'current_session_id', id: currentId, projectId: project.id };
  const knownId = inMemory ? requireSession(store, reference).id : undefined;
  const current = sessions.find((session) => session.id === knownId);
  const startMs = current?.startTimeMs ?? Infinity;
  const earlier = sessions.filter(
    (session) => session !== current && (session.startTimeMs ?? -Infinity) < startMs,
  );
  earlier.sort((a, b) => (b.startTimeMs ?? 0) - (a.startTimeMs ?? 0));
  const previous = earlier[0];
  if (!previous)
    throw new NotFoundError(`There is no session before "${currentId}" in project "${project.slug}".`);
  return previous.id;
}
