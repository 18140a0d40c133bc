export { predict, recall } from './episodes.js';
export type { EpisodeRequest, EpisodeResult } from './episodes.js';
export { explain } from './explain.js';
export type { Explanation, ExplainRequest } from './explain.js';
export { reconstruct } from './reconstruct.js';
export type { Reconstruction, ReconstructRequest } from './reconstruct.js';
export { search } from './search.js';
export type { RetrievalContext, SearchDiagnostics, SearchRequest, SearchResult } from './search.js';
export type { Assembly } from './answer/assembly.js';
export {
  formatDate,
  formatMoment,
  formatMonthRange,
  formatTimeRange,
  isoTime,
  timeRangeFormat,
} from './answer/dates.js';
export { ToldTexts } from './answer/near-copies.js';
export {
  agentLabel,
  CLIENT_NAMES,
  headerTokens,
  passageText,
  passageTokens,
  plainRequest,
  SEPARATOR_TOKENS,
} from './answer/presentation.js';
export type { Hit, Source } from './answer/presentation.js';
export { editCounts, filesByFolder } from './answer/project-files.js';
export { removeIndexFiles } from './matching/index-files.js';
export { searchKeywords } from './matching/keyword-search.js';
export type { KeywordMatches } from './matching/keyword-search.js';
export { SemanticSearch } from './matching/semantic-search.js';
export type { SemanticMatches } from './matching/semantic-search.js';
export { RANKING_WEIGHTS, type RankingWeights } from './ranking/ranking-weights.js';
