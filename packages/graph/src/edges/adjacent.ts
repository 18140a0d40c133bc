import { groupBy } from '@causantic/domain';
import { linkedStreams, type ChunkFacts } from './chunk-facts.js';
import { createEdge, type Edge } from './edge.js';
import { isTopicShift } from './topic-shift.js';

/**
 * `adjacent` edges: from each chunk to the next in its thought stream; between turns only if the topic does not shift.
 *
 * When a session has grown it is enough to pass its streams from the turn before the first new chunk on (that turn
 * whole, because its files decide about the shift) and to diff with the stored `adjacent` edges that start there.
 */
export function adjacentEdges(chunks: Iterable<ChunkFacts>): Edge[] {
  return [...linkedStreams(chunks).values()].flatMap(streamEdges);
}

function streamEdges(stream: readonly ChunkFacts[]): Edge[] {
  const edges: Edge[] = [];
  let previous: ChunkFacts[] = [];
  for (const turn of groupBy(stream, (chunk) => chunk.turn).values()) {
    if (previous.length > 0 && !isTopicShift(previous, turn)) {
      edges.push(createEdge('adjacent', previous.at(-1)!.id, turn[0]!.id));
    }
    for (let i = 1; i < turn.length; i++) edges.push(createEdge('adjacent', turn[i - 1]!.id, turn[i]!.id));
    previous = turn;
  }
  return edges;
}
