// Knows a rollout by its records, takes them out of their envelopes, and reads its first ones.
import { basename, dirname } from 'node:path';
import { type JsonObject, isObject, objectOf, stringOf, timeMsOf } from '../../transcripts/records.js';
import type { TranscriptHead, TranscriptOrigin } from '../../transcripts/transcript-origin.js';
import { folderInContext, messageText } from './content.js';
import { hasOriginal } from './imports.js';
import { sessionsFolder, threadName } from './thread-names.js';

const RECORD_TYPES = new Set<unknown>([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
]);

/** Types of records without an envelope, as the first versions wrote them. */
const BARE_TYPES = new Set<unknown>([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'local_shell_call',
  'custom_tool_call',
  'custom_tool_call_output',
]);

/** Is this a record of a Codex rollout, in its envelope or of the first versions? */
export function isCodexRecord(record: JsonObject): boolean {
  if (isObject(record['payload'])) return RECORD_TYPES.has(record['type']);
  return isBareMeta(record);
}

function isBareMeta(record: JsonObject): boolean {
  return (
    'instructions' in record && typeof record['id'] === 'string' && typeof record['timestamp'] === 'string'
  );
}

/** A rollout's record as its type and payload, also where it has no envelope. */
export function unwrapped(record: JsonObject): { type: string; payload: JsonObject } {
  if (isObject(record['payload']))
    return { type: stringOf(record['type']) ?? 'unknown', payload: record['payload'] };
  if (isBareMeta(record)) return { type: 'session_meta', payload: record };
  return BARE_TYPES.has(record['type'])
    ? { type: 'response_item', payload: record }
    : { type: 'unknown', payload: {} };
}

/** The thread that started a thread, where an agent or Codex itself did; a person's thread has none. */
interface SpawnedThread {
  parentId: string | null;
  /** What people call the agent. */
  name: string | null;
  role: string | null;
}

const STARTED_BY_CODEX = new Set<unknown>(['subagent', 'memory_consolidation']);

/** What a thread's metadata says of the agent it belongs to; null where a person started it. */
function spawnedThread(meta: JsonObject): SpawnedThread | null {
  const { subagent, internal } = objectOf(meta['source']);
  const source = subagent ?? internal;
  if (source === undefined && !STARTED_BY_CODEX.has(meta['thread_source'])) return null;
  const spawn = objectOf(objectOf(source)['thread_spawn']);
  const id = stringOf(meta['id']);
  const root = stringOf(meta['session_id']);
  return {
    parentId:
      (root === id ? null : root) ??
      stringOf(meta['parent_thread_id']) ??
      stringOf(spawn['parent_thread_id']) ??
      stringOf(meta['forked_from_id']),
    name:
      taskName(stringOf(meta['agent_path']) ?? stringOf(spawn['agent_path'])) ??
      stringOf(meta['agent_nickname']) ??
      stringOf(spawn['agent_nickname']),
    role:
      stringOf(meta['agent_role']) ??
      stringOf(spawn['agent_role']) ??
      stringOf(source) ??
      stringOf(objectOf(source)['other']),
  };
}

/** Agents that are called by the name of their task have paths, as `/root/dns_check`. */
export function taskName(agentPath: string | null): string | null {
  return agentPath?.split('/').at(-1) || null;
}

