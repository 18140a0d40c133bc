import * as z from 'zod';
import { formatMonthRange } from '@causantic/retrieval';
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
  run(_input, { store, config }) {
    const projects = store.projects.list();
    if (projects.length === 0) return { text: 'No projects found in memory.' };
    const lines = projects.map(
      (each) =>
        `- ${each.slug} (${each.chunks} chunks, ${formatMonthRange(each.startTimeMs, each.endTimeMs)})`,
    );
    const title = 'Projects in memory:';
    const budgetTokens = config.tokens.mcpMaxResponse;
    return { text: [title, ...fittingLines({ fixed: [title], lines, budgetTokens, more })].join('\n') };
  },
});

/** The projects that were used last stand first. */
function more(leftOut: number): string {
  return `...and ${leftOut} more, used longer ago (raise tokens.mcpMaxResponse to list them)`;
}
