import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { networkInterfaces, hostname } from 'node:os';

/** Why a request is refused. */
export interface Refusal {
  status: 401 | 403;
  message: string;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a server listening at this address can be reached only from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Accepts requests that have the token, use a host name of this server, and do not come from a foreign web page. */
export class RequestGuard {
  private readonly tokenHash: Buffer;
  private readonly names: ReadonlySet<string>;

  /** @param host where the server listens */
  constructor(token: string, host: string) {
    this.tokenHash = hash(token);
    this.names = new Set(
      isLoopback(host) ? [...LOOPBACK, inUrl(host)] : [...LOOPBACK, inUrl(host), ...ownNames()],
    );
  }

  refusal(headers: IncomingHttpHeaders): Refusal | undefined {
    // A page whose name was made to lead here (DNS rebinding) still says that name.
    if (!this.names.has(nameOf(`http://${headers.host ?? ''}`) ?? '')) {
      return { status: 403, message: `Host ${headers.host ?? '(none)'} is not allowed.` };
    }
    const { origin } = headers;
    if (origin !== undefined && !LOOPBACK.includes(nameOf(origin) ?? '')) {
      return { status: 403, message: `Origin ${origin} is not allowed.` };
    }
    if (!this.holdsToken(headers.authorization)) {
      return { status: 401, message: 'A bearer token is required: Authorization: Bearer <token>.' };
    }
    return undefined;
  }

  /** Hashes of equal length are compared, in constant time: neither length nor content leaks. */
  private holdsToken(authorization = ''): boolean {
    const given = /^Bearer +(.+)$/i.exec(authorization)?.[1] ?? '';
    return timingSafeEqual(hash(given), this.tokenHash);
  }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The names and addresses under which others reach this machine. */
function ownNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return [hostname().toLowerCase(), ...addresses.map(({ address }) => inUrl(address))];
}

/** As a URL writes it: `[::1]`. */
function inUrl(host: string): string {
  return host.includes(':') ? `[${host.toLowerCase()}]` : host.toLowerCase();
}

function nameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