/** What Codex's app and editor extension ask in threads of their own: for a title, for suggestions, for a line that tells of a task. */
const FOR_THE_APP =
  /^\s*(?:Generate a concise UI title |You are a helpful assistant\. You will be presented with a user prompt, and your job is to provide a short title |# Overview\s+Generate 0 to 3 hyperpersonalized suggestions\s+for what this user can do with Codex |You are an expert at upholding safety and compliance\s+standards for Codex ambient suggestions\.|You write the one-line activity update displayed beneath an existing Codex task title\.)/;

/** May a thread be such a one? An agent's commands inherit the editor's name, and people work in the editor, too. */
function isAppsOwn(meta: JsonObject): boolean {
  const { source, originator } = meta;
  return source === 'vscode' || (source === 'exec' && originator === 'codex_vscode');
}

/** Whoever decides on approvals, of which the metadata does not name the thread (0.126): its first prompt does. */
const REVIEWED = /^Reviewed Codex session id: ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s*$/m;

/** What the first records of a Codex rollout tell of it. */
export class CodexHead implements TranscriptHead {
  private meta: JsonObject | null = null;
  private cwd: string | null = null;
  private hasContent = false;
  private isAnswered = false;
  private prompt: string | null = null;

  get isComplete(): boolean {
    return this.meta !== null && this.cwd !== null && this.isTold && this.isForTheApp !== null;
  }

  /** Anything but metadata was read, and what tells whose thread it is, if it is there at all. */
  private get isTold(): boolean {
    return this.hasContent && (this.prompt !== null || this.isAnswered || !this.isReviewers);
  }

  private get isReviewers(): boolean {
    const spawned = this.meta && spawnedThread(this.meta);
    return spawned?.role === 'guardian' && spawned.parentId === null;
  }

  private get spawned(): SpawnedThread | null {
    const spawned = this.meta && spawnedThread(this.meta);
    if (!spawned || !this.isReviewers) return spawned;
    return { ...spawned, parentId: REVIEWED.exec(this.prompt ?? '')?.[1] ?? null };
  }

  /** Null where its prompt is yet to come. */
  private get isForTheApp(): boolean | null {
    if (this.meta === null || !isAppsOwn(this.meta)) return this.meta?.['thread_source'] === 'system';
    return this.prompt === null ? null : FOR_THE_APP.test(this.prompt);
  }

  add(record: JsonObject): void {
    const { type, payload } = unwrapped(record);
    // A fork's file repeats the metadata of its original behind its own.
    if (type === 'session_meta') this.meta ??= { timestamp: record['timestamp'], ...payload };
    if (type === 'session_meta' || type === 'turn_context') this.cwd ??= stringOf(payload['cwd']);
    if (type === 'response_item') {
      this.hasContent = true;
      this.isAnswered ||= payload['role'] === 'assistant';
      if (payload['role'] === 'user') this.cwd ??= folderInContext(messageText(payload['content']));
    }
    if (type === 'event_msg') {
      this.hasContent = true;
      this.prompt ??= promptIn(payload);
    }
  }

  origin(path: string): TranscriptOrigin | null {
    const id = stringOf(this.meta?.['id']) ?? idInName(path);
    if (id === null || this.isForTheApp === true) return null;
    // A person who goes back and says no more leaves a file that takes back what the earlier ones say.
    const goesBack = basename(path).includes(`${id}_`);
    const isUnknown = this.isForTheApp === null && !this.isAnswered;
    if ((!this.isTold || isUnknown) && !goesBack) return null;
    const { spawned } = this;
    return {
      source: 'codex',
      kind: spawned ? 'subagent' : 'main',
      agentKey: spawned ? id : null,
      agentName: spawned ? (spawned.name ?? spawned.role) : null,
      agentDescription: spawned && spawned.name !== null ? spawned.role : null,
      sessionUuid: spawned?.parentId ?? id,
      cwd: this.cwd,
      // The folders of days are no projects.
      folder: sessionsFolder(path) ?? dirname(path),
      title: spawned ? null : threadName(path, id),
      hasOriginal: hasOriginal(path, id),
      firstTimeMs: timeMsOf(this.meta?.['timestamp']),
    };
  }
}

/** The prompt that an event repeats. */
function promptIn(event: JsonObject): string | null {
  if (event['type'] === 'user_message') return stringOf(event['message']);
  const item = objectOf(event['item']);
  return item['type'] === 'UserMessage' ? messageText(item['content']) : null;
}

function idInName(path: string): string | null {
  return /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/i.exec(path)?.[1] ?? null;
}
