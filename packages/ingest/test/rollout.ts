import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

type Json = Record<string, unknown>;

/** A thread id as Codex makes them; `n` tells threads apart. */
export const threadId = (n: number): string => `019e0000-0000-7000-8000-00000000000${n}`;

/** Writes the records of Codex rollouts as the client does: what is said stands twice, as an item and as an event. */
export class Rollout {
  readonly lines: string[] = [];
  private turns = 0;

  constructor(
    readonly thread: string,
    meta: Json = {},
    protected readonly minute = 0,
  ) {
    this.record('session_meta', {
      id: thread,
      session_id: thread,
      cwd: '/home/ada/shop',
      originator: 'codex-tui',
      cli_version: '0.142.5',
      source: 'cli',
      thread_source: 'user',
      base_instructions: { text: 'You are Codex.' },
      git: { branch: 'main', commit_hash: 'abc' },
      ...meta,
    });
  }

  record(type: string, payload: Json): this {
    const second = String(this.lines.length % 60).padStart(2, '0');
    const minute = String(this.minute + Math.floor(this.lines.length / 60)).padStart(2, '0');
    return this.raw(JSON.stringify({ timestamp: `2026-03-01T10:${minute}:${second}.000Z`, type, payload }));
  }

  raw(line: string): this {
    this.lines.push(line);
    return this;
  }

  /** Records of another rollout, written again with new times. */
  copy(other: Rollout): this {
    for (const line of other.lines) {
      const { type, payload } = JSON.parse(line) as { type: string; payload: Json };
      this.record(type, payload);
    }
    return this;
  }

  item(payload: Json): this {
    return this.record('response_item', payload);
  }

  event(payload: Json): this {
    return this.record('event_msg', payload);
  }

  /** What stands at the beginning of a thread, none of it a person's. */
  context(): this {
    return this.item(message('developer', '<permissions instructions>ask first</permissions instructions>'))
      .item(
        message(
          'user',
          '# AGENTS.md instructions for /home/ada/shop\n\n<INSTRUCTIONS>be kind</INSTRUCTIONS>',
        ),
      )
      .item(message('user', '<environment_context>\n  <cwd>/home/ada/shop</cwd>\n</environment_context>'));
  }

  turn(): this {
    const turn = `019f${this.thread.slice(-4)}${this.thread.slice(8, 24)}${String(++this.turns).padStart(12, '0')}`;
    return this.event({ type: 'task_started', turn_id: turn }).record('turn_context', {
      turn_id: turn,
      cwd: '/home/ada/shop',
    });
  }

  prompt(text: string): this {
    return this.turn()
      .item(message('user', text))
      .event({ type: 'user_message', message: text, images: [], local_images: [] });
  }

  answer(text: string): this {
    return this.event({ type: 'agent_message', message: text }).item(message('assistant', text));
  }

  call(id: string, name: string, input: unknown): this {
    return this.item({ type: 'function_call', name, arguments: JSON.stringify(input), call_id: id });
  }

  output(id: string, output: unknown): this {
    return this.item({ type: 'function_call_output', call_id: id, output });
  }

  /** A command's output as Codex frames it. */
  ran(id: string, output: string, code = 0): this {
    return this.output(
      id,
      `Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOriginal token count: 3\nOutput:\n${output}`,
    );
  }

  patch(id: string, patch: string): this {
    return this.item({ type: 'custom_tool_call', name: 'apply_patch', input: patch, call_id: id }).item({
      type: 'custom_tool_call_output',
      call_id: id,
      output: 'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.\n',
    });
  }

  get text(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }

  writeTo(path: string): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, this.text);
    return path;
  }
}

export function message(role: string, ...texts: string[]): Json {
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  return { type: 'message', role, content: texts.map((text) => ({ type, text })) };
}

/** A user's message with what kinds Codex says its contents are of. */
export function ofKinds(item: Json, content_item_kinds: readonly string[]): Json {
  return { ...item, internal_chat_message_metadata_passthrough: { content_item_kinds } };
}

/**
 * As Codex writes since August 2026: records are numbered, items have ids, and all that happens stands as an item that
 * was completed; copies for agents leave those out.
 */
export class NumberedRollout extends Rollout {
  /** @param firstOrdinal of its first record, where the thread begins in another file */
  constructor(thread: string, meta: Json = {}, minute = 0, firstOrdinal = 0) {
    super(thread, meta, minute);
    const [line] = this.lines.splice(0);
    this.raw(JSON.stringify({ ...(JSON.parse(line!) as Json), ordinal: firstOrdinal }));
  }

  override record(type: string, payload: Json, metadata?: Json): this {
    super.record(type, payload);
    const record = JSON.parse(this.lines.pop()!) as Json;
    const { ordinal: first = 0 } = JSON.parse(this.lines[0] ?? '{}') as { ordinal?: number };
    const ordinal = first + this.lines.length;
    return this.raw(JSON.stringify({ ...record, ordinal, ...(metadata && { metadata }) }));
  }

  override item(payload: Json, metadata?: Json): this {
    const { minute } = this;
    const id = `it_${this.thread}_${minute}_${this.lines.length}`;
    return this.record('response_item', { id, ...payload }, metadata);
  }

  completed(item: Json, threadId = this.thread): this {
    return this.event({ type: 'item_completed', thread_id: threadId, item });
  }

  override prompt(text: string): this {
    return this.turn().item(message('user', text)).typed(text);
  }

  /** A person's text as it stands once more. */
  typed(text: string, threadId?: string): this {
    const id = `user-${this.lines.length}`;
    return this.completed({ type: 'UserMessage', id, content: [{ type: 'text', text }] }, threadId);
  }

  override answer(text: string): this {
    return this.completed({ type: 'AgentMessage', content: [{ type: 'Text', text }] }).item(
      message('assistant', text),
    );
  }

  script(id: string, input: string): this {
    return this.item({ type: 'custom_tool_call', call_id: id, name: 'exec', input });
  }

  /** A command that a script ran. */
  ranBy(id: string, command: string, output: string, code = 0): this {
    return this.completed({
      type: 'CommandExecution',
      id: `exec-${id}`,
      command: ['/bin/bash', '-lc', command],
      source: 'unified_exec_startup',
      status: code === 0 ? 'completed' : 'failed',
      aggregated_output: output,
      exit_code: code,
    });
  }

  wrote(id: string, ...texts: string[]): this {
    return this.item({ type: 'custom_tool_call_output', call_id: id, output: scriptOutput(...texts) });
  }

  override copy(other: Rollout): this {
    for (const line of other.lines) {
      const { type, payload } = JSON.parse(line) as { type: string; payload: Json };
      if (payload['type'] !== 'item_completed') this.record(type, payload);
    }
    return this;
  }
}

/** What a script wrote, as the model is shown it. */
export function scriptOutput(...texts: string[]): Json[] {
  const header = 'Script completed\nWall time 0.1 seconds\nOutput:\n';
  return [header, ...texts].map((text) => ({ type: 'input_text', text }));
}
