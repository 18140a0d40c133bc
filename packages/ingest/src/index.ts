export { ingestTranscript, isLeftOut, PIECE_BYTES } from './ingest-transcript.js';
export type { IngestOptions } from './ingest-transcript.js';
export type { IngestReport } from './report.js';
export { dropDeletedNotes, findUnread, ingestTree } from './ingest-tree.js';
export type { TreeOptions, TreeProgress, TreeReport } from './ingest-tree.js';
export { readInBackground, type BackgroundReadingOptions } from './background-reading.js';
export { linkSessions } from './links/link-sessions.js';
export { findTranscripts } from './transcripts/find-transcripts.js';
export type { TranscriptFile } from './transcripts/describe-transcript.js';
export type { Exclusion } from './exclusion.js';
export { exclusionBySettings } from './session-settings.js';
export { CHUNK_SIZES } from './chunks/chunker.js';
export type { ChunkSizes } from './chunks/split-text.js';
export { embedChunks } from './vectors/embed-chunks.js';
export { makesStoredVectors } from './vectors/stored-vectors.js';
export { updateVectors, type UpdateVectorsOptions, type VectorUpdate } from './vectors/vector-upkeep.js';
export type { EmbedChunksOptions, EmbedProgress } from './vectors/embed-chunks.js';
export {
  clusterChunks,
  needsClustering,
  updateTopics,
  type ClusterChunksOptions,
} from './clusters/cluster-chunks.js';
export { applyRetention } from './retention.js';
