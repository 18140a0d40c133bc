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
export type { FusedItem, FusionOptions } from './reciprocal-rank-fusion.js';
export { maximalMarginalRelevance } from './maximal-marginal-relevance.js';
export type { MmrInput } from './maximal-marginal-relevance.js';
export { hdbscan } from './hdbscan/hdbscan.js';
export type { HdbscanOptions } from './hdbscan/options.js';
export type { ClusterLabels } from './hdbscan/labelling.js';
export { StoppedError } from './loop-control.js';
export type { LoopControl } from './loop-control.js';
