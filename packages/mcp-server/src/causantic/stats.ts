import { z } from 'zod';
import { formatMonthRange } from '@causantic/retrieval';
import type { ProjectSummary, Statistics } from '@causantic/storage';
import { fittingLines } from '../fitting-lines.js';
import { defineTool, READ_ONLY } from '../tool.js';

const TEAM_EDGES = ['team-spawn', 'team-report', 'peer-message'];

export const statsTool = defineTool({
  name: 'stats',
  title: 'Memory statistics',
  description:
    'Show memory statistics including version, chunk/edge/cluster counts, and per-project breakdowns. ' +
    'Use to check system health and memory usage.',
  input: z.strictObject({}),
  annotations: READ_ONLY,
  run(_input, { store, version, config }) {
    const totals = store.statistics();
    const byType = store.edges.countByType();
    const head = [
      `Causantic v${version}`,
      'Memory Statistics:',
      `- Chunks: ${totals.chunks}`,
      `- Edges: ${totals.edges}`,
      `- Clusters: ${totals.clusters}`,
      `- Entities: ${totals.entities}`,
    ];
    const teams = totals.agentChunks === 0 ? [] : teamLines(totals, byType);
    const projects = fittingLines({
      fixed: [...head, 'Projects:', ...teams],
      lines: store.projects.list().map(projectLine),
      budgetTokens: config.tokens.mcpMaxResponse,
      more: (leftOut) => `...and ${leftOut} more, used longer ago`,
    });
    const lines = [...head, ...(projects.length > 0 ? ['Projects:', ...projects] : []), ...teams];
    return { text: lines.join('\n'), diagnostics: { ...totals, edgesByType: byType } };
  },
});

function projectLine({ slug, chunks, startTimeMs, endTimeMs }: ProjectSummary): string {
  return `- ${slug}: ${chunks} chunks (${formatMonthRange(startTimeMs, endTimeMs)})`;
}

function teamLines(totals: Statistics, byType: Record<string, number>): string[] {
  return [
    'Agent Teams:',
    `- Agent chunks: ${totals.agentChunks}`,
    `- Distinct agents: ${totals.agents}`,
    ...TEAM_EDGES.flatMap((type) => (byType[type] ? [`- ${type} edges: ${byType[type]}`] : [])),
  ];
}
