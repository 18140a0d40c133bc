import {
  type ClusterLabels,
  connectNeighbours,
  hdbscanFromGraph,
  type NeighbourGraph,
  type RankedNeighbours,
  type WeightedEdges,
} from '@causantic/algorithms';

/** Vectors of one project with the nearest neighbours of each. */
export interface NeighbouredMatrix {
  /** Chunk ids, in the order of the rows. */
  ids: Float64Array;
  /** n × dim unit vectors, row-major. */
  vectors: Float32Array;
  dim: number;
  neighbours: RankedNeighbours;
}

/** Chosen on real sessions: docs/decisions/0090-clusters-and-topic-edges.md. */
const MIN_CLUSTER_SIZE = 5;
const MIN_SAMPLES = 5;
/** What holds more of a project than this is no topic of it; where a few chunks lie apart, all others were one. */
const LARGEST_SHARE = 0.5;

/** What the neighbour lists prove of the spanning tree; about a second for 100,000 rows. */
export function neighbourGraph({ neighbours, ids }: NeighbouredMatrix): NeighbourGraph {
  const { rows, scores } = neighbours;
  const distances = Float32Array.from(scores, (score) => Math.sqrt(Math.max(0, 2 - 2 * score)));
  return connectNeighbours({ indices: rows, distances }, ids.length, MIN_SAMPLES);
}

/**
 * @param joins of `componentJoins` for all shares
 * @param copyCosine from which two chunks are copies
 */
export function clusterRows(
  matrix: NeighbouredMatrix,
  joins: readonly WeightedEdges[],
  copyCosine: number,
): ClusterLabels {
  return hdbscanFromGraph(neighbourGraph(matrix), joins, {
    minClusterSize: MIN_CLUSTER_SIZE,
    minSamples: MIN_SAMPLES,
    distanceFloor: Math.sqrt(2 - 2 * copyCosine),
    maxClusterSize: matrix.ids.length * LARGEST_SHARE,
  });
}
