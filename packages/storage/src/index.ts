export { Store } from './store.js';
export { SQLITE_PACKAGE, isSqliteError, openSqlite } from './sqlite.js';
export { withThreadStore } from './thread-store.js';
export type { OpenOptions } from './connection.js';
export type { ChunkDirectory } from './chunk-directory.js';
export type { ChunkFilter, StoredChunk } from './chunks.js';
export type { ClusterPass, ClusterState, StoredCluster } from './clusters.js';
export type {
  EdgeWriter,
  FileTouch,
  LinkableAgent,
  LinkableChunk,
  LinkableSession,
  StoredEdge,
} from './edges.js';
export type { EmbeddingLease, EmbeddingState, EmbeddingUse } from './embedding-use.js';
export type { ColumnWeights, KeywordScope, Postings } from './postings.js';
export type { ProjectSummary, StoredProject } from './projects.js';
export { pieceHash, type ForgottenPiece } from './forgotten-pieces.js';
export { camelCaseNames, splitCamelCase } from './searchable-text.js';
export type { Entity, NamedEntity } from './entities.js';
export { textLanguage } from './stop-words.js';
export { withoutListedCommits } from './listed-commits.js';
export { inLetterPairs } from './unspaced-text.js';
export { asStorageError } from './storage-errors.js';
export { SCHEMA_VERSION } from './migrations.js';
export type { SessionFilter, SessionRef, SessionSummary, TurnRecord } from './sessions.js';
export type { Statistics } from './statistics.js';
export { LONG_WAIT_MS } from './long-waits.js';
export { isUntouched } from './checkpoints.js';
export type { FileStamp, TranscriptCheckpoint } from './checkpoints.js';
export type { TranscriptWriter } from './transcript-writer.js';
export type { PendingChunk, Vectors } from './vectors.js';
export { importArchive, type ImportArchiveOptions } from './archive/import-archive.js';
export { inspectArchive } from './archive/read-archive.js';
export { writeArchive, type WriteArchiveOptions, type WrittenArchive } from './archive/write-archive.js';
export type { ArchiveHeader, ArchiveSummary } from './archive/header.js';
