import { linkedStreams, streamKey, type ChunkFacts } from './chunk-facts.js';
import { createEdge, uniqueEdges, type Edge } from './edge.js';

/** One start of a sub-agent or team member. A chunk that is not known (yet) is null, and its edge is left out. */
export interface AgentRun {
  sessionId: string;
  agentId: string;
  /** Member of an agent team: `team-spawn` and `team-report` instead of `brief` and `debrief`. */
  team: boolean;
  /** The chunk that holds the call which started it. */
  spawnChunkId: number | null;
  /** The chunk with which its report ends; it may go on later, when it is asked more. */
  lastChunkId: number | null;
  /** The chunk that holds its result. */
  resultChunkId: number | null;
}

/** A message between members of an agent team. */
export interface TeamMessage {
  senderChunkId: number;
  receiverChunkId: number;
  /** To the team's lead: a `team-report`; else a `peer-message`. */
  toLead: boolean;
}

export interface AgentEdgeOptions {
  /** At least the first linked chunk of every agent in `runs`. */
  chunks: readonly ChunkFacts[];
  runs: readonly AgentRun[];
  messages?: readonly TeamMessage[];
}

/**
 * Edges between thought streams: starting chunk → first chunk of the agent, last chunk of its report → chunk that got
 * the result, sender → receiver. Pass all runs of the session and diff: a report that grows moves its edge along.
 */
export function agentEdges({ chunks, runs, messages = [] }: AgentEdgeOptions): Edge[] {
  const streams = linkedStreams(chunks);
  return uniqueEdges([
    ...runs.flatMap((run) => runEdges(run, streams.get(streamKey(run)) ?? [])),
    ...messages.map(messageEdge),
  ]);
}

function runEdges(run: AgentRun, [first]: readonly ChunkFacts[]): Edge[] {
  const { team, spawnChunkId, lastChunkId, resultChunkId } = run;
  const edges: Edge[] = [];
  if (first && spawnChunkId !== null) {
    edges.push(createEdge(team ? 'team-spawn' : 'brief', spawnChunkId, first.id));
  }
  if (lastChunkId !== null && resultChunkId !== null) {
    edges.push(createEdge(team ? 'team-report' : 'debrief', lastChunkId, resultChunkId));
  }
  return edges;
}

function messageEdge({ senderChunkId, receiverChunkId, toLead }: TeamMessage): Edge {
  return createEdge(toLead ? 'team-report' : 'peer-message', senderChunkId, receiverChunkId);
}
