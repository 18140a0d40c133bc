import { diffEdges, type NeighbourList, topicEdges } from '@causantic/graph';
import type { Store } from '@causantic/storage';
import type { NeighbouredMatrix } from './clustering.js';

/** From here on two chunks are of one topic; chosen on real sessions, docs/decisions/0090-clusters-and-topic-edges.md. */
const TOPIC_SIMILARITY = 0.8;

/** Bring the project's `topic` edges in line with its chunks' neighbours. */
export function linkTopics(store: Store, projectId: number, matrix: NeighbouredMatrix): void {
  store.edges.revise(projectId, (writer) => {
    const points = new Map(
      writer
        .places()
        .map(({ id, sessionUuid, agentKey, seq, orderTimeMs }) => [
          id,
          { id, projectId, sessionId: sessionUuid, agentId: agentKey, position: seq, orderTimeMs, files: [] },
        ]),
    );
    const wanted = topicEdges({ lists: neighbourLists(matrix), points, threshold: TOPIC_SIMILARITY });
    writer.apply(diffEdges(writer.endingInProject(['topic']), wanted));
  });
}

function neighbourLists({ ids, neighbours: { rows, scores, k } }: NeighbouredMatrix): NeighbourList[] {
  return Array.from(ids, (id, row) => {
    const places = Array.from({ length: k }, (_, place) => row * k + place);
    const neighbours = places
      .filter((place) => scores[place]! >= TOPIC_SIMILARITY)
      .map((place) => ({ id: ids[rows[place]!]!, similarity: scores[place]! }));
    return { id, neighbours };
  });
}
