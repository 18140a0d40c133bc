import { createEdge, uniqueEdges, type Edge } from './edge.js';
import { groupBy } from './group-by.js';
import { compareTimelinePoints, type TimelinePoint } from './timeline.js';

/** One session goes on from another: continued after a compaction, resumed in a second file, or forked. */
export interface SessionLink {
  earlierSessionId: string;
  laterSessionId: string;
  /** Where a fork left its origin; without it the last chunk before the later session counts. */
  forkedAfterChunkId?: number;
}

/**
 * `cross-session` edges: the last main-agent chunk of the earlier session that stands before the later session's
 * first → that first chunk. A session that went on after it was forked or resumed keeps its edge where it was.
 * @param points at least the main agent's chunks of all sessions in `links`
 */
export function crossSessionEdges(points: readonly TimelinePoint[], links: readonly SessionLink[]): Edge[] {
  const sessions = mainStreams(points);
  return uniqueEdges(
    links.flatMap((link) => {
      const first = sessions.get(link.laterSessionId)?.[0];
      const from = first && origin(link, first, sessions.get(link.earlierSessionId) ?? []);
      return first && from !== undefined ? [createEdge('cross-session', from, first.id)] : [];
    }),
  );
}

function origin(
  link: SessionLink,
  first: TimelinePoint,
  earlier: readonly TimelinePoint[],
): number | undefined {
  return link.forkedAfterChunkId ?? earlier.findLast((point) => compareTimelinePoints(point, first) < 0)?.id;
}

function mainStreams(points: readonly TimelinePoint[]): Map<string, TimelinePoint[]> {
  const main = points.filter((point) => point.agentId === null).toSorted(compareTimelinePoints);
  return groupBy(main, (point) => point.sessionId);
}
