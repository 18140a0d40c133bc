import * as z from 'zod';
import { isoTime, timeRangeFormat } from '@causantic/retrieval';
import type { SessionSummary } from '@causantic/storage';
import { daysBack, findProject, name, optionalName } from '../arguments.js';
import { fittingLines } from '../fitting-lines.js';
import { timeWindow } from '../time-window.js';
import { defineTool, READ_ONLY } from '../tool.js';
import { noSessions } from './no-sessions.js';

export const listSessionsTool = defineTool({
  name: 'list-sessions',
  title: 'List sessions',
  description:
    'List sessions for a project with chunk counts, time ranges, and token totals. ' +
    'Use to browse available sessions before reconstructing context.',
  input: z.strictObject({
    project: name('Project slug. Use list-projects to discover available projects.'),
    from: optionalName('Start date filter (ISO 8601).'),
    to: optionalName('End date filter (ISO 8601).'),
    days_back: daysBack.describe('Look back N days from now. Alternative to from/to.'),
    limit: z
      .int()
      .min(1, 'a whole number of at least 1')
      .max(10_000, 'at most 10000')
      .default(30)
      .describe('Maximum sessions to display (default: 30). Most recent shown when truncated.'),
  }),
  annotations: READ_ONLY,
  run(input, { store, clock, config }) {
    const window = timeWindow(input, clock());
    const project = findProject(store, input.project);
    const all = project ? store.sessions.list({ projectId: project.id, ...window }) : [];
    // One in which only the client's own commands were typed, as `/clear`, has nothing to show.
    const sessions = all.filter(({ id }) => store.chunks.isReadable(id));
    const shown = sessions.slice(0, input.limit);
    const diagnostics = { total: sessions.length, sessions: shown.map(describeSession) };
    if (!project) return { text: `No sessions found for project "${input.project}".`, diagnostics };
    if (sessions.length === 0) return { text: noSessions(store, project), diagnostics };
    const format = timeRangeFormat(shown.flatMap(({ startTimeMs, endTimeMs }) => [startTimeMs, endTimeMs]));
    const title = `Sessions for "${project.slug}" (${sessions.length} total):`;
    const lines = fittingLines({
      fixed: [title],
      lines: shown.map((session) => sessionLine(session, format(session.startTimeMs, session.endTimeMs))),
      total: sessions.length,
      budgetTokens: config.tokens.mcpMaxResponse,
      more: (leftOut) => `...and ${leftOut} more`,
    });
    return { text: [title, ...lines].join('\n'), diagnostics };
  },
});

function describeSession({ uuid, source, chunks, tokens, startTimeMs, endTimeMs }: SessionSummary) {
  const times = { startTime: isoTime(startTimeMs), endTime: isoTime(endTimeMs) };
  return { sessionId: uuid, source, chunks, tokens, ...times };
}

function sessionLine(session: SessionSummary, range: string): string {
  const client = session.source === 'claude-code' ? '' : `, ${session.source}`;
  return `- ${session.shortId} (${range}, ${session.chunks} chunks, ${session.tokens} tokens${client})`;
}
