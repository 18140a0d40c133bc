import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { errorMessage, InvalidArgumentError, printAside } from '@causantic/domain';
import { PARSE_ERROR, rpcError, withoutNulls } from '../protocol/messages.js';
import type { Services } from '../services.js';
import { MAX_BODY_BYTES, readJson } from './body.js';
import { isLoopback, RequestGuard } from './guard.js';
import { Sessions } from './sessions.js';

const HTTP_PATH = '/mcp';
const METHODS = 'GET, POST, DELETE';
/** A machine that fell asleep never closes its connections: asked by the system, it is silent, and its session becomes idle. */
const SOCKETS = { keepAlive: true, keepAliveInitialDelay: 60_000 };

export interface HttpOptions {
  /** What clients must present, asked for where the host is allowed; the transport is not encrypted. */
  token: () => string;
  /** Name or address to listen at. */
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Whether `host` may be reachable from other machines. */
  allowRemote?: boolean;
}

/** The memory over MCP's Streamable HTTP, for many clients at once. */
export class HttpMemoryServer {
  private readonly server = createServer(SOCKETS, (request, response) => void this.answer(request, response));
  private readonly guard: RequestGuard;
  private readonly sessions: Sessions;

  /** @throws InvalidArgumentError for no host, and for one beyond loopback that was not explicitly allowed */
  constructor(
    private readonly services: Services,
    private readonly options: HttpOptions,
  ) {
    if (options.host.trim() === '')
      throw new InvalidArgumentError('host', options.host, 'a name or an address');
    if (!isLoopback(options.host) && !options.allowRemote) {
      throw new InvalidArgumentError('host', options.host, 'a loopback address, or --allow-remote with it');
    }
    this.guard = new RequestGuard(options.token(), options.host);
    this.sessions = new Sessions(services);
  }

  /**
   * Starts listening.
   * @returns the address for clients
   * @throws NodeJS.ErrnoException, such as EADDRINUSE
   */
  async listen(): Promise<string> {
    const { host, port } = this.options;
    this.server.listen(port, host);
    await once(this.server, 'listening');
    const { port: actualPort } = this.server.address() as AddressInfo;
    return `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}${HTTP_PATH}`;
  }

  /** Accepts no more requests, finishes running ones, then closes the server and the services. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    await this.sessions.close();
    this.server.closeAllConnections();
    await closed;
    await this.services.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.route(request, response);
    } catch (error) {
      // The client left while it sent the request.
      if (request.errored) return;
      // The message may contain file names, so it goes only to the server's own log.
      printAside(`causantic: ${errorMessage(error)}`);
      refuse(response, 500, 'Internal error; see the server log.');
    }
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.guard.refusal(request.headers);
    if (refusal) return refuse(response, refusal.status, refusal.message);
    if (request.url?.split('?')[0] !== HTTP_PATH)
      return refuse(response, 404, `Not found; the only path is ${HTTP_PATH}.`);
    if (request.method === 'POST') return this.post(request, response);
    if (!METHODS.includes(request.method ?? '')) return refuse(response, 405, `Only ${METHODS} are allowed.`);
    await this.forward(request, response);
  }

  private async post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = await readJson(request);
    if (!('problem' in read)) return this.forward(request, response, withoutNulls(read.body));
    if (read.problem === 'not JSON')
      return refuse(response, 400, 'The request body is not JSON.', PARSE_ERROR);
    refuse(response, 413, `The request body exceeds ${MAX_BODY_BYTES} bytes.`);
  }

  private async forward(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void> {
    const id = request.headers['mcp-session-id'];
    const session =
      typeof id === 'string'
        ? this.sessions.find(id)
        : isInitializeRequest(body) && (await this.sessions.begin());
    if (session === false) return refuse(response, 400, 'A session must begin with initialize.');
    // A client that is told 404 begins anew, as the protocol says.
    if (!session && id !== undefined)
      return refuse(response, 404, 'There is no such session, or no longer; connect again.');
    if (!session) return refuse(response, 503, 'Too many sessions.');
    this.sessions.hold(session, response);
    await session.transport.handleRequest(request, response, body);
  }
}

const SERVER_ERROR = -32000;

function refuse(response: ServerResponse, status: number, message: string, code = SERVER_ERROR): void {
  if (response.headersSent) return void response.destroy();
  const headers = {
    'content-type': 'application/json',
    // Strangers are not listened to any longer; a client hears the answer only after all it sends was taken.
    ...((status === 401 || status === 403) && { connection: 'close' }),
    ...(status === 401 && { 'www-authenticate': 'Bearer realm="causantic"' }),
    ...(status === 405 && { allow: METHODS }),
  };
  response.req.resume();
  response.writeHead(status, headers);
  response.end(JSON.stringify(rpcError(code, message)));
}
