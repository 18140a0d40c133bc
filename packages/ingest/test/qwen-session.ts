import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Json = Record<string, unknown>;

const START = Date.UTC(2026, 6, 1, 9, 0);

/** Writes the records of a session as Qwen Code does: each names the one before. */
export class QwenSession {
  lines: string[] = [];
  protected lastId: string | null = null;

  constructor(
    readonly id: string,
    private readonly minute = 0,
    private readonly common: Json = {},
  ) {}

  record(type: string, fields: Json): this {
    const uuid = `${this.id}-${this.minute}-${this.lines.length}`;
    const record = {
      uuid,
      parentUuid: this.lastId,
      sessionId: this.id,
      timestamp: new Date(START + this.minute * 60_000 + this.lines.length * 1_000).toISOString(),
      type,
      cwd: '/home/ada/shop',
      version: '0.24.4',
      gitBranch: 'main',
      ...this.common,
      ...fields,
    };
    this.lastId = uuid;
    return this.raw(JSON.stringify(record));
  }

  raw(line: string): this {
    this.lines.push(line);
    return this;
  }

  system(subtype: string, systemPayload: Json, more: Json = {}): this {
    return this.record('system', { provenance: 'system', subtype, systemPayload, ...more });
  }

  prompt(text: string, more: Json = {}, parts: Json[] = []): this {
    const message = { role: 'user', parts: [{ text }, ...parts] };
    return this.record('user', { provenance: 'real_user', message, ...more }).system('attribution_snapshot', {
      snapshot: { promptCount: 1 },
    });
  }

  /** @param calls as `[id, tool, arguments]` */
  answer(text: string, calls: [string, string, Json][] = [], thought = ''): this {
    this.system('ui_telemetry', { uiEvent: { 'event.name': 'qwen-code.api_response', response_text: text } });
    const parts = [
      ...(thought ? [{ text: thought, thought: true }] : []),
      ...(text ? [{ text }] : []),
      ...calls.map(([id, name, args]) => ({ functionCall: { id, name, args } })),
    ];
    return this.record('assistant', { provenance: 'assistant_output', message: { role: 'model', parts } });
  }

  gave(id: string, name: string, output: string, more: Json = {}): this {
    return this.result(id, name, { output }, { status: 'success', resultDisplay: output, ...more });
  }

  failed(id: string, name: string, error: string, status = 'error'): this {
    return this.result(id, name, { error }, { status });
  }

  private result(callId: string, name: string, response: Json, noted: Json): this {
    const parts = [{ functionResponse: { id: callId, name, response } }];
    const message = { role: 'user', parts };
    return this.record('tool_result', { message, toolCallResult: { callId, ...noted } });
  }

  command(rawCommand: string, sentToModel = false): this {
    return this.system('slash_command', { phase: 'invocation', rawCommand, sentToModel }).system(
      'slash_command',
      { phase: 'result', rawCommand, outputHistoryItems: [{ type: 'info', text: 'done' }] },
    );
  }

  /** Goes back to where the record with this place in the file stood. */
  rewindTo(line: number): this {
    this.command('/rewind');
    this.lastId = (JSON.parse(this.lines[line]!) as Json)['parentUuid'] as string | null;
    return this.system('rewind', { truncatedCount: 3 });
  }

  /** `/branch` copies all there is, ids and all, and notes from where. */
  fork(id: string, minute: number): QwenSession {
    const fork = new QwenSession(id, minute);
    fork.lines = this.lines.map((line) => {
      const record = JSON.parse(line) as Json;
      const forkedFrom = { sessionId: this.id, messageUuid: record['uuid'] };
      return JSON.stringify({ ...record, sessionId: id, forkedFrom });
    });
    fork.lastId = this.lastId;
    return fork;
  }

  get text(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }

  /** @param folder `projects` */
  writeTo(folder: string): string {
    return this.writeAs(join(folder, '-home-ada-shop', 'chats', `${this.id}.jsonl`));
  }

  writeAs(path: string): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, this.text);
    return path;
  }
}
