import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { neutralEnvironment } from './environment.js';
import { finished, type Finished } from './memory-home.js';
import { TranscriptBuilder } from './transcript-builder.js';

const PROGRAM = fileURLToPath(new URL('../../apps/mcp-server/bin/causantic.mjs', import.meta.url));

/** A user's home folder with Claude Code in it, and a project that is worked on. */
export class ClaudeHome {
  readonly folder = mkdtempSync(join(realpathSync.native(tmpdir()), 'causantic home '));
  readonly memory = join(this.folder, '.causantic');
  readonly settings = join(this.folder, '.claude', 'settings.json');
  readonly state = join(this.folder, '.claude.json');
  readonly projects = join(this.folder, '.claude', 'projects');
  readonly project = join(this.folder, 'shop');
  readonly env: Record<string, string>;

  constructor() {
    mkdirSync(this.projects, { recursive: true });
    mkdirSync(this.project);
    this.env = { ...neutralEnvironment(), HOME: this.folder, USERPROFILE: this.folder, TZ: 'UTC' };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  write(file: string, text: string): string {
    writeFileSync(file, text);
    return text;
  }

  causantic(...args: string[]): Promise<Finished> {
    return finished(this.spawn(args));
  }

  /** A hook, started without the shell that a client would use. */
  hook(name: string, input: Record<string, unknown>, ...args: string[]): Promise<Finished> {
    return finished(this.spawn(['hook', name, ...args]), JSON.stringify(input));
  }

  spawn(args: string[], options: SpawnOptions = {}): ChildProcess {
    return spawn(process.execPath, [PROGRAM, ...args], { env: this.env, cwd: this.project, ...options });
  }

  /** A command line, run by a shell as Claude Code runs those of hooks. */
  shell(command: string, input: Record<string, unknown>): Promise<Finished> {
    const env = { ...this.env, CLAUDE_PROJECT_DIR: this.project };
    return finished(spawn(command, { shell: true, env, cwd: this.project }), JSON.stringify(input));
  }

  /** A client of the server that Claude Code's own file names. */
  async client(): Promise<Client> {
    const { mcpServers } = JSON.parse(readFileSync(this.state, 'utf8')) as {
      mcpServers: { causantic: { command: string; args: string[]; env: Record<string, string> } };
    };
    const client = new Client({ name: 'causantic-tests', version: '1.0.0' });
    const { causantic } = mcpServers;
    const env = { ...this.env, ...causantic.env };
    await client.connect(new StdioClientTransport({ ...causantic, env, cwd: this.project }));
    return client;
  }

  /** A session in the project on this day; `writeTo(projects)` puts it where Claude Code would. */
  session(session: string, day: string): TranscriptBuilder {
    return new TranscriptBuilder({ session, cwd: this.project, start: `${day}T10:00:00Z` });
  }

  /** What a hook is told of a session whose transcript lies at this path. */
  input(event: string, session: string, transcriptPath: string, more: object = {}): Record<string, unknown> {
    const common = { session_id: session, transcript_path: transcriptPath, cwd: this.project };
    return { ...common, hook_event_name: event, ...more };
  }

  runs(): Record<string, { ok: boolean; message: string }> {
    const status = readFileSync(join(this.memory, 'hook-status.json'), 'utf8');
    return JSON.parse(status) as Record<string, { ok: boolean; message: string }>;
  }
}
