import type { Command, Option } from 'commander';
import { causanticHome, ConfigError, errorReason, InvalidArgumentError } from '@causantic/domain';
import { openHttpServer, serveStdio, Services } from '@causantic/mcp-server';
import { type HttpToken, httpToken } from '../http-token.js';
import { version } from '../own-program.js';

const DEFAULT_PORT = 7077;

interface ServeFlags {
  http?: boolean;
  host: string;
  port: string;
  allowRemote?: boolean;
}

/** `causantic serve`: on stdio for the agent that starts it, or on HTTP for many clients. */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('Run the MCP server. On stdio it exits when stdin closes.')
    .option('--http', 'serve over HTTP instead, on this machine only; clients need a token')
    .option('--host <name>', 'the address to listen on', '127.0.0.1')
    .option('--port <number>', 'the port to listen on; 0 picks a free one', String(DEFAULT_PORT))
    .option('--allow-remote', 'allow a --host that other machines can reach; nothing is encrypted')
    .action(async (flags: ServeFlags, command: Command) => {
      if (flags.http) return serveHttp(flags);
      refuseHttpOptions(command);
      await serveStdio(version);
    });
}

/** Whoever names a port means HTTP: a server that waits at stdin would leave them wondering. */
function refuseHttpOptions(command: Command): void {
  const isGiven = (option: Option): boolean => command.getOptionValueSource(option.attributeName()) === 'cli';
  const given = command.options.find(isGiven);
  if (!given) return;
  const value: unknown = command.getOptionValue(given.attributeName());
  throw new InvalidArgumentError(given.name(), value, '--http with it');
}

async function serveHttp({ host, port, allowRemote = false }: ServeFlags): Promise<void> {
  // The server leaves this folder, and a relative home is one in it.
  const home = causanticHome();
  const kept = (): HttpToken => httpToken(home, process.env);
  const services = Services.ofServer(version, { isShared: true });
  const server = await openHttpServer(services, {
    token: () => kept().token,
    host,
    port: portNumber(port),
    allowRemote,
  });
  const stopped = stopSignal();
  const url = await server.listen().catch((cause: unknown) => {
    const place = `port ${port} of ${host}`;
    const message = `Cannot listen on ${place}: ${errorReason(cause)}. --port and --host name others.`;
    throw new ConfigError(message, { cause });
  });
  process.stdout.write(`Listening on ${url}\nThe token is in ${kept().place}\n`);
  await stopped;
  await server.close();
  process.exit(0);
}

/** Whoever asks a second time does not want to wait for what runs. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (): void => {
      if (isStopping) process.exit(1);
      isStopping = true;
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  });
}

function portNumber(text: string): number {
  const port = Number(text);
  if (text.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('port', text, 'a whole number from 0 to 65535');
}
