import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { jsonIn, stringOf } from '../records.js';

const SESSION_FOLDERS = new Set(['sessions', 'archived_sessions']);

/** The name that a person or Codex gave a thread: the latest of the list beside the folder of sessions, if any. */
export function threadName(rolloutPath: string, threadId: string): string | null {
  const list = nameList(rolloutPath);
  if (list === null) return null;
  const lines = readFileSync(list, 'utf8').split('\n').reverse();
  const line = lines.find((each) => each.includes(threadId) && jsonIn(each)?.['id'] === threadId);
  return line === undefined ? null : stringOf(jsonIn(line)?.['thread_name']);
}

function nameList(rolloutPath: string): string | null {
  const folder = sessionsFolder(rolloutPath);
  const list = folder === null ? null : join(dirname(folder), 'session_index.jsonl');
  return list !== null && existsSync(list) ? list : null;
}

/** The folder below which Codex puts rollouts by their date; null for a file that lies elsewhere. */
export function sessionsFolder(rolloutPath: string): string | null {
  for (let at = dirname(rolloutPath); dirname(at) !== at; at = dirname(at)) {
    if (SESSION_FOLDERS.has(basename(at))) return at;
  }
  return null;
}
