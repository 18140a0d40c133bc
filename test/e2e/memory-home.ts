import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from 'better-sqlite3';
import { openSqlite } from '@causantic/storage';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished } from 'vitest';
import { neutralEnvironment } from './environment.js';

const workspace = fileURLToPath(new URL('../../', import.meta.url));
export const SERVER = join(workspace, 'apps/mcp-server/bin/causantic.mjs');
export const REINDEX = join(workspace, 'apps/reindex/bin/causantic-reindex.mjs');

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

/** What the report of `causantic-reindex --json` holds, as far as tests look. */
export interface Report {
  files: number;
  sessions: number;
  turns: number;
  chunks: number;
  vectors: number;
  skipped: number;
  issues: { file: string; line: number | null; code: string; message: string }[];
}

export interface HitOnTheWire {
  chunkId: number;
  sessionId: string;
  project: string;
  agent: string | null;
  score: number;
  sources: string[];
  tokens: number;
  startTime: string | null;
}

export interface Answer {
  text: string;
  hits: HitOnTheWire[];
  diagnostics: unknown;
}

/** As the system names it, and so a client does. In small letters: `woM0fT` in a path would be taken for a name in code. */
function temporaryFolder(): string {
  const made = mkdtempSync(join(realpathSync.native(tmpdir()), 'causantic-e2e-'));
  const folder = join(dirname(made), basename(made).toLowerCase());
  if (folder !== made) renameSync(made, folder);
  return folder;
}

/** A throw-away home, the folders of Claude Code, Codex, Gemini, Copilot, Qwen Code, opencode and Cline, and the real programs on them. People of New York use it. */
export class MemoryHome {
  readonly folder = temporaryFolder();
  readonly home = join(this.folder, 'home');
  readonly projects = join(this.folder, 'claude', 'projects');
  readonly codexSessions = join(this.folder, 'codex', 'sessions');
  readonly copilotSessions = join(this.folder, 'copilot', 'session-state');
  readonly qwenProjects = join(this.folder, 'qwen', 'projects');
  readonly clineSessions = join(this.folder, 'cline', 'sessions');
  readonly opencodeFolder = join(this.folder, 'data', 'opencode');
  readonly geminiChats = join(this.folder, '.gemini', 'tmp', 'loom', 'chats');
  private readonly clients: Client[] = [];

  constructor() {
    mkdirSync(this.projects, { recursive: true });
  }

  /** One that goes with the test that runs, also if that fails. */
  static ofTest(): MemoryHome {
    const home = new MemoryHome();
    onTestFinished(() => home.remove());
    return home;
  }

  /** @param args after the program's name; without any, what stands in the clients' folders is read */
  reindex(...args: string[]): Promise<Finished> {
    return finished(this.startReindex(...args));
  }

  startReindex(...args: string[]): ChildProcess {
    return this.spawn(REINDEX, args);
  }

  /** Read what stands in the clients' folders. */
  async ingest(): Promise<Report> {
    const { code, stdout, stderr } = await this.reindex('--json');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    return JSON.parse(stdout) as Report;
  }

  causantic(...args: string[]): Promise<Finished> {
    return finished(this.start(...args));
  }

  /** A command beside a program that writes for longer than a server would wait: it has to say that it waits. */
  async causanticBesideWriter(...args: string[]): Promise<string> {
    const writer = openSqlite(join(this.home, 'memory.db'));
    writer.exec('BEGIN IMMEDIATE');
    const command = this.start(...args);
    command.stderr!.once('data', () => setTimeout(() => writer.close(), 5_000));
    const { code, stdout, stderr } = await finished(command);
    writer.close();
    expect(stderr).toMatch(/^causantic: waiting for another process that is writing to the memory.*\n$/);
    expect(code).toBe(0);
    return stdout;
  }

  /** A command that waits for what it is sent. */
  start(...args: string[]): ChildProcess {
    return this.spawn(SERVER, args);
  }

  /** @param env added to the environment */
  causanticWith(env: Record<string, string>, ...args: string[]): Promise<Finished> {
    return finished(this.spawn(SERVER, args, env));
  }

  /** The bare server process, for what a client library would hide. */
  server(...args: string[]): ChildProcess {
    return this.serverWith({}, ...args);
  }

