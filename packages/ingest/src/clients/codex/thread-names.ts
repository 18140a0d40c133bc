// Files beside the folder in which Codex keeps its sessions: what its threads are called.
import { basename, dirname, join } from 'node:path';
import { jsonIn, stringOf } from '../../transcripts/records.js';
import { textBeside } from '../../transcripts/text-beside.js';

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
  return (folder !== null && textBeside(join(dirname(folder), name))) || '';
}

/** The folder below which Codex puts rollouts by their date; null for a file that lies elsewhere. */
export function sessionsFolder(rolloutPath: string): string | null {
  for (let at = dirname(rolloutPath); dirname(at) !== at; at = dirname(at)) {
    if (SESSION_FOLDERS.has(basename(at))) return at;
  }
  return null;
}
