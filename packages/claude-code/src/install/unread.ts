import { existsSync } from 'node:fs';
import { databasePath } from '@causantic/domain';
import { databaseExists, Store, type OpenOptions } from '@causantic/storage';

/** The transcripts on this machine, and how much of them is not yet in memory. */
export interface TranscriptCount {
  /** Folders of transcripts that there are. */
  folders: string[];
  files: number;
  unreadFiles: number;
  unreadBytes: number;
}

/**
 * Compares the transcripts on disk with what was read.
 * @param all folders to look into, if they exist
 * @param quietMs files changed more recently count as read: their sessions are in progress, and are read when they end
 * @param waits how long to wait for another process that keeps the memory to itself
 * @throws StorageError for a memory that cannot be opened
 */
export async function countTranscripts(
  home: string,
  all: readonly string[],
  quietMs = 0,
  waits: Pick<OpenOptions, 'busyTimeoutMs'> = {},
): Promise<TranscriptCount> {
  const { findUnread } = await import('@causantic/ingest');
  const folders = all.filter((folder) => existsSync(folder));
  const store = databaseExists(databasePath(home))
    ? Store.open(databasePath(home), { ...waits, forReading: true })
    : undefined;
  try {
    const { unread, unchanged } = findUnread(store, folders, () => undefined);
    const latestMs = Date.now() - quietMs;
    const settled = unread.filter(({ modifiedMs }) => quietMs === 0 || modifiedMs <= latestMs);
    const unreadBytes = settled.reduce((sum, { bytes }) => sum + bytes, 0);
    const files = unread.length + unchanged.length;
    return { folders, files, unreadFiles: settled.length, unreadBytes };
  } finally {
    store?.close();
  }
}
