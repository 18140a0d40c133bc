import { basename, dirname } from 'node:path';
import { type JsonObject, isObject, objectOf, stringOf, timeMsOf } from '../../transcripts/records.js';
import type { TranscriptHead, TranscriptOrigin } from '../../transcripts/transcript-origin.js';

/** Is this a record of Copilot CLI: an event with what it is about, in a chain of events? */
export function isCopilotRecord(record: JsonObject): boolean {
  return typeof record['type'] === 'string' && 'parentId' in record && isObject(record['data']);
}

/** The folder and branch that a session's start, return or change of folder names; nothing in other events. */
export function contextOf(record: JsonObject): JsonObject {
  const data = objectOf(record['data']);
  return record['type'] === 'session.context_changed' ? data : objectOf(data['context']);
}

/** Early versions (0.0.343) name the folder only in what they tell the model. */
function folderTold(record: JsonObject): string | null {
  const told = record['type'] === 'system.message' ? stringOf(objectOf(record['data'])['content']) : null;
  return /^\* Current working directory: (.+)$/m.exec(told ?? '')?.[1]?.trim() ?? null;
}

/** What the first records of a session of Copilot CLI tell of it. */
export class CopilotHead implements TranscriptHead {
  private sessionId: string | null = null;
  private cwd: string | null = null;
  private firstTimeMs: number | null = null;
  private hasContent = false;

  get isComplete(): boolean {
    return this.sessionId !== null && this.cwd !== null && this.hasContent;
  }

  add(record: JsonObject): void {
    const data = objectOf(record['data']);
    if (record['type'] === 'session.start') this.sessionId ??= stringOf(data['sessionId']);
    this.cwd ??= stringOf(contextOf(record)['cwd']) ?? folderTold(record);
    // A fork's file begins with its original's events, under a start of its own.
    this.firstTimeMs ??= timeMsOf(record['timestamp']);
    this.hasContent ||= record['type'] === 'user.message' || record['type'] === 'assistant.message';
  }

  origin(path: string): TranscriptOrigin | null {
    if (!this.hasContent) return null;
    const folder = dirname(path);
    const hasOwnFolder = basename(path) === 'events.jsonl';
    return {
      source: 'copilot',
      kind: 'main',
      agentKey: null,
      sessionUuid: this.sessionId ?? (hasOwnFolder ? basename(folder) : basename(path, '.jsonl')),
      cwd: this.cwd,
      folder: hasOwnFolder ? dirname(folder) : folder,
      title: null,
      firstTimeMs: this.firstTimeMs,
    };
  }
}
