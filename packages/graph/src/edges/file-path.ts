import { createEdge, uniqueEdges, type Edge } from './edge.js';
import { compareTimelinePoints, type TimelinePoint } from './timeline.js';

/**
 * Bound on the `file-path` edges that leave one chunk. A chunk that names more files is a listing; it links by the
 * first of them in sorted order. Assumption, to be checked by the ablation of edge types.
 */
export const MAX_LINKED_FILES = 32;

/** All `file-path` edges among `points`: each chunk to the next of its project that touches the same file, for every file. */
export function filePathEdges(points: readonly TimelinePoint[]): Edge[] {
  const nextTouch = new Map<string, number>();
  const edges: Edge[] = [];
  for (const { id, projectId, files } of points.toSorted(compareTimelinePoints).reverse()) {
    const keys = [...new Set(files)].sort().map((file) => `${projectId}\0${file}`);
    for (const key of keys.slice(0, MAX_LINKED_FILES)) {
      const next = nextTouch.get(key);
      if (next !== undefined) edges.push(createEdge('file-path', id, next));
    }
    for (const key of keys) nextTouch.set(key, id);
  }
  return uniqueEdges(edges);
}
