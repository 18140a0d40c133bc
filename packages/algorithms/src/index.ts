export {
  angularDistance,
  cosineDistance,
  cosineSimilarity,
  dot,
  euclideanDistance,
  euclideanNorm,
  normalizeRows,
  rowOf,
} from './vectors.js';
export type { FloatArray } from './vectors.js';
export { pageRank } from './page-rank.js';
export type { CsrGraph, PageRankOptions } from './page-rank.js';
export { reciprocalRankFusion } from './reciprocal-rank-fusion.js';
export type { FusedItem } from './reciprocal-rank-fusion.js';
export { maximalMarginalRelevance } from './maximal-marginal-relevance.js';
export type { MmrInput } from './maximal-marginal-relevance.js';
export { hdbscan } from './hdbscan/hdbscan.js';
export type { HdbscanOptions } from './hdbscan/options.js';
export type { ClusterLabels } from './hdbscan/labelling.js';
export { StoppedError } from './loop-control.js';
export type { LoopControl } from './loop-control.js';
export { hdbscanFromGraph, hdbscanFromNeighbours } from './hdbscan/hdbscan-from-neighbours.js';
export { connectNeighbours } from './hdbscan/neighbour-graph.js';
export type { NeighbourGraph, NeighbourLists } from './hdbscan/neighbour-graph.js';
export { componentJoins } from './hdbscan/component-joins.js';
export type { PairSearchOptions, Share } from './dot-tiles.js';
export type { WeightedEdges } from './hdbscan/spanning-tree.js';
export { assignToClusters, centroid, medoid } from './clusters.js';
export type { RowNumbers } from './clusters.js';
export { matchClusters } from './match-clusters.js';
export { classTfIdf } from './class-tf-idf.js';
export type { WeightedTerm } from './class-tf-idf.js';
export { mergeNeighbours, nearestNeighbours } from './nearest-neighbours.js';
export type { RankedNeighbours } from './nearest-neighbours.js';
