import { createHash, type Hash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ComputeError, NotFoundError, errorMessage } from '@causantic/domain';

/** A file on the server before it is fetched. */
export interface RemoteFile {
  url: string;
  bytes: number;
  /** Its checksum on Hugging Face: SHA-256 for large files, git's SHA-1 for small ones; elsewhere any text. */
  etag: string;
}

/** Asks for a file's size and checksum; undefined if there is no such file. */
export async function remoteFile(url: string): Promise<RemoteFile | undefined> {
  // Does not follow the redirect to the storage: the checksum is in the first response.
  const response = await request(url, { method: 'HEAD', redirect: 'manual' });
  if (response.status === 404 || response.status === 401) return undefined;
  if (response.status >= 400) throw unreachable(url, `the server answered ${response.status}`);
  const etag = response.headers.get('x-linked-etag') ?? response.headers.get('etag') ?? '';
  const bytes = Number(response.headers.get('x-linked-size') ?? response.headers.get('content-length') ?? 0);
  return { url, bytes, etag: etag.replace(/^W\//, '').replaceAll('"', '') };
}

/**
 * Fetches a file to `path`. After an interruption, the part in `path.part` is not fetched again, unless the file on the
 * server has changed. The file appears at `path` only once its checksum is verified.
 *
 * @param onBytes called with the number of bytes received
 */
export async function download(
  file: RemoteFile,
  path: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const part = `${path}.part`;
  forgetPartOfOther(part, file.etag);
  let have = existsSync(part) ? statSync(part).size : 0;
  if (have === 0 || have < file.bytes) have = await fetchRest(file, part, have, onBytes);
  onBytes(have);
  await verify(file, part, have);
  await rename(part, path);
  rmSync(`${part}.etag`, { force: true });
}

function forgetPartOfOther(part: string, etag: string): void {
  const note = `${part}.etag`;
  if (existsSync(note) && readFileSync(note, 'utf8') === etag) return;
  rmSync(part, { force: true });
  writeFileSync(note, etag);
}

async function fetchRest(
  file: RemoteFile,
  part: string,
  have: number,
  onBytes: (bytes: number) => void,
): Promise<number> {
  const response = await request(file.url, have > 0 ? { headers: { range: `bytes=${have}-` } } : {});
  if (!response.ok || !response.body) throw unreachable(file.url, `the server answered ${response.status}`);
  const resumed = response.status === 206;
  let bytes = resumed ? have : 0;
  const target = await open(part, resumed ? 'a' : 'w', 0o600);
  try {
    // Piece by piece to the file, so that all that came before an interruption is there next time.
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      await target.writeFile(chunk);
      onBytes((bytes += chunk.length));
    }
  } catch (error) {
    throw interrupted(file.url, error);
  } finally {
    await target.close();
  }
  return bytes;
}

async function verify(file: RemoteFile, part: string, bytes: number): Promise<void> {
  const hash = hashFor(file.etag, bytes);
  if (hash) {
    await pipeline(createReadStream(part), hash);
    if (hash.digest('hex') === file.etag) return;
  } else if (file.bytes === 0 || bytes === file.bytes) {
    return;
  }
  rmSync(part);
  throw unreachable(file.url, 'the data does not match what the server announced, and was discarded');
}

/** Undefined if the tag is not a checksum; then only the length is checked. */
function hashFor(etag: string, bytes: number): Hash | undefined {
  if (/^[0-9a-f]{64}$/.test(etag)) return createHash('sha256');
  if (/^[0-9a-f]{40}$/.test(etag)) return createHash('sha1').update(`blob ${bytes}\0`);
  return undefined;
}

async function request(url: string, init: RequestInit): Promise<Response> {
  // Compressed, a file would be announced with another length than it has, and no part of it could be asked for.
  const headers = { ...init.headers, 'accept-encoding': 'identity' };
  try {
    return await fetch(url, { ...init, headers });
  } catch (error) {
    throw interrupted(url, error);
  }
}

function interrupted(url: string, error: unknown): ComputeError {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return unreachable(
    url,
    `${errorMessage(cause)}; HF_ENDPOINT can name a mirror, or install the model from a folder`,
    error,
  );
}

function unreachable(url: string, reason: string, cause?: unknown): ComputeError {
  return new ComputeError('MODEL_MISSING', `Could not download ${url}: ${reason}.`, {
    data: { url, reason },
    cause,
  });
}

/** For a repository without the files that every model needs. */
export function noSuchFile(repository: string, files: readonly string[], endpoint: string): NotFoundError {
  const message = `${repository} at ${endpoint} does not exist or has no ${files.join(' or ')}.`;
  return new NotFoundError(message, { data: { repository, files: [...files], endpoint } });
}
