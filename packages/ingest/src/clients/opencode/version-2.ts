// opencode 2 keeps a row for each message, with everything in it. Brings it into the form of version 1.
import { type JsonObject, isObject, listOf, objectOf, stringOf } from '../../transcripts/records.js';

/** What the columns of version 1's table of sessions hold. */
export const SESSIONS =
  'SELECT id, parent_id, directory, title, version, time_created, revert, fork_session_id, agent FROM session_v2';

export const HOLDING = `SELECT
    max(s.time_updated, coalesce(m.updated, 0)) AS mtimeMs,
    coalesce(m.bytes, 0) AS size,
    m.number AS ctimeMs,
    m.said AS parts
  FROM session_v2 s,
    (SELECT max(time_updated) AS updated, sum(octet_length(data)) AS bytes, count(*) AS number,
        count(*) FILTER (WHERE type IN ('user', 'assistant', 'shell')) AS said
      FROM session_message WHERE session_id = @id) m
  WHERE s.id = @id`;

export const MESSAGES =
  'SELECT id, type, CAST(data AS BLOB) AS data FROM session_message WHERE session_id = ? ORDER BY seq';

/** Calls that may have started a child session. */
export const CALLS_NAMING =
  "SELECT data FROM session_message WHERE session_id = ? AND type = 'assistant' AND instr(data, ?)";

/** The call in a message that started a child session. */
export function callOfChild(message: JsonObject | null, child: string): string | null {
  const calls = listOf(message?.['content']).filter(isObject);
  const starts = ({ state }: JsonObject): boolean =>
    objectOf(objectOf(state)['metadata'])['sessionID'] === child;
  return stringOf(calls.find(starts)?.['id']);
}

/** A message as version 1 has it: its own data, and its parts; null where nothing was said. */
export function asFirst(type: string, data: JsonObject): { message: JsonObject; parts: JsonObject[] } | null {
  const { time, finish, error } = data;
  switch (type) {
    case 'user':
      return { message: { role: 'user', time }, parts: [...textOf(data['text']), ...filesOf(data)] };
    case 'assistant':
      return {
        message: { role: 'assistant', time, finish, error: errorOf(error) },
        parts: listOf(data['content']).filter(isObject).map(partOf),
      };
    case 'shell':
      return {
        message: { role: 'user', time },
        parts: [
          ...textOf(`! ${stringOf(data['command']) ?? ''}`),
          ...textOf(data['output'], { type: 'output' }),
        ],
      };
    case 'compaction':
      return { message: { role: 'assistant', time, summary: true }, parts: textOf(data['summary']) };
    case 'synthetic':
    case 'system':
    case 'skill':
      return { message: { role: 'user', time }, parts: textOf(data['text'], { synthetic: true }) };
    default:
      return null;
  }
}

/** What version 2 says to an agent before its task. */
const ABOVE_TASK = /^You are a subagent spawned by another session\.\n/;

function textOf(text: unknown, more: JsonObject = {}): JsonObject[] {
  return typeof text === 'string' && text !== ''
    ? [{ type: 'text', text: text.replace(ABOVE_TASK, ''), ...more }]
    : [];
}

function filesOf(data: JsonObject): JsonObject[] {
  return listOf(data['files'])
    .filter(isObject)
    .map(({ mime }) => ({ type: 'file', mime }));
}

function errorOf(error: unknown): JsonObject | undefined {
  if (!isObject(error)) return undefined;
  return { name: error['type'], data: { message: error['message'] } };
}

function partOf(part: JsonObject): JsonObject {
  if (part['type'] !== 'tool') return { type: part['type'], text: part['text'] };
  const { status, input, content, error, metadata } = objectOf(part['state']);
  const { created, ran } = objectOf(part['time']);
  return {
    type: 'tool',
    tool: part['name'],
    callID: part['id'],
    state: {
      status,
      input,
      output: outputOf(content),
      error: objectOf(error)['message'],
      metadata,
      time: { start: ran ?? created },
    },
  };
}

/** The exit code stands beside the output, too. */
const ABOUT_EXIT = /^Command exited with code \d+\.$/;
const AGENT_FRAME = /^<subagent sessionID="[^"]*" state="[^"]*">\n?([^]*?)\n?<\/subagent>$/;

function outputOf(content: unknown): string {
  return listOf(content)
    .filter(isObject)
    .map(({ type, text }) => (type === 'text' ? (stringOf(text) ?? '') : `[${String(type)}]`))
    .filter((text) => !ABOUT_EXIT.test(text))
    .map((text) => AGENT_FRAME.exec(text)?.[1] ?? text)
    .join('\n');
}
