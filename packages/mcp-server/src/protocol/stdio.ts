import { errorMessage, printAside } from '@causantic/domain';
import { Services } from '../services.js';
import { MemoryServer } from './server.js';
import { StdioTransport } from './stdio-transport.js';

/**
 * Serves on stdio until stdin closes or a signal arrives, and then finishes running calls first. A second signal, which
 * clients send when they have waited enough, cancels what can be cancelled, and no longer waits for a client that does not
 * read.
 */
export async function serveStdio(version: string): Promise<void> {
  const services = servicesOf(version);
  const server = new MemoryServer(services, performance.timeOrigin);
  let closing = false;
  const hurry = new AbortController();
  const stop = (): void => {
    // Closing the server closes the transport, which calls this again.
    if (closing) return;
    closing = true;
    void server
      .close()
      .then(() => services.close())
      .then(() => flushed(hurry.signal))
      .then(() => process.exit(0), fail);
  };
  const stopSooner = (): void => {
    if (closing) {
      server.cancelCalls();
      hurry.abort();
    }
    stop();
  };
  process.stdin.on('end', stop);
  process.stdin.on('close', stop);
  process.stdin.on('error', stop);
  // The last is that of a terminal that is closed, while a deletion may be rewriting the file.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stopSooner);
  // The command line's own would end the process at once, as a command does with its reader.
  process.stdout.removeAllListeners('error').on('error', () => {
    // A client that died leaves a broken pipe: nobody is there to be told.
    server.cancelCalls();
    stop();
  });
  process.stderr.on('error', () => undefined);
  // Each answer waits by itself for a client that reads slowly; many at once are no leak.
  process.stdout.setMaxListeners(0);
  if (process.stdin.isTTY) {
    process.stderr.write('causantic: waiting for an MCP client on stdin; Ctrl-D ends the server.\n');
  }
  // A message too large to take closes the transport: a server that hears nothing more is of no use.
  await server.connect(new StdioTransport(process.stdin, process.stdout), () => {
    if (!closing) printAside('causantic: ended, because a message of more than 10 MB arrived.');
    stop();
  });
}

function servicesOf(version: string): Services {
  try {
    return Services.ofServer(version);
  } catch (error) {
    return fail(error);
  }
}

/** Resolves when all output is written. Exiting earlier would cut it off on systems that write pipes in the background. */
function flushed(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write('', () => resolve());
    signal.addEventListener('abort', () => resolve());
    if (signal.aborted) resolve();
  });
}

function fail(error: unknown): never {
  printAside(`causantic: ${errorMessage(error)}`);
  process.exit(1);
}
