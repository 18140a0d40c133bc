// Opens a transcript, compressed or not.
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '@causantic/domain';
import type { FileStamp } from '@causantic/storage';
import { Decompress } from 'fzstd';
import { databaseOf, sessionHead, writeSession } from '../clients/opencode/database.js';
import type { TranscriptOrigin } from './transcript-origin.js';

/** Codex adds this to the name of a rollout that it has compressed, and takes the plain file away. */
const COMPRESSED = '.zst';

const READ_BYTES = 1 << 17;

/** fzstd sets aside whatever a frame asks for, and looks no farther back than this. Codex asks for 2 MB. */
const MAX_WINDOW_BYTES = 1 << 25;

/** A transcript's text in an open file: its own, or a copy without a name where it lies compressed or in a database. */
export interface OpenTranscript {
  descriptor: number;
  /** Bytes of text. */
  size: number;
  /** The file on the disk. */
  file: FileStamp & { path: string };
  isCopy: boolean;
  /** Why the text ends too early; null where it is whole. */
  damage: string | null;
  /** What is known of a session without its text. */
  origin?: TranscriptOrigin | null;
}

/** A transcript goes by the name of its plain file, also while it lies there compressed. */
export function transcriptName(path: string): string {
  return path.endsWith(`.jsonl${COMPRESSED}`) ? path.slice(0, -COMPRESSED.length) : path;
}

/** Where the transcript of this name lies; where it does so in both forms, Codex writes to the plain one. */
export function fileOf(name: string): string {
  const database = databaseOf(name);
  if (database !== null) return database;
  const compressed = `${name}${COMPRESSED}`;
  return name.endsWith('.jsonl') && !existsSync(name) && existsSync(compressed) ? compressed : name;
}

/**
 * What tells whether the transcript of this name was written to.
 * @throws Error where it is not there
 */
export function stampOfTranscript(name: string): FileStamp {
  const database = databaseOf(name);
  return database === null ? statSync(fileOf(name)) : sessionHead(database, name).stamp;
}

/** What cannot be looked at, as in a folder that may be listed but not entered, is told of by who reads it. */
export function stampIfThere(name: string): FileStamp | undefined {
  try {
    return stampOfTranscript(name);
  } catch {
    return undefined;
  }
}

export interface OpenTranscriptOptions {
  /** Of a compressed text, about so many are enough. */
  maxBytes?: number;
  /** Where a copy may lie; the system's own folder may be memory. */
  scratchDir?: string;
}

export function whileOpen<T>(
  name: string,
  options: OpenTranscriptOptions,
  work: (open: OpenTranscript) => T,
): T {
  const open = openTranscript(name, options);
  try {
    return work(open);
  } finally {
    closeSync(open.descriptor);
  }
}

function openTranscript(name: string, options: OpenTranscriptOptions): OpenTranscript {
  const database = databaseOf(name);
  if (database !== null) return openSession(database, name, options);
  const path = fileOf(name);
  const descriptor = openFile(path);
  const { size, mtimeMs, ctimeMs } = fstatSync(descriptor);
  const file = { path, size, mtimeMs, ctimeMs };
  if (path === name) return { descriptor, size, file, isCopy: false, damage: null };
  try {
    return { ...plainCopy(descriptor, options), file, isCopy: true };
  } finally {
    closeSync(descriptor);
  }
}

function openSession(
  database: string,
  name: string,
  { scratchDir = tmpdir() }: OpenTranscriptOptions,
): OpenTranscript {
  const descriptor = openNamelessFile(scratchDir);
  try {
    const write = (line: string): void => writeFileSync(descriptor, `${line}\n`);
    const { stamp, origin } = writeSession(database, name, write);
    const { size } = fstatSync(descriptor);
    const file = { ...stamp, path: database };
    return { descriptor, size, file, isCopy: true, damage: null, origin };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Opening a pipe waits for somebody to write to it, and a device may have no end. */
export function openFile(path: string): number {
  if (!statSync(path).isFile()) throw new Error('neither a file nor a folder');
  return openSync(path, 'r');
}

/** Reading goes back and forth in a text, which a compressed one allows to nobody; memory would be its size. */
function plainCopy(
  compressed: number,
  { maxBytes = Infinity, scratchDir = tmpdir() }: OpenTranscriptOptions,
): Pick<OpenTranscript, 'descriptor' | 'size' | 'damage'> {
  const descriptor = openNamelessFile(scratchDir);
  let size = 0;
  const stream = new Decompress((text) => {
    writeFileSync(descriptor, text);
    size += text.length;
  });
  try {
    refuseLargeWindow(compressed);
    for (let isMore = true; isMore && size < maxBytes;) {
      // The stream keeps what it cannot use yet.
      const bytes = Buffer.allocUnsafe(READ_BYTES);
      const count = readSync(compressed, bytes);
      isMore = count > 0;
      stream.push(bytes.subarray(0, count), !isMore);
    }
    return { descriptor, size, damage: null };
  } catch (error) {
    if (!isSystemError(error)) return { descriptor, size, damage: errorMessage(error) };
    closeSync(descriptor);
    throw error;
  }
}

/** @throws Error where a byte that was damaged may ask for gigabytes */
function refuseLargeWindow(compressed: number): void {
  const header = Buffer.alloc(LONGEST_HEADER_BYTES);
  readSync(compressed, header, 0, header.length, 0);
  const bytes = windowBytes(header);
  if (bytes <= MAX_WINDOW_BYTES) return;
  throw new Error(`decompressing takes ${Math.round(bytes / 2 ** 20)} MB of memory; the limit is 32 MB`);
}

const LONGEST_HEADER_BYTES = 18;
const ZSTD_FRAME = 0xfd2fb528;

/** How far back a zstd frame may refer, by its header; less than 65,792, and so no matter, counts as 0 (RFC 8878, 3.1.1.1). */
function windowBytes(header: Buffer): number {
  if (header.readUInt32LE(0) !== ZSTD_FRAME) return 0;
  const descriptor = header[4]!;
  const isInOneSegment = (descriptor & 0x20) !== 0;
  if (!isInOneSegment) {
    const [exponent, mantissa] = [header[5]! >> 3, header[5]! & 7];
    return 2 ** (10 + exponent) * (1 + mantissa / 8);
  }
  const sizeAt = 5 + [0, 1, 2, 4][descriptor & 3]!;
  const sizeFlag = descriptor >> 6;
  if (sizeFlag < 2) return 0;
  return sizeFlag === 2 ? header.readUInt32LE(sizeAt) : Number(header.readBigUInt64LE(sizeAt));
}

/** Gone when it is closed, or the process ends. */
function openNamelessFile(folder: string): number {
  const path = join(folder, `transcript-${randomUUID()}`);
  const descriptor = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return descriptor;
}

/** The disk's, as against one that the compressed bytes give cause to. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