  /** @param env added to the environment */
  serverWith(env: Record<string, string>, ...args: string[]): ChildProcess {
    return this.spawn(SERVER, ['serve', ...args], env);
  }

  /** The server of a program that lies elsewhere. */
  serverOf(program: string): ChildProcess {
    return this.spawn(program, ['serve']);
  }

  /** A client with a server of its own. */
  async connect(
    env: Record<string, string> = {},
    client = new Client({ name: 'causantic-tests', version: '1.0.0' }),
  ): Promise<Client> {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [SERVER, 'serve'],
      env: this.environment(env),
      cwd: this.folder,
    });
    await client.connect(transport);
    this.clients.push(client);
    return client;
  }

  /** The stored vectors of chunks that hold this text. */
  vectorsOf(text: string): Buffer[] {
    return this.read((database) => {
      const sql =
        'SELECT vector FROM chunk_vector JOIN chunk ON chunk.id = chunk_id WHERE instr(text, ?) > 0';
      return database.prepare(sql).pluck().all(text) as Buffer[];
    });
  }

  /** The stored texts of these chunks, in this order, read behind the tools' back. */
  chunkTexts(ids: readonly number[]): string[] {
    return this.read((database) => {
      const statement = database.prepare('SELECT text FROM chunk WHERE id = ?').pluck();
      return ids.map((id) => statement.get(id) as string);
    });
  }

  /** What stands in the database, past the product. */
  private read<T>(work: (database: Database) => T): T {
    const database = openSqlite(join(this.home, 'memory.db'), { readonly: true });
    try {
      return work(database);
    } finally {
      database.close();
    }
  }

  /** End all clients with their servers. */
  async disconnect(): Promise<void> {
    await Promise.all(this.clients.splice(0).map((client) => client.close()));
  }

  async remove(): Promise<void> {
    await this.disconnect();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private spawn(program: string, args: string[], env: Record<string, string> = {}): ChildProcess {
    return spawn(process.execPath, [program, ...args], { env: this.environment(env), cwd: this.folder });
  }

  private environment(more: Record<string, string> = {}): Record<string, string> {
    return {
      ...neutralEnvironment(),
      CAUSANTIC_HOME: this.home,
      CLAUDE_CONFIG_DIR: join(this.folder, 'claude'),
      CODEX_HOME: join(this.folder, 'codex'),
      GEMINI_CLI_HOME: this.folder,
      COPILOT_HOME: join(this.folder, 'copilot'),
      QWEN_HOME: join(this.folder, 'qwen'),
      CLINE_DATA_DIR: join(this.folder, 'cline'),
      XDG_DATA_HOME: join(this.folder, 'data'),
      TZ: 'America/New_York',
      ...more,
    };
  }
}

/** What a program says that is sent this. */
export async function finished(child: ChildProcess, input = ''): Promise<Finished> {
  // One that needs no input may be gone before it is sent.
  child.stdin!.on('error', () => undefined);
  child.stdin!.end(input);
  const [stdout, stderr] = [collected(child.stdout!), collected(child.stderr!)];
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** What a stream has given so far. */
export function collected(stream: NodeJS.ReadableStream): { text(): string } {
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  return { text: () => Buffer.concat(pieces).toString('utf8') };
}

/** Call a tool that must succeed; every result has one text block and nothing that hides it. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args });
  expect(result).not.toHaveProperty('structuredContent');
  expect(result.isError ?? false).toBe(false);
  expect(result.content).toEqual([{ type: 'text', text: expect.any(String) as string }]);
  const [{ text }] = result.content as [{ text: string }];
  const meta = result._meta ?? {};
  return {
    text,
    hits: (meta['causantic/hits'] ?? []) as HitOnTheWire[],
    diagnostics: meta['causantic/diagnostics'],
  };
}

/** As `call`, until all that an answer can rest on was there in time: a busy machine may decide by words alone. */
export async function callInFull(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Answer> {
  for (;;) {
    const answer = await call(client, name, args);
    const { degraded = [] } = answer.diagnostics as { degraded?: string[] };
    if (degraded.length === 0) return answer;
  }
}

/** Call a tool that must refuse. */
export async function refusal(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<McpError> {
  const outcome: unknown = await client.callTool({ name, arguments: args }).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(McpError);
  return outcome as McpError;
}
