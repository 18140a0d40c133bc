import { existsSync } from 'node:fs';
import { ConfigError, databasePath } from '@causantic/domain';
import { databaseExists, Store, type OpenOptions } from '@causantic/storage';

/** The transcripts on this machine, but for those that settings exclude, and how much of them is not yet in memory. */
export interface TranscriptCount {
  /** Folders of transcripts that there are. */
  folders: string[];
  files: number;
  unreadFiles: number;
  unreadBytes: number;
  /** Files with unread content that changed too recently to be counted above. */
  recentFiles: number;
}

/**
 * Compares the transcripts on disk with what was read.
 * @param all folders to look into, if they exist
 * @param quietMs files changed more recently count as recent: their sessions are in progress, and are read when they end
 * @param waits how long to wait for another process that keeps the memory to itself
 * @throws StorageError for a memory that cannot be opened
 */
export async function countTranscripts(
  home: string,
  all: readonly string[],
  quietMs = 0,
  waits: Pick<OpenOptions, 'busyTimeoutMs'> = {},
): Promise<TranscriptCount> {
  const { exclusionBySettings, findUnread, isLeftOut } = await import('@causantic/ingest');
  const folders = all.filter((folder) => existsSync(folder));
  const store = databaseExists(databasePath(home))
    ? Store.open(databasePath(home), { ...waits, forReading: true })
    : undefined;
  try {
    const { unread: found, unchanged } = findUnread(store, folders, () => undefined);
    const exclude = exclusionBySettings(home, []);
    const unread = found.filter((file) => !settingsSay(() => isLeftOut(store, file, exclude)));
    const latestMs = Date.now() - quietMs;
    const settled = unread.filter(({ modifiedMs }) => quietMs === 0 || modifiedMs <= latestMs);
    const unreadBytes = settled.reduce((sum, { bytes }) => sum + bytes, 0);
    return {
      folders,
      files: unread.length + unchanged.length,
      unreadFiles: settled.length,
      unreadBytes,
      recentFiles: unread.length - settled.length,
    };
  } finally {
    store?.close();
  }
}

/** Settings that cannot be read exclude nothing; other checks tell of them. */
function settingsSay(ask: () => boolean): boolean {
  try {
    return ask();
  } catch (error) {
    if (error instanceof ConfigError) return false;
    throw error;
  }
}
