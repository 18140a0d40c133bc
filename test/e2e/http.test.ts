import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callInFull, collected, MemoryHome } from './memory-home.js';
import { sessionId, TranscriptBuilder } from './transcript-builder.js';

let memory: MemoryHome;
let server: RunningServer;

beforeAll(async () => {
  memory = new MemoryHome();
  writeSession('aaaa0001', '/home/ada/mill');
  await memory.ingest();
  server = await start();
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  await memory.remove();
});

function writeSession(prefix: string, cwd: string): void {
  new TranscriptBuilder({ session: sessionId(prefix), cwd, start: '2026-02-01T10:00:00Z' })
    .exchange('What grinds the corn?', 'The mill stone grinds the corn.')
    .writeTo(memory.projects);
}

interface RunningServer {
  url: URL;
  token: string;
  said: () => string;
  stop: () => Promise<number | null>;
}

function start(...args: string[]): Promise<RunningServer> {
  return running(memory.server('--http', '--port', '0', ...args));
}

/** @param given the token, if it is not the one that is kept in the home */
async function running(child: ChildProcess, { home } = memory, given?: string): Promise<RunningServer> {
  const output = collected(child.stdout!);
  const exit = once(child, 'close').then(([code]) => code as number | null);
  while (!output.text().includes('token is in')) await once(child.stdout!, 'data');
  return {
    url: new URL(/http:\S+/.exec(output.text())![0]),
    token: given ?? readFileSync(join(home, 'http-token'), 'utf8').trim(),
    said: output.text,
    stop: () => {
      child.kill('SIGTERM');
      return exit;
    },
  };
}

async function connect(
  { url, token }: RunningServer,
  client = new Client({ name: 'causantic-http-tests', version: '1.0.0' }),
): Promise<Client> {
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bare', version: '1' } },
};

interface BareRequest {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  host?: string;
}

/** What a client library would not send. */
async function bare({
  method = 'POST',
  path = '/mcp',
  headers = {},
  body = JSON.stringify(initialize),
  host,
}: BareRequest) {
  const sent = request({
    host: host ?? server.url.hostname,
    port: server.url.port,
    method,
    path,
    headers: {
      host: server.url.host,
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
  sent.end(method === 'POST' ? body : undefined);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const text = collected(response);
  await once(response, 'end');
  return { status: response.statusCode, headers: response.headers, text: text.text() };
}

describe('a client with the token', () => {
  it('searches, lists and reads as over stdio', async () => {
    const [overHttp, overStdio] = [await connect(server), await memory.connect()];
    const question = { query: 'What grinds the corn?' };
    const { text, hits } = await callInFull(overHttp, 'search', question);
    expect(text).toContain('mill stone');
    expect(hits).toEqual((await callInFull(overStdio, 'search', question)).hits);
    expect(await overHttp.listTools()).toEqual(await overStdio.listTools());
    expect((await overHttp.listResources()).resources).toHaveLength(2);
    await overHttp.close();
  });

  it('is one of several, each with a session of its own', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => connect(server)));
    const ids = clients.map((each) => (each.transport as StreamableHTTPClientTransport).sessionId);
    expect(new Set(ids).size).toBe(8);
    const answers = await Promise.all(
      clients.flatMap((each) => [call(each, 'search', { query: 'corn' }), call(each, 'list-projects')]),
    );
    for (const { text } of answers) expect(text).toContain('mill');
    await (clients[0]!.transport as StreamableHTTPClientTransport).terminateSession();
    const ended = await bare({ headers: { 'mcp-session-id': ids[0]! } });
    expect(ended.status).toBe(404);
    expect((await call(clients[1]!, 'stats')).text).toContain('Chunks: ');
    await Promise.all(clients.map((each) => each.close()));
  });

  it('is given a map of the folder that it works in, not of the one that the server was started in', async () => {
    const folder = join(memory.folder, 'of-the-client');
    mkdirSync(folder);
    writeFileSync(join(folder, 'sail.ts'), 'export function hoist() {}\n');
    writeFileSync(join(memory.folder, 'server.ts'), 'export function serve() {}\n');
    const client = new Client({ name: 'editor', version: '1.0.0' }, { capabilities: { roots: {} } });
    const roots = [{ uri: pathToFileURL(folder).href }];
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
    const { text } = await call(await connect(server, client), 'repomap');
    expect(text).toContain('fn hoist');
    expect(text).not.toContain('fn serve');
    await client.close();
  });

  it('hears of a new project', async () => {
    const client = await connect(server);
    await client.listResources();
    const heard = new Promise<string>((resolve) => {
      client.fallbackNotificationHandler = ({ method }) => Promise.resolve(resolve(method));
    });
    writeSession('bbbb0001', '/home/ada/pond');
    await memory.ingest();
    expect(await heard).toBe('notifications/resources/list_changed');
    await client.close();
  });
});

