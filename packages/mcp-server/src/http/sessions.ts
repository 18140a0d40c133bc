import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { MemoryServer } from '../protocol/server.js';
import type { Services } from '../services.js';

/** A client that neither sends nor listens for this long is gone. */
const IDLE_MS = 30 * 60_000;
/** Each takes a few hundred kilobytes; nobody has this many clients at once. */
const MOST_SESSIONS = 100;

interface Session {
  transport: StreamableHTTPServerTransport;
  server: MemoryServer;
  lastUsedMs: number;
  /** Requests that are being answered, the listening stream among them. */
  open: number;
}

/** The sessions of all clients. Each has its own server over the same services. */
export class Sessions {
  private readonly sessions = new Map<string, Session>();

  constructor(private readonly services: Services) {}

  find(id: string): Session | undefined {
    return this.sessions.get(id);
  }

  /**
   * Starts a session with the request that is then passed to its transport; undefined if too many are in use. The longest
   * idle session is ended to make room, because most clients disappear without ending theirs.
   */
  async begin(): Promise<Session | undefined> {
    this.endIdle();
    if (this.sessions.size >= MOST_SESSIONS) this.endLongestLeft();
    if (this.sessions.size >= MOST_SESSIONS) return undefined;
    const server = new MemoryServer(this.services);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.sessions.set(id, session),
      onsessionclosed: (id) => this.end(id),
    });
    const session: Session = { transport, server, lastUsedMs: Date.now(), open: 0 };
    await server.connect(transport);
    return session;
  }

  /**
   * The session is not idle until this response has ended; the listening stream ends with its client. When a client has no
   * connection left, nobody can receive the answers to its running calls.
   */
  hold(session: Session, response: ServerResponse): void {
    session.open++;
    response.once('close', () => {
      session.open--;
      session.lastUsedMs = Date.now();
      if (session.open === 0) session.server.cancelCalls();
    });
  }

  private endIdle(): void {
    const oldest = Date.now() - IDLE_MS;
    for (const [id, { open, lastUsedMs }] of this.sessions) {
      if (open === 0 && lastUsedMs < oldest) void this.end(id);
    }
  }

  private endLongestLeft(): void {
    const left = [...this.sessions].filter(([, { open }]) => open === 0);
    const [longest] = left.sort(([, a], [, b]) => a.lastUsedMs - b.lastUsedMs);
    if (longest) void this.end(longest[0]);
  }

  private async end(id: string): Promise<void> {
    const session = this.sessions.get(id);
    this.sessions.delete(id);
    await session?.server.close();
  }

  /** Finishes running calls, then ends every session. */
  async close(): Promise<void> {
    await Promise.all([...this.sessions.keys()].map((id) => this.end(id)));
  }
}
