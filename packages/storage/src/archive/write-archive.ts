import { createCipheriv, createHash, type CipherGCM, type Hash } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { renameOver } from '@causantic/domain';
import { type Store, withStore } from '../store.js';
import { draftOf, removeAbandonedCopies, removeAbandonedDrafts } from './abandoned-copies.js';
import { encodeHeader, type ArchiveSummary, type Encryption } from './header.js';
import { newEncryption } from './passphrase.js';

export interface WriteArchiveOptions {
  path: string;
  /** Without one, anyone who has the archive can read it. */
  passphrase?: string;
  /** Name and version of the program that writes. */
  program: string;
  /** Folder for a copy of the database that is removed again; only its owner may look into it. */
  temporaryFolder: string;
  /** Cancels the export, and leaves no file behind. */
  signal?: AbortSignal;
}

export interface WrittenArchive extends ArchiveSummary {
  path: string;
  bytes: number;
  encrypted: boolean;
}

/**
 * Writes the whole memory to one file, completely or not at all. Other processes may read and write meanwhile; the
 * archive lacks what they write after the start. Memory use does not depend on the size.
 * @throws StorageError if the memory cannot be read, NodeJS.ErrnoException if the file cannot be written, or AbortError
 *   after `signal`
 */
export async function writeArchive(store: Store, options: WriteArchiveOptions): Promise<WrittenArchive> {
  const { path, passphrase, program, temporaryFolder, signal } = options;
  removeAbandonedCopies(temporaryFolder);
  removeAbandonedDrafts(path);
  const snapshot = join(temporaryFolder, `export-${process.pid}.tmp`);
  const draft = draftOf(path);
  // On a full disk SQLite leaves the journal of what it could not finish.
  const files = [snapshot, `${snapshot}-journal`, draft];
  // A program in a container has the number that one had which was killed.
  for (const file of files) rmSync(file, { force: true });
  try {
    store.snapshot(snapshot);
    const lock = passphrase === undefined ? undefined : await newEncryption(passphrase);
    const summary = { ...summaryOf(snapshot), program };
    const prefix = encodeHeader({ ...summary, encryption: lock?.encryption ?? null });
    const cipher = lock && cipherOf(lock, prefix);
    const bytes = await writeParts(draft, { prefix, snapshot, cipher, signal });
    renameOver(draft, path);
    return { path, bytes, encrypted: lock !== undefined, ...summary };
  } finally {
    await Promise.all(files.map((file) => rm(file, { force: true })));
  }
}

/** Of the copy: others may have written to the memory since it was made. */
function summaryOf(snapshot: string): Omit<ArchiveSummary, 'program'> {
  return withStore(snapshot, (copy) => {
    const { chunks, sessions } = copy.statistics();
    const projects = copy.projects.slugsInUse().length;
    const model = copy.embedding.state().serving;
    return { createdAt: new Date().toISOString(), projects, sessions, chunks, model };
  });
}

/** The header is authenticated with the payload. */
function cipherOf({ encryption, key }: { encryption: Encryption; key: Buffer }, prefix: Buffer): CipherGCM {
  const cipher = createCipheriv(encryption.cipher, key, Buffer.from(encryption.nonce, 'base64'));
  return cipher.setAAD(prefix);
}

interface Parts {
  prefix: Buffer;
  snapshot: string;
  cipher: CipherGCM | undefined;
  signal: AbortSignal | undefined;
}

/** @returns the number of bytes written */
async function writeParts(path: string, { prefix, snapshot, cipher, signal }: Parts): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    const writer = new HashingWriter(file);
    await writer.write(prefix);
    let failure: unknown;
    const take = async (source: AsyncIterable<Buffer>): Promise<void> => {
      for await (const chunk of source)
        await writer.write(chunk).catch((error: unknown) => {
          failure = error;
          throw error;
        });
    };
    const source = createReadStream(snapshot);
    const options = signal ? { signal } : {};
    const written = pipeline(source, createGzip(), cipher ?? new PassThrough(), take, options);
    // A pipeline says only that it was aborted.
    await written.catch((error: unknown) => Promise.reject((failure ?? error) as Error));
    if (cipher) await writer.write(cipher.getAuthTag());
    await writer.end();
    return writer.bytes;
  } finally {
    await file.close();
  }
}

class HashingWriter {
  bytes = 0;
  private readonly hash: Hash = createHash('sha256');

  constructor(private readonly file: FileHandle) {}

  async write(chunk: Buffer): Promise<void> {
    this.hash.update(chunk);
    await this.file.writeFile(chunk);
    this.bytes += chunk.length;
  }

  /** Appends the hash of everything written, and flushes the file to disk. */
  async end(): Promise<void> {
    const digest = this.hash.digest();
    await this.file.writeFile(digest);
    this.bytes += digest.length;
    await this.file.sync();
  }
}
