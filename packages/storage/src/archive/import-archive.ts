import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveError, counted, makeHome, StorageError } from '@causantic/domain';
import type { OpenOptions } from '../database/connection.js';
import { isSqliteError } from '../database/sqlite.js';
import { databaseExists, Store, withStore } from '../store.js';
import { removeAbandonedCopies } from './abandoned-copies.js';
import type { ArchiveHeader } from './header.js';
import { damaged } from './header.js';
import { inspectArchive, unpackArchive } from './read-archive.js';

export interface ImportArchiveOptions {
  path: string;
  /** Called for an encrypted archive, once nothing else stands against the import. */
  passphrase?: () => string | Promise<string>;
  /** Whether a non-empty memory may be replaced. */
  replace?: boolean;
  /** Folder for the unpacked database, which is removed again; it is made if need be, and only its owner may look into it. */
  temporaryFolder: string;
  /** Cancels the import without changing anything, until the final transaction begins. */
  signal?: AbortSignal;
  /** Called when the import has to wait for who is writing to the memory. */
  onWait?: OpenOptions['onWait'];
}

/**
 * Makes an archive the memory at `databasePath`: completely, in one transaction that other processes see at once, or not
 * at all. Before anything changes, the whole archive is read and its database checked.
 * @throws ArchiveError if the archive cannot be used, or NOT_EMPTY; StorageError MIGRATION_FAILED if a newer program wrote it
 */
export async function importArchive(
  databasePath: string,
  { path, passphrase, replace = false, temporaryFolder, signal, onWait }: ImportArchiveOptions,
): Promise<ArchiveHeader> {
  const header = await inspectArchive(path);
  if (!replace) refuseToReplace(databasePath);
  const key = header.encryption ? await passphrase?.() : undefined;
  makeHome(temporaryFolder);
  removeAbandonedCopies(temporaryFolder);
  const unpacked = join(temporaryFolder, `import-${process.pid}.tmp`);
  // A program in a container has the number that one had which was killed.
  await removeDatabase(unpacked);
  try {
    await unpackArchive(path, unpacked, { passphrase: key, signal });
    await adopt(path, unpacked, { databasePath, replace, waiting: onWait ? { onWait } : {} });
    return header;
  } finally {
    await removeDatabase(unpacked);
  }
}

function refuseToReplace(databasePath: string): void {
  if (!databaseExists(databasePath)) return;
  const { chunks } = withStore(databasePath, (store) => store.statistics());
  if (chunks === 0) return;
  const message = `There is already a memory of ${counted(chunks, 'chunk')} at ${databasePath}. Use another home, or --replace to delete this memory (export it first to keep it).`;
  throw new ArchiveError('NOT_EMPTY', message);
}

/** One that cannot be opened cannot be written to, either. */
async function removeIfDamaged(databasePath: string): Promise<void> {
  try {
    Store.open(databasePath).close();
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'CORRUPT') throw error;
    await removeDatabase(databasePath);
  }
}

async function removeDatabase(path: string): Promise<void> {
  const files = ['', '-wal', '-shm', '-journal'].map((ending) => `${path}${ending}`);
  await Promise.all(files.map((file) => rm(file, { force: true })));
}

interface Adoption {
  databasePath: string;
  replace: boolean;
  waiting: OpenOptions;
}

async function adopt(path: string, unpacked: string, adoption: Adoption): Promise<void> {
  const { databasePath, replace, waiting } = adoption;
  const source = openUnpacked(path, unpacked);
  try {
    const [issue] = source.schemaIssues().concat(source.integrityIssues());
    if (issue !== undefined) throw damaged(path, new Error(issue));
    source.settleIn();
    // Unpacking took a while, in which a server may have begun to fill the memory.
    if (replace) await removeIfDamaged(databasePath);
    else refuseToReplace(databasePath);
    await source.copyTo(databasePath, waiting);
  } finally {
    source.close();
  }
}

/** Blames the archive if its content is not a database; opening it elsewhere would not help. */
function openUnpacked(path: string, unpacked: string): Store {
  try {
    return Store.open(unpacked);
  } catch (cause) {
    const isCorrupt = cause instanceof StorageError && cause.code === 'CORRUPT';
    // An error of SQLite that is no StorageError: a statement found other tables than there should be.
    throw isCorrupt || isSqliteError(cause) ? damaged(path, cause) : cause;
  }
}
