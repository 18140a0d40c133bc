import { basename, dirname, join } from 'node:path';
import { type JsonObject, isObject, objectOf, stringOf, timeMsOfNumber } from '../../transcripts/records.js';
import { jsonBeside } from '../../transcripts/text-beside.js';
import type { TranscriptHead, TranscriptOrigin } from '../../transcripts/transcript-origin.js';
import { saidIn } from './said.js';

/** Is this what stands before the messages of one of Cline's sessions: who writes them, and for whom? */
export function isClineHead(record: JsonObject): boolean {
  return (
    typeof record['agent'] === 'string' &&
    typeof record['sessionId'] === 'string' &&
    isObject(record['origin'])
  );
}

/** What the first records of a session of Cline, or of one of its agents, tell of it. */
export class ClineHead implements TranscriptHead {
  private about: JsonObject = {};
  private firstMessage: JsonObject | null = null;

  get isComplete(): boolean {
    return this.firstMessage !== null;
  }

  add(record: JsonObject): void {
    if (isClineHead(record)) this.about = record;
    if (record['role'] === 'user' || record['role'] === 'assistant') this.firstMessage ??= record;
  }

  origin(path: string): TranscriptOrigin | null {
    const id = stringOf(this.about['sessionId']);
    if (id === null || this.firstMessage === null) return null;
    const { text } = saidIn(this.firstMessage);
    const parent = stringOf(objectOf(this.about['origin'])['parentThreadId']);
    const sessionUuid = parent ?? id;
    const folder = dirname(path);
    const session = jsonBeside(join(folder, `${sessionUuid}.json`)) ?? {};
    const { git, title } = objectOf(session['metadata']);
    return {
      source: 'cline',
      ...(parent === null
        ? { kind: 'main', agentKey: null }
        : { kind: 'subagent', agentKey: id.replace(`${parent}__`, ''), ...this.agent(text) }),
      sessionUuid,
      cwd: stringOf(session['cwd']),
      gitBranch: stringOf(objectOf(git)['branch']),
      folder: basename(folder) === sessionUuid ? dirname(folder) : folder,
      title: titleOf(title, text),
      firstTimeMs: timeMsOfNumber(this.firstMessage['ts']),
    };
  }

  /** A member of a team has a name; other agents are known by the first line of their task. */
  private agent(task: string): Pick<TranscriptOrigin, 'agentName' | 'agentDescription'> {
    const { mode, subagent } = objectOf(this.about['origin']);
    if (mode === 'team') return { agentName: stringOf(subagent) };
    return { agentName: 'subagent', agentDescription: task.split('\n')[0]! };
  }
}

/** Null where it is the beginning of the first prompt, as it is until somebody gives another. */
function titleOf(title: unknown, prompt: string): string | null {
  const known = stringOf(title);
  return known && inOneLine(prompt).startsWith(inOneLine(known)) ? null : known;
}

function inOneLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/…$|\.\.\.$/, '')
    .trim();
}
