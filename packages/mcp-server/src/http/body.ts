import type { IncomingMessage } from 'node:http';
import { jsonValue } from '@causantic/domain';

/** No message of the protocol comes close: the longest arguments are texts of 200,000 characters. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

export type Body = { body: unknown } | { problem: 'too large' | 'not JSON' };

/** The body of a request, or why there is none; an oversized one is not kept in memory. */
export async function readJson(request: IncomingMessage): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return { problem: 'too large' };
  const text = await readText(request);
  if (text === undefined) return { problem: 'too large' };
  const body = jsonValue(text);
  return body === undefined ? { problem: 'not JSON' } : { body };
}

function readText(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    // Not `for await`: leaving such a loop early would cut the connection before the answer is sent.
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve(undefined);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}
