import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { formatMonthRange } from '@causantic/retrieval';
import type { ProjectSummary, Statistics } from '@causantic/storage';
import { fittingLines } from '../fitting-lines.js';
import type { VectorState } from '../semantic-service.js';
import { defineTool, READ_ONLY } from '../tool.js';

/** Largest topics in the diagnostics; the text is the document's. */
const SHOWN_TOPICS = 20;

const TEAM_EDGES = ['team-spawn', 'team-report', 'peer-message'];

export const statsTool = defineTool({
  name: 'stats',
  title: 'Memory statistics',
  description:
    'Show memory statistics including version, chunk/edge/cluster counts, and per-project breakdowns. ' +
    'Use to check system health and memory usage.',
  input: z.strictObject({}),
  annotations: READ_ONLY,
  async run(_input, { store, version, config, vectors }) {
    const totals = store.statistics();
    // Where there is nothing, no worker is started to say so.
    const vectorState = totals.chunks === 0 ? undefined : await vectors();
    const byType = await store.edges.countByType();
    const head = [
      `Causantic v${version}`,
      'Memory Statistics:',
      `- Chunks: ${totals.chunks}`,
      `- Edges: ${totals.edges}`,
      `- Clusters: ${totals.clusters}`,
      `- Entities: ${totals.entities}`,
    ];
    const below = [
      ...(totals.agentChunks === 0 ? [] : teamLines(totals, byType)),
      ...(vectorState ? vectorLines(vectorState, totals.chunks - totals.searchedChunks) : []),
    ];
    await setImmediate(); // Each of these counts takes long in a large memory.
    const projects = fittingLines({
      fixed: [...head, 'Projects:', ...below],
      lines: store.projects.list().map(projectLine),
      budgetTokens: config.tokens.mcpMaxResponse,
      more: (leftOut) => `...and ${leftOut} more, used longer ago`,
    });
    const lines = [...head, ...(projects.length > 0 ? ['Projects:', ...projects] : []), ...below];
    await setImmediate();
    const topics = store.clusters.largest(SHOWN_TOPICS);
    return {
      text: lines.join('\n'),
      diagnostics: { ...totals, edgesByType: byType, vectors: vectorState, topics },
    };
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

const BACKENDS = { faiss: 'FAISS', 'exact-scan': 'exact scan', none: 'none' } as const;

/** @param notSearched chunks that get no vector */
function vectorLines(
  { model, nextModel, vectors, pending, backend, inEightBits, problems }: VectorState,
  notSearched: number,
): string[] {
  const forNext = nextModel === undefined ? '' : ` for ${nextModel}`;
  return [
    'Vectors:',
    `- Model: ${model}${nextModel === undefined ? '' : `, until ${nextModel} is ready`}`,
    `- Embedded chunks: ${vectors}, ${pending} pending${forNext}`,
    `- Index: ${BACKENDS[backend]}${inEightBits === 0 ? '' : `; ${inEightBits} vectors in 8 bits, scanned`}`,
    ...(notSearched === 0
      ? []
      : [`- Chunks without vectors: ${notSearched} (thoughts, errors and client notes, which search skips)`]),
    ...problems.map((problem) => `- Problem: ${problem}`),
  ];
}
