/** Which chunks a search may return. Applied inside the query, before any cut. */
export interface KeywordScope {
  projectId?: number;
  /** As in `ChunkFilter`. */
  agentIds?: readonly number[];
}

/** How much a match counts by who wrote the words; the order of the columns of `chunk_fts`. */
export interface ColumnWeights {
  prompt: number;
  said: number;
  tools: number;
  results: number;
  words: number;
}

/** Chunk ids with their BM25 scores, unordered; parallel arrays. */
export interface Postings {
  ids: number[];
  scores: number[];
}
