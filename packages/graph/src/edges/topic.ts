import { createEdge, uniqueEdges, type Edge } from './edge.js';
import { compareTimelinePoints, type TimelinePoint } from './timeline.js';

/** Nearest neighbours of one chunk by vector, in any order. */
export interface NeighbourList {
  id: number;
  neighbours: readonly { id: number; similarity: number }[];
}

export interface TopicEdgeOptions {
  lists: readonly NeighbourList[];
  /** Every chunk that occurs in `lists`; what is missing here is passed over. */
  points: ReadonlyMap<number, TimelinePoint>;
  /** Cosine similarity from which two chunks are of one topic; depends on the embedding model. */
  threshold: number;
}

/** Chunks of one stream this near are linked by `adjacent` already and would take the place of a distant one. */
const NEAR_POSITIONS = 5;

/**
 * `topic` edges between mutual nearest neighbours above the threshold, earlier to later, within a project. A pair
 * is found only if both lists are given. When chunks are added, pass the lists of the new chunks, of all chunks in
 * them, and of the chunks linked to those by `topic` so far, and diff with the stored edges among all of them.
 */
export function topicEdges(options: TopicEdgeOptions): Edge[] {
  const nearest = new Map(options.lists.map((list) => [list.id, nearestTo(list, options)]));
  const edges: Edge[] = [];
  for (const [id, other] of nearest) {
    if (other !== undefined && nearest.get(other) === id)
      edges.push(chronological(id, other, options.points));
  }
  return uniqueEdges(edges);
}

function nearestTo(
  { id, neighbours }: NeighbourList,
  { points, threshold }: TopicEdgeOptions,
): number | undefined {
  const [nearest] = neighbours
    .filter((other) => other.similarity >= threshold && isDistant(points.get(id), points.get(other.id)))
    .sort(
      (a, b) => b.similarity - a.similarity || compareTimelinePoints(points.get(a.id)!, points.get(b.id)!),
    );
  return nearest?.id;
}

function isDistant(a: TimelinePoint | undefined, b: TimelinePoint | undefined): boolean {
  if (!a || !b || a.projectId !== b.projectId) return false;
  const sameStream = a.sessionId === b.sessionId && a.agentId === b.agentId;
  return !sameStream || Math.abs(a.position - b.position) > NEAR_POSITIONS;
}

function chronological(a: number, b: number, points: ReadonlyMap<number, TimelinePoint>): Edge {
  const inOrder = compareTimelinePoints(points.get(a)!, points.get(b)!) < 0;
  return inOrder ? createEdge('topic', a, b) : createEdge('topic', b, a);
}
