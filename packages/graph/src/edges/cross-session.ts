import { groupBy } from '@causantic/domain';
import { createEdge, uniqueEdges, type Edge } from './edge.js';
import { compareTimelinePoints, type TimelinePoint } from './timeline.js';

/** One session continues another: after a compaction, resumed in a second file, or forked. */
export interface SessionLink {
  earlierSessionId: string;
  laterSessionId: string;
}

/**
 * `cross-session` edges lead to the later session's first chunk, from the last main-agent chunk of the earlier session
 * that precedes it. If the earlier session continued after it was forked or resumed, the edge stays where it was.
 * @param points at least the main agent's chunks of all sessions in `links`
 */
export function crossSessionEdges(points: readonly TimelinePoint[], links: readonly SessionLink[]): Edge[] {
  const sessions = mainStreams(points);
  return uniqueEdges(
    links.flatMap(({ earlierSessionId, laterSessionId }) => {
      const [first] = sessions.get(laterSessionId) ?? [];
      if (!first) return [];
      const earlier = sessions.get(earlierSessionId) ?? [];
      const origin = earlier.findLast((point) => compareTimelinePoints(point, first) < 0);
      return origin ? [createEdge('cross-session', origin.id, first.id)] : [];
    }),
  );
}

function mainStreams(points: readonly TimelinePoint[]): Map<string, TimelinePoint[]> {
  const main = points.filter((point) => point.agentId === null).toSorted(compareTimelinePoints);
  return groupBy(main, (point) => point.sessionId);
}
