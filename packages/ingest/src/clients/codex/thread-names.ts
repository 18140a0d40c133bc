// Files beside the folder in which Codex keeps its sessions: what its threads are called.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { jsonIn, stringOf } from '../../transcripts/records.js';

const SESSION_FOLDERS = new Set(['sessions', 'archived_sessions']);

/** The name that a person or Codex gave a thread: the latest of the list beside the folder of sessions, if any. */
export function threadName(rolloutPath: string, threadId: string): string | null {
  const lines = textBesideSessions(rolloutPath, 'session_index.jsonl').split('\n').reverse();
  const line = lines.find((each) => each.includes(threadId) && jsonIn(each)?.['id'] === threadId);
  return line === undefined ? null : stringOf(jsonIn(line)?.['thread_name']);
}

/** A file beside the folder of sessions, empty where there is none. */
export function textBesideSessions(rolloutPath: string, name: string): string {
  const folder = sessionsFolder(rolloutPath);
  const file = folder === null ? null : join(dirname(folder), name);
  return file !== null && existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** The folder below which Codex puts rollouts by their date; null for a file that lies elsewhere. */
export function sessionsFolder(rolloutPath: string): string | null {
  for (let at = dirname(rolloutPath); dirname(at) !== at; at = dirname(at)) {
    if (SESSION_FOLDERS.has(basename(at))) return at;
  }
  return null;
}
