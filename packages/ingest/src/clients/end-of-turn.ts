import type { TranscriptFile } from '../transcripts/describe-transcript.js';
import { readPieces } from '../transcripts/lines.js';
import { whileOpen } from '../transcripts/open-transcript.js';
import { type JsonObject, jsonIn, listOf, objectOf } from '../transcripts/records.js';

/** The last records hold the last answer. */
const TAIL_BYTES = 1 << 16;

/** Whether a transcript ends with the end of a turn; false for older versions of Codex, which do not record that. */
export function endsWithTurn({ path, source }: Pick<TranscriptFile, 'path' | 'source'>): boolean {
  const end = endOf(path);
  if (source === 'cline') return endsWithClinesAnswer(end);
  // The first of them may be a part of one.
  const lines = end.split('\n');
  if (source === 'codex') return isEndOfTurn(lines.at(-1));
  const records = lines.map((line) => objectOf(jsonIn(line)));
  switch (source) {
    case 'copilot':
      return endsWithoutCall(records);
    case 'qwen':
      return endsWithQwensAnswer(records);
    case 'opencode':
      return isFinished(records.at(-1));
    case 'claude-code':
    case 'claude-code-notes':
    case 'gemini':
      return endsWithAnswer(records);
  }
}

function endOf(path: string): string {
  return whileOpen(path, {}, ({ descriptor, size }) => {
    const [tail] = readPieces(descriptor, Math.max(0, size - TAIL_BYTES), size);
    return (tail?.bytes.toString('utf8') ?? '').trimEnd();
  });
}

function isEndOfTurn(record = ''): boolean {
  return /"payload":\{"type":"(?:task_complete|turn_aborted)"/.test(record);
}

/** Claude Code records no end: a turn is over if the model's answer is followed by neither a tool call nor a prompt. */
function endsWithAnswer(records: readonly JsonObject[]): boolean {
  const last = records.findLast(({ type }) => type === 'user' || type === 'assistant');
  const said = listOf(objectOf(last?.['message'])['content']).at(-1);
  return last?.['type'] === 'assistant' && objectOf(said)['type'] === 'text';
}

/** Cline writes one document: what is said in it stands in strings, where quotation marks are escaped. */
function endsWithClinesAnswer(document: string): boolean {
  const last = document.slice(document.lastIndexOf('"role": "'));
  return last.startsWith('"role": "assistant"') && !last.includes('"type": "tool_use"');
}

function endsWithQwensAnswer(records: readonly JsonObject[]): boolean {
  const last = records.findLast(({ type }) => type !== 'system' && type !== undefined);
  const parts = listOf(objectOf(last?.['message'])['parts']).map(objectOf);
  return last?.['type'] === 'assistant' && parts.every((part) => part['functionCall'] === undefined);
}

/** opencode writes a message for each request to the model, and why it ended. */
function isFinished(last: JsonObject = {}): boolean {
  const { finish, error } = last;
  return error !== undefined || (typeof finish === 'string' && finish !== 'tool-calls');
}

const ENDS = new Set<unknown>(['abort', 'session.error', 'session.shutdown']);

/** What Copilot calls a turn is one request to the model, and its agents' events stand among its own. */
function endsWithoutCall(records: readonly JsonObject[]): boolean {
  const last = records.findLast(
    ({ type, agentId }) =>
      agentId === undefined && (type === 'user.message' || type === 'assistant.message' || ENDS.has(type)),
  );
  const isAsked = last === undefined || last['type'] === 'user.message';
  return !isAsked && listOf(objectOf(last['data'])['toolRequests']).length === 0;
}
