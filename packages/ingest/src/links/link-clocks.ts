import { type AgentRun, chunkClocks, encodeClock } from '@causantic/graph';
import type { LinkableChunk } from '@causantic/storage';

/**
 * The vector clocks of a session's chunks that differ from the stored ones, encoded. A prompt counts for the person, an
 * answer or a tool call for the agent; a continued message counts in the chunk where it begins.
 */
export function changedClocks(
  chunks: readonly LinkableChunk[],
  runs: readonly AgentRun[],
): Map<number, string> {
  const stored = new Map(chunks.map(({ id, clock }) => [id, clock]));
  const changed = new Map<number, string>();
  for (const [id, clock] of chunkClocks(chunks.map(counted), runs)) {
    const text = encodeClock(clock);
    if (stored.get(id) !== text) changed.set(id, text);
  }
  return changed;
}

function counted({ id, agentKey, continues, spans }: LinkableChunk) {
  const begun = spans.slice(continues ? 1 : 0);
  return {
    id,
    agentId: agentKey,
    // What a sub-agent is told comes from its parent.
    prompts: agentKey === null ? begun.filter(({ speaker }) => speaker === 'user').length : 0,
    cycles: begun.filter(({ speaker }) => speaker === 'assistant' || speaker === 'tool_use').length,
  };
}
