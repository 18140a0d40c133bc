import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { madeOnce } from '@causantic/domain';
import { greatest } from '../../times.js';
import { type JsonObject, listOf, objectOf, stringOf, timeMsOf } from '../../transcripts/records.js';
import { beginningBeside, jsonBeside } from '../../transcripts/text-beside.js';
import type { TranscriptHead, TranscriptOrigin } from '../../transcripts/transcript-origin.js';
import { coworkTask, isLogBesideTranscript } from './cowork.js';

const SUBAGENT_FILE = /^agent-(.+)\.jsonl$/;
/** What the client does for itself: it guesses the next prompt, or sums the session up, as the session's file repeats. */
const CLIENTS_AGENT = /^a(?:prompt_suggestion|compact)-/;
/** A question that the person puts beside the work (`/btw`), behind a copy of the session. */
const ASIDE_AGENT = /^aside_question-/;
const MEMBERS_TASK = /^\s*<teammate-message\s/;
/** A plugin for learning has an agent look through what its hooks noted of the sessions, in the sessions' folder, every few minutes. */
const OBSERVERS_TASK =
  /^(?:IMPORTANT: You are running in non-interactive --print mode\.[^]{0,500}?)?Read [^\n]{1,500}? and identify patterns\b[^]{0,500}?\binstinct file\b/;
/** A plugin has an agent sum up sessions, in the folder of each: its prompt repeats the session. */
const SUMMARIZERS_TASK =
  /^Context: This summary will be shown in a list to help users and Claude choose which conversations are relevant\./;
const METADATA = '.meta.json';
/** How much of a file is looked at for its first record. */
const FIRST_RECORD_BYTES = 1 << 16;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A file of nothing but titles and snapshots holds nothing to remember, and does not name its folder yet. */
const MESSAGE_TYPES = new Set<unknown>(['user', 'assistant', 'system', 'progress', 'attachment']);

/** What the first records of a Claude Code transcript tell of it. */
export class ClaudeCodeHead implements TranscriptHead {
  private isTranscript = false;
  private sessionUuid: string | null = null;
  private cwd: string | null = null;
  private firstTimeMs: number | null = null;
  private begunTimeMs: number | null = null;
  /** Of the record that gives a member of a team its first task. */
  private taskUuid: string | null = null;
  private isWarmup = false;
  private isObservers = false;
  /** Hooks and lists of tools may stand before what is first said. */
  private hasWords = false;
  /** The first record is an answer, and there is no other yet. */
  private isOneAnswer: boolean | null = null;

  get isComplete(): boolean {
    return this.isKnown && this.hasWords;
  }

  private get isKnown(): boolean {
    return this.isTranscript && this.cwd !== null && this.firstTimeMs !== null && this.isOneAnswer !== true;
  }

  add(record: JsonObject): void {
    if (!this.isKnown) this.addOrigin(record);
    const content = objectOf(record['message'])['content'];
    if (!this.hasWords) this.isObservers ||= isForObserver(firstText(content));
    this.hasWords ||= content !== undefined && record['isMeta'] !== true;
  }

  private addOrigin(record: JsonObject): void {
    const hasMessage = MESSAGE_TYPES.has(record['type']) && ('message' in record || 'uuid' in record);
    this.isTranscript ||= hasMessage;
    this.isWarmup ||= isWarmup(record);
    if (hasMessage) this.isOneAnswer = this.isOneAnswer === null && isAnswerToNothing(record);
    this.sessionUuid ??= stringOf(record['sessionId']) ?? stringOf(record['session_id']);
    this.cwd ??= stringOf(record['cwd']);
    const content = objectOf(record['message'])['content'];
    if (MEMBERS_TASK.test(stringOf(content) ?? '')) this.taskUuid ??= stringOf(record['uuid']);
    const timeMs = timeMsOf(record['timestamp'] ?? objectOf(record['snapshot'])['timestamp']);
    if (hasMessage) this.firstTimeMs ??= timeMs;
    this.begunTimeMs = greatest([this.begunTimeMs, timeMs]);
  }

