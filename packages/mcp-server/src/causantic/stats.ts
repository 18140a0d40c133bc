import { z } from 'zod';
import { formatMonthRange } from '@causantic/retrieval';
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
  run(_input, { store, version }) {
    const totals = store.statistics();
    const byType = store.edges.countByType();
    const projects = store.projects.list();
    const lines = [
      `Causantic v${version}`,
      'Memory Statistics:',
      `- Chunks: ${totals.chunks}`,
      `- Edges: ${totals.edges}`,
      `- Clusters: ${totals.clusters}`,
      `- Entities: ${totals.entities}`,
    ];
    if (projects.length > 0) lines.push('Projects:');
    for (const each of projects) {
      lines.push(
        `- ${each.slug}: ${each.chunks} chunks (${formatMonthRange(each.startTimeMs, each.endTimeMs)})`,
      );
    }
    if (totals.agentChunks > 0) {
      lines.push(
        'Agent Teams:',
        `- Agent chunks: ${totals.agentChunks}`,
        `- Distinct agents: ${totals.agents}`,
        ...TEAM_EDGES.flatMap((type) => (byType[type] ? [`- ${type} edges: ${byType[type]}`] : [])),
      );
    }
    return { text: lines.join('\n'), diagnostics: { ...totals, edgesByType: byType } };
  },
});