describe('refused', () => {
  it.each<[what: string, request: BareRequest, status: number]>([
    ['no token', { headers: { authorization: '' } }, 401],
    ['a wrong token', { headers: { authorization: 'Bearer 0123456789abcdef0123456789abcdef' } }, 401],
    ['another scheme', { headers: { authorization: 'Basic Y2F1c2FudGlj' } }, 401],
    ['a foreign origin', { headers: { origin: 'https://evil.example' } }, 403],
    ['an origin that looks like ours', { headers: { origin: 'http://localhost.evil.example' } }, 403],
    ['a page without an origin of its own', { headers: { origin: 'null' } }, 403],
    ['a name that was made to lead here', { headers: { host: 'evil.example' } }, 403],
    ['another path', { path: '/' }, 404],
    ['another method', { method: 'PUT' }, 405],
    ['what is not JSON', { body: '{' }, 400],
    ['a call without a session', { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }, 400],
    ['a session that there is not', { headers: { 'mcp-session-id': 'x' } }, 404],
    ['a body that is too large', { body: JSON.stringify({ ...initialize, x: 'x'.repeat(5_000_000) }) }, 413],
  ])('%s', async (_what, given, status) => {
    const answer = await bare(given);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', error: {} });
    expect(answer.text).not.toContain(server.token);
    if (status === 401) expect(answer.headers['www-authenticate']).toContain('Bearer');
  });

  it('a large body that does not say its length', async () => {
    const headers = { 'transfer-encoding': 'chunked' };
    expect((await bare({ headers, body: ' '.repeat(5_000_000) })).status).toBe(413);
  });

  it('and the same without what was wrong is not', async () => {
    expect((await bare({})).status).toBe(200);
    expect((await bare({ headers: { origin: 'http://localhost:6274' } })).status).toBe(200);
    expect((await bare({ headers: { host: `localhost:${server.url.port}` } })).status).toBe(200);
  });
});

describe('from outside', () => {
  const outside = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

  it.runIf(outside)('nobody reaches a server that was not told so', async () => {
    await expect(bare({ host: outside! })).rejects.toThrow(/ECONNREFUSED/);
  });

  it.each(['0.0.0.0', '::', '192.0.2.1', 'example.org'])('%s needs a second word', async (host) => {
    const other = MemoryHome.ofTest();
    const { code, stdout, stderr } = await other.causantic('serve', '--http', '--port', '0', '--host', host);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--allow-remote');
    expect(existsSync(other.home)).toBe(false);
  });

  it('no host at all is refused, even with it', async () => {
    const { code, stderr } = await memory.causantic('serve', '--http', '--host', '', '--allow-remote');
    expect(code).toBe(2);
    expect(stderr).toContain('a name or an address');
  });

  it.runIf(outside)('with it, whoever has the token gets in by an address of the machine', async () => {
    const remote = await start('--host', '0.0.0.0', '--allow-remote');
    const url = new URL(remote.url.href.replace('0.0.0.0', outside!));
    const client = await connect({ ...remote, url });
    expect((await call(client, 'list-projects')).text).toContain('mill');
    await client.close();
    await expect(connect({ ...remote, url, token: 'x'.repeat(43) })).rejects.toThrow();
    expect(await remote.stop()).toBe(0);
  });
});

describe('the token', () => {
  it('is for its owner alone, the same at the next start, and never said', async () => {
    const file = join(memory.home, 'http-token');
    expect(server.said()).toContain(`The token is in ${file}`);
    expect(server.said()).not.toContain(server.token);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    const again = await start();
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(again.token).toBe(server.token);
    expect(await again.stop()).toBe(0);
  });

  it('is made anew where a full disk left an empty file', async () => {
    const other = MemoryHome.ofTest();
    mkdirSync(other.home, { recursive: true });
    writeFileSync(join(other.home, 'http-token'), '');
    const child = other.serverWith({ CAUSANTIC_HTTP_TOKEN: ' ' }, '--http', '--port', '0');
    const again = await running(child, other);
    expect(again.token).toMatch(/^[\w-]{43}$/);
    expect(await again.stop()).toBe(0);
  });

  it('is in a home that is named from where the server is started', async () => {
    const other = MemoryHome.ofTest();
    const child = other.serverWith({ CAUSANTIC_HOME: 'home' }, '--http', '--port', '0');
    const again = await running(child, other);
    expect(again.said()).toContain(`The token is in ${join(other.home, 'http-token')}`);
    await (await connect(again)).close();
    expect(await again.stop()).toBe(0);
  });

  it.skipIf(process.platform === 'win32')('is taken as it is from a disk that is read-only', async () => {
    const disk = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      fs.chmodSync = () => { throw new Error('EROFS: read-only file system'); }; syncBuiltinESMExports();`;
    const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(disk)}` };
    const again = await running(memory.serverWith(env, '--http', '--port', '0'));
    expect(again.token).toBe(server.token);
    expect(await again.stop()).toBe(0);
  });

  it('may come from the environment, and none is kept then', async () => {
    const other = MemoryHome.ofTest();
    const given = 'sixteen letters!';
    const child = other.serverWith({ CAUSANTIC_HTTP_TOKEN: `${given}\n` }, '--http', '--port', '0');
    const again = await running(child, other, given);
    expect(again.said()).toContain('The token is in CAUSANTIC_HTTP_TOKEN\n');
    await (await connect(again)).close();
    expect(existsSync(join(other.home, 'http-token'))).toBe(false);
    expect(await again.stop()).toBe(0);
  });

  it.each([
    ['that can be guessed', 'short'],
    ['that no client can send', 'Mühlsteinmühlstein'],
  ])('from the environment must not be one %s', async (_what, token) => {
    const { code, stderr } = await memory.causanticWith({ CAUSANTIC_HTTP_TOKEN: token }, 'serve', '--http');
    expect(code).toBe(2);
    expect(stderr).toContain('CAUSANTIC_HTTP_TOKEN');
    expect(stderr).not.toContain(`${token}"`);
  });
});

