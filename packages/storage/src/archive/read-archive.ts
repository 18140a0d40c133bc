import { createDecipheriv, createHash, type DecipherGCM } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ArchiveError } from '@causantic/domain';
import {
  damaged,
  HASH_BYTES,
  readBytes,
  readLayout,
  TAG_BYTES,
  type ArchiveHeader,
  type ArchiveLayout,
} from './header.js';
import { keyFor } from './passphrase.js';

/**
 * An archive that somebody made to fill the disk unpacks to a thousand times its size, a memory to some five times. Of a
 * small memory most is empty pages.
 */
const LARGEST_EXPANSION = 100;
const SMALL_BYTES = 16 * 1024 * 1024;

/**
 * Reads an archive's header, after verifying its checksum.
 * @throws ArchiveError NOT_AN_ARCHIVE, DAMAGED or NEWER_VERSION; NodeJS.ErrnoException when there is no file
 */
export async function inspectArchive(path: string): Promise<ArchiveHeader> {
  const { header, size } = await readLayout(path);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { end: size - HASH_BYTES - 1 }))
    hash.update(chunk as Buffer);
  if (!hash.digest().equals(await readEnd(path, size, HASH_BYTES))) throw damaged(path);
  return header;
}

/**
 * Writes the database of an inspected archive to `target`, which must not exist. Memory use does not depend on the size.
 * @throws ArchiveError PASSPHRASE_NEEDED, WRONG_PASSPHRASE or DAMAGED, or AbortError; `target` may then hold a part
 */
export async function unpackArchive(
  path: string,
  target: string,
  { passphrase, signal }: { passphrase?: string | undefined; signal?: AbortSignal | undefined },
): Promise<void> {
  const layout = await readLayout(path);
  const decipher = await decipherOf(path, layout, passphrase);
  // Opened first, and closed last: a stream of its own may make the file when the caller has removed it.
  const file = await open(target, 'wx', 0o600);
  try {
    const payload = createReadStream(path, { start: layout.prefix.length, end: layout.payloadEnd - 1 });
    const bounded = upTo(SMALL_BYTES + LARGEST_EXPANSION * layout.size);
    const output = file.createWriteStream();
    const options = signal ? { signal } : {};
    await pipeline(payload, decipher ?? new PassThrough(), createGunzip(), bounded, output, options);
  } catch (cause) {
    // What is wrong with the disk has a code of the system; all else is wrong with what was read.
    if (signal?.aborted || (cause as NodeJS.ErrnoException).syscall) throw cause;
    throw damaged(path, cause);
  } finally {
    await file.close();
  }
}

function upTo(limitBytes: number) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > limitBytes) throw new Error(`It unpacks to more than ${limitBytes} bytes.`);
      yield chunk;
    }
  };
}

async function decipherOf(
  path: string,
  { header, prefix, size }: ArchiveLayout,
  passphrase: string | undefined,
): Promise<DecipherGCM | undefined> {
  const { encryption } = header;
  if (!encryption) return undefined;
  if (passphrase === undefined) throw new ArchiveError('PASSPHRASE_NEEDED', `${path} is encrypted.`);
  const end = await readEnd(path, size, HASH_BYTES + TAG_BYTES);
  try {
    const key = await keyFor(passphrase, encryption);
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(encryption.nonce, 'base64'));
    return decipher.setAAD(prefix).setAuthTag(end.subarray(0, TAG_BYTES));
  } catch (cause) {
    // A forged header: numbers that scrypt refuses, or would need gigabytes for.
    throw cause instanceof ArchiveError ? cause : damaged(path, cause);
  }
}

async function readEnd(path: string, size: number, length: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    return await readBytes(file, size - length, length);
  } finally {
    await file.close();
  }
}
