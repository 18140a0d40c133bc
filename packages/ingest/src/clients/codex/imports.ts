// Sessions of other agents that Codex has taken over.
import { existsSync } from 'node:fs';
import { isObject, jsonIn, listOf, stringOf } from '../../transcripts/records.js';
import { textBesideSessions } from './thread-names.js';

const LIST = 'external_agent_session_imports.json';
const TRANSCRIPT_OF_CLAUDE_CODE = /[\\/]projects[\\/][^\\/]+[\\/][0-9a-f-]{36}\.jsonl$/i;

/** Codex can take over sessions of other agents: is this thread one of Claude Code's, whose transcript is there? */
export function hasOriginal(rolloutPath: string, threadId: string): boolean {
  return listOf(jsonIn(textBesideSessions(rolloutPath, LIST))?.['records'])
    .filter(isObject)
    .filter((each) => each['imported_thread_id'] === threadId)
    .map((each) => stringOf(each['source_path']) ?? '')
    .some((path) => TRANSCRIPT_OF_CLAUDE_CODE.test(path) && existsSync(path));
}

/** Turns that were taken over are numbered under a name of their own. */
export function isImportedTurn(turnId: string | null): boolean {
  return turnId?.startsWith('external-import-turn-') ?? false;
}

const CALL_OR_RESULT = /\[external_agent_tool_(call|result)\b[^\]\n]{0,1000}\]/g;

/** An imported answer, with the calls and results that are written into it told apart. */
export function importedAnswer(text: string): { said: string; added: string } {
  const added: string[] = [];
  let said = '';
  let end = 0;
  // Behind its last end none of a kind has one, and each would be looked for to the text's.
  const lastEnds = new Map(['call', 'result'].map((kind) => [kind, text.lastIndexOf(endOf(kind))]));
  for (const { 1: kind, index } of text.matchAll(CALL_OR_RESULT)) {
    if (index < end || index > lastEnds.get(kind!)!) continue;
    said += text.slice(end, index);
    end = text.indexOf(endOf(kind!), index) + endOf(kind!).length;
    added.push(text.slice(index, end));
  }
  return { said: (said + text.slice(end)).trim(), added: added.join('\n\n') };
}

function endOf(kind: string): string {
  return `[/external_agent_tool_${kind}]`;
}
