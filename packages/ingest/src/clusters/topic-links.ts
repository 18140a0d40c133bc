import { diffEdges, type NeighbourList, topicEdges } from '@causantic/graph';
import type { Store } from '@causantic/storage';
import type { NeighbouredMatrix } from './clustering.js';

/**
 * Bring the project's `topic` edges in line with its chunks' neighbours.
 *
 * @param leastCosine from which two chunks are of one topic
 */
export function linkTopics(
  store: Store,
  projectId: number,
  matrix: NeighbouredMatrix,
  leastCosine: number,
): void {
  store.edges.revise(projectId, (writer) => {
    const points = new Map(
      writer
        .places()
        .map(({ id, sessionUuid, agentKey, seq, orderTimeMs }) => [
          id,
          { id, projectId, sessionId: sessionUuid, agentId: agentKey, position: seq, orderTimeMs, files: [] },
        ]),
    );
    const wanted = topicEdges({ lists: neighbourLists(matrix, leastCosine), points, threshold: leastCosine });
    writer.apply(diffEdges(writer.endingInProject(['topic']), wanted));
  });
}

function neighbourLists(
  { ids, neighbours: { rows, scores, k } }: NeighbouredMatrix,
  leastCosine: number,
): NeighbourList[] {
  return Array.from(ids, (id, row) => {
    const places = Array.from({ length: k }, (_, place) => row * k + place);
    const neighbours = places
      .filter((place) => scores[place]! >= leastCosine)
      .map((place) => ({ id: ids[rows[place]!]!, similarity: scores[place]! }));
    return { id, neighbours };
  });
}
