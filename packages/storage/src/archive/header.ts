import { open, stat, type FileHandle } from 'node:fs/promises';
import { ArchiveError, jsonValue } from '@causantic/domain';

/** Contains line ends and an end-of-text character, which a transfer in text mode would change. */
const MAGIC = Buffer.from('CAUSANTIC\r\n\u001a\n', 'latin1');
const LENGTH_BYTES = 4;
const ARCHIVE_VERSION = 1;
const LARGEST_HEADER = 64 * 1024;

export const HASH_BYTES = 32;
export const TAG_BYTES = 16;

/** How the key is derived from a passphrase (RFC 7914), and a value that reveals a wrong passphrase at once. */
export interface Encryption {
  cipher: 'aes-256-gcm';
  kdf: 'scrypt';
  cost: number;
  blockSize: number;
  parallelization: number;
  /** Base64, as the following. */
  salt: string;
  nonce: string;
  check: string;
}

export interface ArchiveSummary {
  createdAt: string;
  /** Of the program that wrote it. */
  program: string;
  projects: number;
  sessions: number;
  chunks: number;
  /** The model whose vectors are searched. */
  model: string | null;
}

export interface ArchiveHeader extends ArchiveSummary {
  version: number;
  encryption: Encryption | null;
}

/** Positions of the parts of an archive: header, payload, cipher tag, SHA-256 of everything before it. */
export interface ArchiveLayout {
  header: ArchiveHeader;
  /** The bytes before the payload. */
  prefix: Buffer;
  payloadEnd: number;
  size: number;
}

export function encodeHeader(header: Omit<ArchiveHeader, 'version'>): Buffer {
  const json = Buffer.from(JSON.stringify({ version: ARCHIVE_VERSION, ...header }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([MAGIC, length, json]);
}

/** @throws ArchiveError NOT_AN_ARCHIVE, DAMAGED or NEWER_VERSION; NodeJS.ErrnoException when there is no file */
export async function readLayout(path: string): Promise<ArchiveLayout> {
  const stats = await stat(path);
  // A pipe would be waited for when it is opened.
  if (!stats.isFile()) throw notAnArchive(path);
  const { size } = stats;
  const file = await open(path, 'r');
  try {
    const start = await readBytes(file, 0, MAGIC.length + LENGTH_BYTES);
    if (!start.subarray(0, MAGIC.length).equals(MAGIC)) throw notAnArchive(path);
    const headerBytes = start.length < MAGIC.length + LENGTH_BYTES ? 0 : start.readUInt32BE(MAGIC.length);
    if (headerBytes === 0 || headerBytes > Math.min(LARGEST_HEADER, size)) throw damaged(path);
    const prefix = await readBytes(file, 0, start.length + headerBytes);
    const header = parseHeader(path, prefix.subarray(start.length));
    const payloadEnd = size - HASH_BYTES - (header.encryption ? TAG_BYTES : 0);
    if (payloadEnd <= prefix.length) throw damaged(path);
    return { header, prefix, payloadEnd, size };
  } finally {
    await file.close();
  }
}

function notAnArchive(path: string): ArchiveError {
  return new ArchiveError('NOT_AN_ARCHIVE', `${path} is not a Causantic archive.`);
}

function parseHeader(path: string, bytes: Buffer): ArchiveHeader {
  // What is no object, or no JSON, has no version.
  const header = Object(jsonValue(bytes.toString('utf8'))) as ArchiveHeader;
  if (header.version > ARCHIVE_VERSION) {
    const message = `${path} has version ${header.version}, but this program only knows ${ARCHIVE_VERSION}. Update Causantic.`;
    throw new ArchiveError('NEWER_VERSION', message);
  }
  if (header.version !== ARCHIVE_VERSION) throw damaged(path);
  return header;
}

export async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

export function damaged(path: string, cause?: unknown): ArchiveError {
  return new ArchiveError('DAMAGED', `${path} is damaged or truncated.`, { cause });
}
