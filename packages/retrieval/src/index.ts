export { search } from './search.js';
export type { RetrievalContext, SearchDiagnostics, SearchRequest, SearchResult } from './search.js';
export type { Hit, Source } from './presentation.js';
