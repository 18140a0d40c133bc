// What the tools that search, walk or tell have in common: their scope, their range and the form of their answers.
import * as z from 'zod';
import { topicBranchOf } from '@causantic/domain';
import type {
  Assembly,
  EpisodeResult,
  Explanation,
  RetrievalContext,
  SearchResult,
} from '@causantic/retrieval';
import { optionalName, projectAround, requireAgent, requireProject } from './arguments.js';
import type { CallOptions, ToolAnswer, ToolContext } from './tool.js';

export const seedAgentFilter = optionalName(
  'Filter to a specific agent (e.g., "researcher"). Applies to seed selection; chain walking crosses agent boundaries.',
);

export const rangeHint = z.enum(['short', 'long']).optional();

interface ScopeArguments {
  project?: string | undefined;
  agent?: string | undefined;
}

/** @throws NotFoundError for an unknown project or agent */
export function scopeOf({ store }: ToolContext, { project, agent }: ScopeArguments) {
  const projectId = project === undefined ? undefined : requireProject(store, project).id;
  const agentIds = agent === undefined ? undefined : requireAgent(store, agent, projectId);
  return { ...(projectId !== undefined && { projectId }), ...(agentIds && { agentIds }) };
}

export function retrievalContext(
  { store, semantic, semanticPatienceMs, callersFolder }: ToolContext,
  { signal }: CallOptions,
): RetrievalContext {
  const context = { store, semantic, semanticPatienceMs, signal, now: () => performance.now() };
  if (callersFolder === undefined) return context;
  const own = projectAround(store, callersFolder);
  return { ...context, ownProjectId: own?.id, ownBranch: () => topicBranchOf(callersFolder) };
}

export const NOTHING_FOUND = 'No relevant memory found.';

export function foundHeader({ hits, tokens }: Assembly): string {
  return `Found ${hits.length} relevant memory chunks (${tokens} tokens):`;
}

export function foundAnswer(found: SearchResult | Explanation): ToolAnswer {
  const { text, hits, diagnostics } = found;
  return { text: hits.length === 0 ? NOTHING_FOUND : `${foundHeader(found)}\n\n${text}`, hits, diagnostics };
}

/** `header` above the chunks, or `nothing`; below either, the note on a walk that fell back to search. */
export function episodeAnswer(
  { text, hits, note, diagnostics }: EpisodeResult,
  { header, nothing }: { header: string; nothing: string },
): ToolAnswer {
  const body = hits.length === 0 ? [nothing] : [header, text];
  return { text: [...body, ...(note === '' ? [] : [note])].join('\n\n'), hits, diagnostics };
}
