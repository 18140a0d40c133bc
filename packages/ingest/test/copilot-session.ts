import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Json = Record<string, unknown>;

const START = Date.UTC(2026, 5, 1, 9, 0);

/** Writes the events of a session as Copilot CLI does: each names the one before. */
export class CopilotSession {
  readonly lines: string[] = [];
  private lastId: string | null = null;

  constructor(
    readonly id: string,
    private readonly minute = 0,
    context: Json = {},
  ) {
    this.event('session.start', {
      sessionId: id,
      version: 1,
      producer: 'copilot-agent',
      copilotVersion: '1.0.102',
      startTime: this.now(),
      context: { cwd: '/home/ada/shop', branch: 'main', ...context },
    });
  }

  private now(): string {
    return new Date(START + this.minute * 60_000 + this.lines.length * 1_000).toISOString();
  }

  event(type: string, data: Json, more: Json = {}): this {
    const id = `${this.id}-${this.lines.length}`;
    const record = { type, data, id, timestamp: this.now(), parentId: this.lastId, ...more };
    this.lastId = id;
    return this.raw(JSON.stringify(record));
  }

  raw(line: string): this {
    this.lines.push(line);
    return this;
  }

  prompt(content: string, data: Json = {}, more: Json = {}): this {
    const transformedContent = `<current_datetime>now</current_datetime>\n\n${content}\n\n<reminder>be kind</reminder>`;
    return this.event('user.message', { content, transformedContent, delivery: 'idle', ...data }, more)
      .event('system.message', { role: 'system', content: 'You are the GitHub Copilot CLI.' }, more)
      .event('assistant.turn_start', { turnId: '0' }, more);
  }

  /** @param calls as `[id, tool, arguments]` */
  answer(content: string, calls: [string, string, unknown][] = [], more: Json = {}): this {
    const toolRequests = calls.map(([toolCallId, name, args]) => ({ toolCallId, name, arguments: args }));
    this.event('assistant.message', { messageId: `m${this.lines.length}`, content, toolRequests }, more);
    for (const [toolCallId, toolName, args] of calls)
      this.event('tool.execution_start', { toolCallId, toolName, arguments: args }, more);
    return calls.length > 0 ? this : this.event('assistant.turn_end', { turnId: '0' }, more);
  }

  gave(toolCallId: string, content: string, more: Json = {}): this {
    return this.event('tool.execution_complete', { toolCallId, success: true, result: { content } }, more);
  }

  failed(toolCallId: string, message: string, code = 'failure'): this {
    return this.event('tool.execution_complete', { toolCallId, success: false, error: { message, code } });
  }

  /** `/fork` copies all there is, ids and all, under a start of its own. */
  fork(id: string, minute: number): CopilotSession {
    const fork = new CopilotSession(id, minute);
    const start = JSON.parse(fork.lines.pop()!) as Json;
    for (const line of this.lines) fork.raw(line);
    fork.lines[0] = JSON.stringify({ ...start, id: `${this.id}-0` });
    return fork;
  }

  get text(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }

  /** @param folder `session-state` */
  writeTo(folder: string): string {
    const path = join(folder, this.id, 'events.jsonl');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, this.text);
    return path;
  }
}