it('clients that end without saying so keep no other out; one that comes back begins anew, one that listens stays', async () => {
  const listening = await connect(server);
  const first = await bare({});
  for (let n = 0; n < 100; n++) expect((await bare({})).status).toBe(200);
  const back = await bare({ headers: { 'mcp-session-id': String(first.headers['mcp-session-id']) } });
  expect(back.status).toBe(404);
  expect(back.text).toContain('connect again');
  expect((await call(listening, 'list-projects')).text).toContain('mill');
  await listening.close();
});

it.runIf(process.platform === 'linux')(
  'clients that vanish without a word are asked for',
  async ({ skip }) => {
    const client = await connect(server);
    const serverEnd = `:${Number(server.url.port).toString(16).toUpperCase().padStart(4, '0')}`;
    const established = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state]) => state === '01');
    const timers = (column: 1 | 2): (string | undefined)[] =>
      established
        .filter((fields) => fields[column]?.endsWith(serverEnd))
        .map((fields) => fields[5]?.slice(0, 2));
    const [ofServer, ofClient] = [timers(1), timers(2)];
    await client.close();
    skip(!ofClient.includes('02'), 'this system does not tell of timers, which clients have');
    expect(ofServer).not.toEqual([]);
    expect(ofServer).not.toContain('00');
  },
);

it('a client that leaves while it sends is nothing to tell of', async () => {
  const child = memory.server('--http', '--port', '0');
  const told = collected(child.stderr!);
  const left = await running(child);
  const headers = { authorization: `Bearer ${left.token}`, 'content-length': 100 };
  const sending = request(left.url, { method: 'POST', headers });
  sending.on('error', () => undefined);
  sending.write('{');
  await sleep(100);
  sending.destroy();
  await sleep(100);
  expect(await left.stop()).toBe(0);
  expect(told.text()).toBe('');
});

it('a call that runs is answered before the server ends', async () => {
  const ending = await start();
  const client = await connect(ending);
  const answer = call(client, 'search', { query: 'corn' });
  // Sent after it, answered while it runs.
  await client.ping();
  const stopped = ending.stop();
  expect((await answer).text).toContain('mill stone');
  expect(await stopped).toBe(0);
});

describe.skipIf(process.platform === 'win32')('a map that waits for Git', () => {
  async function withMap() {
    const pidFile = join(memory.folder, 'git.pid');
    const git = `#!/bin/sh\necho $$ > '${pidFile}'\nexec sleep 600\n`;
    writeFileSync(pidFile, '');
    writeFileSync(join(memory.folder, 'git'), git, { mode: 0o755 });
    const env = { PATH: `${memory.folder}:${process.env['PATH']}` };
    const child = memory.serverWith(env, '--http', '--port', '0');
    const mapping = await running(child);
    const client = await connect(mapping);
    const answer = call(client, 'repomap', { project: memory.folder }).catch(() => undefined);
    while (readFileSync(pidFile, 'utf8') === '') await sleep(20);
    return { child, mapping, client, answer, pid: Number(readFileSync(pidFile, 'utf8')) };
  }

  it('stops when its client left', async () => {
    const { mapping, client, answer, pid } = await withMap();
    await client.close();
    await answer;
    while (isRunning(pid)) await sleep(20);
    expect(await mapping.stop()).toBe(0);
  });

  it('does not keep a server that is asked a second time to end', async () => {
    const { child, mapping } = await withMap();
    child.kill('SIGINT');
    expect(await mapping.stop()).toBe(1);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it('a port that is in use is named', async () => {
  const port = server.url.port;
  const { code, stderr } = await memory.causantic('serve', '--http', '--port', port);
  expect(code).toBe(1);
  expect(stderr).toContain(`causantic: Cannot listen on port ${port} of 127.0.0.1: address already in use.`);
});

it('a port without --http is refused', async () => {
  const { code, stderr } = await memory.causantic('serve', '--port', '7000');
  expect(code).toBe(2);
  expect(stderr).toContain('--http');
});
