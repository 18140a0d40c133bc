import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export { temporaryFolder } from '../../../test/temporary-folder.js';

type Json = Record<string, unknown>;

/** A session id that looks like the client's; `n` tells sessions apart. */
export const sessionId = (n: number): string => `0000000${n}-1111-4222-8333-444444444444`;

/** Writes Claude Code records as the client does: a chain of uuids, a second between two records. */
export class Recording {
  readonly lines: string[] = [];
  private last: string | null = null;
  private count = 0;

  constructor(
    readonly session: string,
    private readonly common: Json = {},
    private readonly cwd = '/home/ada/shop',
  ) {}

  /** Any line, as it is. */
  raw(line: string): this {
    this.lines.push(line);
    return this;
  }

  record(fields: Json): this {
    // Lines that were copied have their own ids and times.
    this.count = Math.max(this.count, this.lines.length);
    const second = String(this.count % 60).padStart(2, '0');
    const minute = String(Math.floor(this.count / 60)).padStart(2, '0');
    this.count++;
    const uuid = `${this.session.slice(0, 8)}-${String(this.count).padStart(4, '0')}-4000-8000-${this.idSuffix()}`;
    const record = {
      parentUuid: this.last,
      uuid,
      sessionId: this.session,
      timestamp: `2026-03-01T10:${minute}:${second}.000Z`,
      cwd: this.cwd,
      gitBranch: 'main',
      version: '2.1.40',
      isSidechain: false,
      ...this.common,
      ...fields,
    };
    this.last = record.uuid;
    return this.raw(JSON.stringify(record));
  }

  private idSuffix(): string {
    const text = String(this.common['agentId'] ?? 'main');
    return Buffer.from(text).toString('hex').padEnd(12, '0').slice(0, 12);
  }

  user(content: unknown, fields: Json = {}): this {
    return this.record({ type: 'user', message: { role: 'user', content }, ...fields });
  }

  answer(text: string, fields: Json = {}): this {
    return this.assistant([{ type: 'text', text }], fields);
  }

  assistant(content: unknown, fields: Json = {}): this {
    return this.record({
      type: 'assistant',
      message: { id: `msg_${this.count}`, role: 'assistant', model: 'model', content },
      ...fields,
    });
  }

  call(id: string, name: string, input: unknown, fields: Json = {}): this {
    return this.assistant([{ type: 'tool_use', id, name, input }], fields);
  }

  result(id: string, content: unknown, fields: Json = {}, block: Json = {}): this {
    return this.user([{ type: 'tool_result', tool_use_id: id, content, ...block }], fields);
  }

  /** What the client notes of prompts that wait until the agent is ready. */
  queue(operation: string, content?: string): this {
    const timestamp = `2026-03-01T10:${String(Math.floor(this.count / 60)).padStart(2, '0')}:${String(this.count % 60).padStart(2, '0')}.000Z`;
    return this.raw(
      JSON.stringify({ type: 'queue-operation', operation, timestamp, sessionId: this.session, content }),
    );
  }

  /** Uuid of the latest record. */
  get at(): string | null {
    return this.last;
  }

  /** The next record continues behind this one. */
  backTo(uuid: string | null): this {
    this.last = uuid;
    return this;
  }

  get text(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }

  writeTo(path: string): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, this.text);
    return path;
  }

  appendTo(path: string, from: number): void {
    appendFileSync(
      path,
      this.lines
        .slice(from)
        .map((line) => `${line}\n`)
        .join(''),
    );
  }
}
