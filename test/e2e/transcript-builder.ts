import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Json = Record<string, unknown>;

interface TranscriptOptions {
  session: string;
  cwd: string;
  /** ISO 8601; the time of the first record. */
  start: string;
  /** Time between two records. */
  stepMs?: number;
  /** Set for the transcript of a sub-agent. */
  agentId?: string;
  /** Of git; main, unless said otherwise. */
  branch?: string;
}

/** Lines as Claude Code writes them: a chain of uuids, and a clock that goes on with each record. */
export class TranscriptBuilder {
  private readonly lines: string[] = [];
  private nextTimeMs: number;
  private parentUuid: string | null = null;
  private count = 0;

  constructor(private readonly options: TranscriptOptions) {
    this.nextTimeMs = Date.parse(options.start);
  }

  /** The next record's time. */
  at(time: string): this {
    this.nextTimeMs = Date.parse(time);
    return this;
  }

  user(content: unknown, fields: Json = {}): this {
    return this.record({ type: 'user', message: { role: 'user', content }, ...fields });
  }

  answer(text: string, fields: Json = {}): this {
    return this.assistant([{ type: 'text', text }], fields);
  }

  thinking(text: string): this {
    return this.assistant([{ type: 'thinking', thinking: text, signature: 's' }]);
  }

  /** A question and its answer. */
  exchange(question: string, answer: string): this {
    return this.user(question).answer(answer);
  }

  /** A tool call with its result. */
  tool(name: string, input: Json, result: unknown, resultFields: Json = {}, block: Json = {}): this {
    const id = `toolu_${this.options.session.slice(0, 8)}_${this.count}`;
    this.assistant([{ type: 'tool_use', id, name, input }]);
    return this.user([{ type: 'tool_result', tool_use_id: id, content: result, ...block }], resultFields);
  }

  /** A line as it is: broken ones, and records that are no messages. */
  raw(line: string): this {
    this.lines.push(line);
    return this;
  }

  /** Append what was built since the last call to the file that Claude Code would write. */
  writeTo(projectsFolder: string): string {
    const { session, cwd, agentId } = this.options;
    const folder = join(projectsFolder, cwd.replace(/[^A-Za-z0-9]/g, '-'));
    const path = agentId
      ? join(folder, session, 'subagents', `agent-${agentId}.jsonl`)
      : join(folder, `${session}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(
      path,
      this.lines
        .splice(0)
        .map((line) => `${line}\n`)
        .join(''),
    );
    return path;
  }

  private assistant(content: unknown, fields: Json = {}): this {
    const message = { id: `msg_${this.count}`, role: 'assistant', model: 'claude-sonnet-4-6', content };
    return this.record({ type: 'assistant', message, ...fields });
  }

  private record(fields: Json): this {
    const { session, cwd, stepMs = 60_000, agentId, branch = 'main' } = this.options;
    const uuid = uuidOf(`${session}/${agentId ?? 'main'}/${this.count++}`);
    const record = {
      parentUuid: this.parentUuid,
      isSidechain: agentId !== undefined,
      ...(agentId !== undefined && { agentId }),
      cwd,
      sessionId: session,
      version: '2.1.52',
      gitBranch: branch,
      uuid,
      timestamp: new Date(this.nextTimeMs).toISOString(),
      ...fields,
    };
    this.parentUuid = uuid;
    this.nextTimeMs += stepMs;
    return this.raw(JSON.stringify(record));
  }
}

/** A session id whose first eight characters are given. */
export function sessionId(prefix: string, rest = '0000-4000-8000-000000000001'): string {
  return `${prefix}-${rest}`;
}

/** The same uuid for the same text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
