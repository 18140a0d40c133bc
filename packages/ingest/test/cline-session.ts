import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Json = Record<string, unknown>;

const START = Date.UTC(2026, 5, 1, 9, 0);

/** Writes a session, or an agent's part of one, as Cline's command line does: one document, and a second one about it. */
export class ClineSession {
  readonly messages: Json[] = [];

  /** @param origin what an agent's document has beside the session's id */
  constructor(
    readonly id: string,
    private readonly about: Json = {},
    private readonly origin?: { mode: 'subagent' | 'team'; subagent: string; run?: string },
  ) {}

  message(role: 'user' | 'assistant', content: unknown, more: Json = {}): this {
    const at = this.messages.length;
    const id = `${this.origin?.subagent ?? this.id}-${at}`;
    this.messages.push({ id, role, content, ts: START + at * 1_000, ...more });
    return this;
  }

  /** @param blocks what the client puts beside the text */
  prompt(text: string, blocks: Json[] = [], mode = 'act'): this {
    return this.message('user', [
      { type: 'text', text: `<user_input mode="${mode}">${text}</user_input>` },
      ...blocks,
    ]);
  }

  /** @param calls as `[id, tool, input]` */
  answer(text: string, calls: [string, string, Json][] = []): this {
    return this.message('assistant', [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map(([id, name, input]) => ({ type: 'tool_use', id, name, input })),
    ]);
  }

  gave(id: string, name: string, content: unknown, more: Json = {}): this {
    return this.message('user', [{ type: 'tool_result', tool_use_id: id, name, content, ...more }]);
  }

  private get name(): string {
    return this.origin?.run ?? this.origin?.subagent ?? this.id;
  }

  get text(): string {
    const head = {
      version: 1,
      updated_at: new Date(START + this.messages.length * 1_000).toISOString(),
      agent: this.origin?.mode ?? 'lead',
      sessionId: this.origin ? `${this.id}__${this.name}` : this.id,
      origin: {
        source: 'cli',
        mode: 'user',
        ...(this.origin && {
          mode: this.origin.mode,
          subagent: this.origin.subagent,
          parentThreadId: this.id,
        }),
        version: '3.0.65',
      },
    };
    const document = {
      ...head,
      messages: this.messages,
      system_prompt: 'You are Cline, "role": "assistant".',
    };
    return JSON.stringify(document, null, 2);
  }

  /** The document's path below a folder of sessions. */
  writeTo(folder: string): string {
    const path = join(folder, this.id, `${this.name}.messages.json`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, this.text);
    const metadata = { git: { branch: 'main' }, title: 'open the till' };
    const about = { session_id: this.id, cwd: '/home/ada/shop', metadata, ...this.about };
    if (!this.origin) writeFileSync(join(dirname(path), `${this.id}.json`), JSON.stringify(about));
    return path;
  }
}
