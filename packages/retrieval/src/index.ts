export { search } from './search.js';
export type { RetrievalContext, SearchDiagnostics, SearchRequest, SearchResult } from './search.js';
export { reconstruct } from './reconstruct.js';
export type { Reconstruction, ReconstructRequest } from './reconstruct.js';
export type { Assembly } from './assembly.js';
export type { Hit, Source } from './presentation.js';
export { formatDate, formatMonthRange, formatTimeRange } from './dates.js';
