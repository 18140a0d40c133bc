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
