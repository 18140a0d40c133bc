// Claude's desktop app gives each task of Cowork a folder, with the client's own folder in it, and tells of the task beside it.
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listOf, stringOf } from '../../transcripts/records.js';
import { jsonBeside } from '../../transcripts/text-beside.js';

const TASKS = 'local-agent-mode-sessions';

/** What the app tells of the task to which a transcript belongs: the folder that the person chose, and a title. */
export function coworkTask(path: string): { folder: string | null; title: string | null } {
  const file = path.includes(TASKS) ? taskFile(path) : null;
  const task = file === null ? null : jsonBeside(file);
  const [folder] = listOf(task?.['userSelectedFolders']);
  return { folder: stringOf(folder) || null, title: stringOf(task?.['title']) || null };
}

/** The app keeps a log of what the client told it, too: a copy, where the client wrote a transcript. */
export function isLogBesideTranscript(path: string): boolean {
  return basename(path) === 'audit.jsonl' && existsSync(join(dirname(path), '.claude', 'projects'));
}

/** `local_<uuid>.json`; the folder beside it has the same name, or the first digits of it. */
function taskFile(path: string): string | null {
  for (let at = dirname(path); dirname(at) !== at && basename(at) !== TASKS; at = dirname(at)) {
    const name = /^(?:local_.+|[0-9a-f]{8})$/.exec(basename(at))?.[0];
    if (name === undefined) continue;
    const begin = name.startsWith('local_') ? `${name}.json` : `local_${name}-`;
    const file = readdirSync(dirname(at)).find((each) => each.startsWith(begin) && each.endsWith('.json'));
    if (file !== undefined) return join(dirname(at), file);
  }
  return null;
}
