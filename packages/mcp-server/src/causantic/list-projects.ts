import * as z from 'zod';
import { formatMonthRange, isoTime } from '@causantic/retrieval';
import type { ProjectSummary } from '@causantic/storage';
import { fittingLines } from '../fitting-lines.js';
import { defineTool, READ_ONLY } from '../tool.js';

export const listProjectsTool = defineTool({
  name: 'list-projects',
  title: 'List projects',
  description:
    'List all projects in memory with chunk counts and date ranges. ' +
    'Use to discover available project names for filtering other tools.',
  input: z.strictObject({}),
  annotations: READ_ONLY,
  run(_input, { store, config, mostTokens }) {
    const projects = store.projects.list();
    const diagnostics = { projects: projects.map(describeProject) };
    if (projects.length === 0) return { text: 'No projects found in memory.', diagnostics };
    const lines = projects.map(
      (each) =>
        `- ${each.slug} (${each.chunks} chunks, ${formatMonthRange(each.startTimeMs, each.endTimeMs)})`,
    );
    const title = 'Projects in memory:';
    const budgetTokens = config.tokens.mcpMaxResponse;
    const more = (leftOut: number): string => {
      // The projects that were used last stand first.
      const how =
        budgetTokens === mostTokens
          ? 'the client does not show longer answers'
          : 'raise tokens.mcpMaxResponse to list them';
      return `...and ${leftOut} more, used longer ago (${how})`;
    };
    const text = [title, ...fittingLines({ fixed: [title], lines, budgetTokens, more })].join('\n');
    return { text, diagnostics };
  },
});

function describeProject({ slug, path, chunks, startTimeMs, endTimeMs }: ProjectSummary) {
  return { project: slug, path, chunks, startTime: isoTime(startTimeMs), endTime: isoTime(endTimeMs) };
}
