import type { Services } from '../services.js';
import type { HttpMemoryServer, HttpOptions } from './server.js';

/**
 * An HTTP server that does not listen yet. Its modules are loaded here, so that a server on stdio starts without them.
 * @throws InvalidArgumentError for a host beyond loopback that was not explicitly allowed
 */
export async function openHttpServer(services: Services, options: HttpOptions): Promise<HttpMemoryServer> {
  const { HttpMemoryServer } = await import('./server.js');
  return new HttpMemoryServer(services, options);
}
