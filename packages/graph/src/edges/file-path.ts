import { createEdge, diffEdges, uniqueEdges, type Edge, type EdgeDiff } from './edge.js';
import { compareTimelinePoints, type TimelinePoint } from './timeline.js';

/**
 * Bound on the `file-path` edges that leave one chunk. A chunk that names more files is a listing; it links by the
 * first of them in sorted order. Assumption, to be checked by the ablation of edge types.
 */
export const MAX_LINKED_FILES = 32;

/** Who touched a file, in the order of {@link compareTimelinePoints}, within the project of the given point. */
export interface FileTouches {
  /** The last chunk strictly before `point` that touched `file`. The point itself may be unknown. */
  previous(file: string, point: TimelinePoint): TimelinePoint | null;
  /** The first chunk strictly after `point` that touched `file`. */
  next(file: string, point: TimelinePoint): TimelinePoint | null;
  has(id: number): boolean;
}

export interface FilePathDiffOptions {
  /** Chunks that were added (`touches` must know them already) or removed (`touches` must no longer know them). */
  changed: readonly TimelinePoint[];
  touches: FileTouches;
  /** The stored `file-path` edges that start at one of these chunks. Called once. */
  existing: (fromIds: readonly number[]) => readonly Edge[];
}

/** All `file-path` edges among `points`: each chunk to the next that touches the same file, for every file. */
export function filePathEdges(points: readonly TimelinePoint[]): Edge[] {
  const touches = createFileTouches(points);
  return uniqueEdges(points.flatMap((point) => edgesFrom(point, touches)));
}

/**
 * What changes in the stored `file-path` edges when chunks come or go, at any place in time: an older session that
 * is ingested later splits edges that were there. Whatever the order and the pieces of ingestion, the stored set
 * ends as {@link filePathEdges} of all chunks. Cost: two look-ups for each file of each changed chunk and of its
 * predecessors.
 */
export function filePathDiff({ changed, touches, existing }: FilePathDiffOptions): EdgeDiff {
  const sources = new Map<number, TimelinePoint>();
  for (const point of changed) {
    if (touches.has(point.id)) sources.set(point.id, point);
    for (const file of new Set(point.files)) {
      const previous = touches.previous(file, point);
      if (previous) sources.set(previous.id, previous);
    }
  }
  const wanted = [...sources.values()].flatMap((point) => edgesFrom(point, touches));
  return diffEdges(existing([...sources.keys()]), uniqueEdges(wanted));
}

/** {@link FileTouches} over points in memory; each look-up is a binary search. */
export function createFileTouches(points: readonly TimelinePoint[]): FileTouches {
  const timelines = new Map<string, TimelinePoint[]>();
  for (const point of points.toSorted(compareTimelinePoints)) {
    for (const file of new Set(point.files)) {
      const key = timelineKey(point, file);
      const timeline = timelines.get(key);
      if (timeline) timeline.push(point);
      else timelines.set(key, [point]);
    }
  }
  const ids = new Set(points.map((point) => point.id));
  const timelineOf = (file: string, point: TimelinePoint) => timelines.get(timelineKey(point, file)) ?? [];
  return {
    previous(file, point) {
      const timeline = timelineOf(file, point);
      return timeline[countWhere(timeline, (other) => compareTimelinePoints(other, point) < 0) - 1] ?? null;
    },
    next(file, point) {
      const timeline = timelineOf(file, point);
      return timeline[countWhere(timeline, (other) => compareTimelinePoints(other, point) <= 0)] ?? null;
    },
    has: (id) => ids.has(id),
  };
}

function edgesFrom(point: TimelinePoint, touches: FileTouches): Edge[] {
  const files = [...new Set(point.files)].sort().slice(0, MAX_LINKED_FILES);
  return files.flatMap((file) => {
    const next = touches.next(file, point);
    return next ? [createEdge('file-path', point.id, next.id)] : [];
  });
}

function timelineKey({ projectId }: TimelinePoint, file: string): string {
  return `${projectId}\0${file}`;
}

/** How many leading elements hold; those that hold must all come first. */
function countWhere(timeline: readonly TimelinePoint[], holds: (point: TimelinePoint) => boolean): number {
  let low = 0;
  let high = timeline.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(timeline[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
