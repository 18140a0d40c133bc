import { createHash, type Hash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ComputeError, NotFoundError, describeValue, errorMessage } from '@causantic/domain';

/** A file on the server before it is fetched. */
export interface RemoteFile {
  url: string;
  /** 0 if the server does not tell. */
  bytes: number;
  /** Its checksum on Hugging Face: SHA-256 for large files, git's SHA-1 for small ones; elsewhere any text, or none. */
  etag: string;
}

/** More redirects are a loop. */
const MAX_REDIRECTS = 5;

/** Asks for a file's size and checksum; undefined if there is no such file. */
export async function remoteFile(
  url: string,
  redirectsLeft = MAX_REDIRECTS,
): Promise<RemoteFile | undefined> {
  // Does not follow the redirect to the storage: the checksum is in the first response.
  const { status, ok, headers } = await request(url, { method: 'HEAD', redirect: 'manual' });
  if (status === 404 || status === 401) return undefined;
  if (status >= 400) throw unreachable(url, `the server answered ${status}`);
  const linkedEtag = headers.get('x-linked-etag');
  const target = linkedEtag === null ? redirectWithin(url, headers.get('location')) : undefined;
  if (target !== undefined) {
    if (redirectsLeft === 0) throw unreachable(url, 'the server redirects without end');
    return remoteFile(target, redirectsLeft - 1);
  }
  // What else a redirect says is about itself.
  const etag = linkedEtag ?? (ok ? headers.get('etag') : null) ?? '';
  const length = headers.get('x-linked-size') ?? (ok ? headers.get('content-length') : null) ?? 0;
  return { url, bytes: Number(length), etag: etag.replace(/^W\//, '').replaceAll('"', '') };
}

/** The new address on the same server: of a repository that was renamed. */
function redirectWithin(url: string, location: string | null): string | undefined {
  if (location === null) return undefined;
  if (!URL.canParse(location, url))
    throw unreachable(url, `the server redirects to ${describeValue(location)}`);
  const target = new URL(location, url);
  return target.host === new URL(url).host ? target.href : undefined;
}

/**
 * Fetches a file to `path`. What is there already is not fetched again, unless the file on the server may have changed.
 * Resolves once the checksum is verified; until the file is used, keep the note beside it, `path.etag`.
 *
 * @param onBytes called with the number of bytes received
 */
export async function download(
  file: RemoteFile,
  path: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  forgetOther(file, path);
  let have = existsSync(path) ? statSync(path).size : 0;
  if (have === 0 || have < file.bytes) have = await fetchRest(file, path, have, onBytes);
  else onBytes(have);
  await verify(file, path, have);
}

/** Removes what may be of another version. */
function forgetOther({ etag, bytes }: RemoteFile, path: string): void {
  const note = `${path}.etag`;
  const isSame = etag !== '' && existsSync(note) && readFileSync(note, 'utf8') === etag;
  if (isSame && bytes > 0) return;
  rmSync(path, { force: true });
  writeFileSync(note, etag);
}

async function fetchRest(
  file: RemoteFile,
  path: string,
  have: number,
  onBytes: (bytes: number) => void,
): Promise<number> {
  const response = await request(file.url, have > 0 ? { headers: { range: `bytes=${have}-` } } : {});
  if (!response.ok || !response.body) throw unreachable(file.url, `the server answered ${response.status}`);
  const resumed = response.status === 206;
  let bytes = resumed ? have : 0;
  const target = await open(path, resumed ? 'a' : 'w', 0o600);
  try {
    // Piece by piece to the file, so that all that came before an interruption is there next time.
    for await (const piece of piecesOf(response.body, file.url)) {
      await target.writeFile(piece);
      onBytes((bytes += piece.length));
      // It is none of what was announced, and may have no end.
      if (file.bytes > 0 && bytes > file.bytes) break;
    }
  } finally {
    await target.close();
  }
  return bytes;
}

/** What fails here is the connection; what fails around it is the disk. */
async function* piecesOf(body: NonNullable<Response['body']>, url: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body as unknown as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw interrupted(url, error);
  }
}

async function verify(file: RemoteFile, path: string, bytes: number): Promise<void> {
  const hash = hashFor(file.etag, bytes);
  if (hash) {
    await pipeline(createReadStream(path), hash);
    if (hash.digest('hex') === file.etag) return;
  } else if (file.bytes === 0 || bytes === file.bytes) {
    return;
  }
  rmSync(path);
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