  origin(path: string): TranscriptOrigin | null {
    const agentKey = SUBAGENT_FILE.exec(basename(path))?.[1] ?? null;
    const isWarmup = this.isWarmup || this.isOneAnswer === true;
    const isClients = agentKey !== null && (isWarmup || CLIENTS_AGENT.test(agentKey));
    if (!this.isTranscript || isClients || this.isObservers || isLogBesideTranscript(path)) return null;
    const task = coworkTask(path);
    const stem = basename(path).replace(/\.jsonl$/, '');
    return {
      source: 'claude-code',
      kind: agentKey === null ? 'main' : 'subagent',
      agentKey,
      ...(agentKey !== null && (agentMetadata(path) ?? { agentName: this.agentName(agentKey, path) })),
      sessionUuid: (UUID.test(stem) ? stem : null) ?? this.sessionUuid ?? stem,
      cwd: task.folder ?? this.cwd,
      folder: dirname(path),
      title: agentKey === null ? task.title : null,
      firstTimeMs: this.firstTimeMs,
      begunTimeMs: this.begunTimeMs,
    };
  }

  private agentName(agentKey: string, path: string): string | null {
    return isForAside(agentKey) ? 'side-question' : this.memberName(path);
  }

  /**
   * A member of a team that is called again goes on in a new file, which begins with a copy of its first: its name is
   * beside only one of them.
   */
  private memberName(path: string): string | null {
    if (this.taskUuid === null) return null;
    const begin = `"uuid":"${this.taskUuid}"`;
    const named = readdirSync(dirname(path))
      .filter((name) => name.endsWith(METADATA))
      .map((name) => join(dirname(path), name.replace(METADATA, '.jsonl')))
      .find((other) => beginningBeside(other, FIRST_RECORD_BYTES)?.includes(begin));
    return named === undefined ? null : (agentMetadata(named)?.agentName ?? null);
  }
}

function isForObserver(text: string): boolean {
  return OBSERVERS_TASK.test(text) || SUMMARIZERS_TASK.test(text);
}

function firstText(content: unknown): string {
  return stringOf(content) ?? stringOf(objectOf(listOf(content)[0])['text']) ?? '';
}

export function isForAside(agentKey: string): boolean {
  return ASIDE_AGENT.test(agentKey);
}

/** Versions 2.0 start agents with every session that are to do nothing: the next ones begin faster. */
export function isWarmup(record: JsonObject): boolean {
  return record['parentUuid'] === null && objectOf(record['message'])['content'] === 'Warmup';
}

/** From 2.0.42 to 2.1.4, agents' files may lack what the agents were told: of those that are to do nothing, one answer stays. */
function isAnswerToNothing(record: JsonObject): boolean {
  const content = listOf(objectOf(record['message'])['content']).map(objectOf);
  return record['type'] === 'assistant' && content.every(({ type }) => type === 'text');
}

/** Keys of the agents of a session that have files of their own, in either layout. */
export function ownFileOf(mainPath: string): (agentKey: string) => boolean {
  const folder = dirname(mainPath);
  const session = basename(mainPath).replace(/\.jsonl$/, '');
  const known = new Map<string, boolean>();
  const exists = (name: string): boolean =>
    existsSync(join(folder, session, 'subagents', name)) || existsSync(join(folder, name));
  return (agentKey) => madeOnce(known, agentKey, () => exists(`agent-${agentKey}.jsonl`));
}

/** What newer clients write beside a sub-agent's file; null where nothing stands there. */
export function metadataBeside(path: string): JsonObject | null {
  return jsonBeside(path.replace(/\.jsonl$/, METADATA));
}

function agentMetadata(path: string): Partial<TranscriptOrigin> | null {
  const data = metadataBeside(path);
  if (data === null) return null;
  return {
    agentName: stringOf(data['name']) ?? stringOf(data['agentType']),
    agentDescription: stringOf(data['description']),
    agentTeam: stringOf(data['teamName']),
    agentCallId: stringOf(data['toolUseId']),
    isMainsAgent: data['spawnDepth'] === 1,
  };
}
