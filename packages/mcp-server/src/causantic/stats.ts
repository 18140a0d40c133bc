import { z } from 'zod';
import { formatMonthRange } from '@causantic/retrieval';
import { defineTool, READ_ONLY } from '../tool.js';

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
      );
    }
    return { text: lines.join('\n'), diagnostics: totals };
  },
});
