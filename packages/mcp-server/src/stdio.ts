import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { MemoryServer } from './server.js';
import { Services } from './services.js';

/** Serve on stdio until stdin closes or a signal comes; what runs then is finished first. */
export async function serveStdio(version: string): Promise<void> {
  const server = new MemoryServer(new Services(version));
  let closing: Promise<void> | undefined;
  const stop = (): void => {
    closing ??= server.close().then(() => process.exit(0), fail);
  };
  process.stdin.on('end', stop);
  process.stdin.on('close', stop);
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // A client that died leaves a broken pipe: nobody is there to be told.
  process.stdout.on('error', stop);
  await server.connect(new StdioServerTransport());
}

function fail(error: unknown): never {
  process.stderr.write(`causantic: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
