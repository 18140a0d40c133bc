import { linkedStreams, type ChunkFacts } from './chunk-facts.js';

/** A chunk's place in the order of all chunks of a project. */
export interface TimelinePoint {
  id: number;
  projectId: string | number;
  sessionId: string;
  agentId: string | null;
  position: number;
  /** Never decreases with `position` within a stream, whatever the clock that wrote the transcript did. */
  orderTimeMs: number;
  files: readonly string[];
}

/**
 * Linked chunks with their order time: the latest start time seen so far in their stream, since timestamps are
 * missing or run backwards in real transcripts; 0 before the first known one. Appending to a stream leaves earlier
 * order times as they are. A caller that stores order times of its own may use these instead, if they never
 * decrease within a stream.
 * @param chunks whole streams; a part would lack the times before it
 */
export function timelinePoints(chunks: Iterable<ChunkFacts>): TimelinePoint[] {
  return [...linkedStreams(chunks).values()].flatMap((stream) => {
    let orderTimeMs = 0;
    return stream.map((chunk) => {
      orderTimeMs = Math.max(orderTimeMs, chunk.startTimeMs ?? 0);
      return toPoint(chunk, orderTimeMs);
    });
  });
}

/**
 * Total order of chunks: order time, then session id, then agent id (main agent first), then position. In SQL:
 * `ORDER BY order_time_ms, session_uuid, agent_id, position` with '' for the main agent. Row ids have no part in
 * it, since they depend on the order of ingestion.
 */
export function compareTimelinePoints(a: TimelinePoint, b: TimelinePoint): number {
  return (
    a.orderTimeMs - b.orderTimeMs ||
    compareText(a.sessionId, b.sessionId) ||
    compareText(a.agentId ?? '', b.agentId ?? '') ||
    a.position - b.position
  );
}

function toPoint(chunk: ChunkFacts, orderTimeMs: number): TimelinePoint {
  const { id, projectId, sessionId, agentId, position, files } = chunk;
  return { id, projectId, sessionId, agentId, position, orderTimeMs, files };
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
