export { search } from './search.js';
export { searchKeywords } from './keyword-search.js';
export type { KeywordMatches } from './keyword-search.js';
export type { RetrievalContext, SearchDiagnostics, SearchRequest, SearchResult } from './search.js';
export { predict, recall } from './episodes.js';
export type { EpisodeRequest, EpisodeResult } from './episodes.js';
export { explain } from './explain.js';
export type { Explanation, ExplainRequest } from './explain.js';
export { reconstruct } from './reconstruct.js';
export type { Reconstruction, ReconstructRequest } from './reconstruct.js';
export type { Assembly } from './assembly.js';
export {
  agentLabel,
  CLIENT_NAMES,
  headerTokens,
  passageText,
  passageTokens,
  plainRequest,
  SEPARATOR_TOKENS,
} from './presentation.js';
export type { Hit, Source } from './presentation.js';
export { formatDate, formatMoment, formatMonthRange, formatTimeRange, timeRangeFormat } from './dates.js';
export { ToldTexts } from './near-copies.js';
export { editCounts, filesByFolder } from './project-files.js';
export { SemanticSearch } from './semantic-search.js';
export type { SemanticMatches } from './semantic-search.js';
export { removeIndexFiles } from './index-files.js';
export { RANKING_WEIGHTS, type RankingWeights } from './ranking.js';
