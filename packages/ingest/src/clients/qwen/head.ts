import { basename, dirname } from 'node:path';
import { metadataBeside } from '../claude-code/head.js';
import { type JsonObject, objectOf, stringOf, timeMsOf } from '../../transcripts/records.js';
import type { TranscriptHead, TranscriptOrigin } from '../../transcripts/transcript-origin.js';

/** Is this a record of Qwen Code: named as Claude Code names its own, with a message in parts as Gemini's model gets it? */
export function isQwenRecord(record: JsonObject): boolean {
  return (
    typeof record['uuid'] === 'string' &&
    typeof record['sessionId'] === 'string' &&
    (Array.isArray(objectOf(record['message'])['parts']) || 'systemPayload' in record)
  );
}

/** What the first records of a session of Qwen Code, or of one of its agents, tell of it. */
export class QwenHead implements TranscriptHead {
  private sessionId: string | null = null;
  private agentKey: string | null = null;
  private cwd: string | null = null;
  private firstTimeMs: number | null = null;
  private hasContent = false;

  get isComplete(): boolean {
    return this.hasContent && this.cwd !== null && this.firstTimeMs !== null;
  }

  add(record: JsonObject): void {
    this.sessionId ??= stringOf(record['sessionId']);
    if (record['isSidechain'] === true) this.agentKey ??= stringOf(record['agentId']);
    this.cwd ??= stringOf(record['cwd']);
    this.firstTimeMs ??= timeMsOf(record['timestamp']);
    this.hasContent ||= record['type'] === 'user' || record['type'] === 'assistant';
  }

  origin(path: string): TranscriptOrigin | null {
    if (!this.hasContent) return null;
    const { agentKey } = this;
    return {
      source: 'qwen',
      kind: agentKey === null ? 'main' : 'subagent',
      agentKey,
      ...(agentKey !== null && agentMetadata(path)),
      sessionUuid: this.sessionId ?? basename(path, '.jsonl'),
      cwd: this.cwd,
      folder: dirname(path),
      title: null,
      firstTimeMs: this.firstTimeMs,
    };
  }
}

/** What the client writes beside an agent's file. */
function agentMetadata(path: string): Partial<TranscriptOrigin> {
  const data = metadataBeside(path) ?? {};
  return {
    agentName: stringOf(data['subagentName']) ?? stringOf(data['agentType']),
    agentDescription: stringOf(data['description']),
    agentCallId: stringOf(data['toolUseId']),
  };
}
