import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { openSqlite } from '@causantic/storage';

/**
 * What people and models said in a rollout of Codex, a chat of Gemini, a session of Copilot, Qwen Code or opencode (version 1), in order; null
 * for any other file. Reads the file on its own, without the parser under test, and as a whole: the last version of each message counts.
 *
 * @param {string} path
 * @param {Set<string>} seen ids of what another file has said already
 * @returns {string[] | null}
 */
export function otherClientsTexts(path, seen) {
  if (dirname(path).endsWith('.db')) return saidInOpencode(dirname(path), basename(path), seen);
  const text = readFileSync(path, 'utf8');
  const records = text.split('\n').flatMap((line) => parse(line));
  const [first] = records;
  if (first?.id && 'instructions' in first) return saidInCodex(records.map(inEnvelope), seen);
  if (records.some((record) => record.type === 'session_meta')) return saidInCodex(records, seen);
  if (records.some(({ uuid, message }) => uuid && message?.parts)) return saidInQwen(records, seen);
  if (records.some(({ data, parentId }) => data && parentId !== undefined))
    return saidInCopilot(records, seen);
  const document = records.length === 0 ? parse(text)[0] : undefined;
  if (document?.sessionId && document.messages) return saidInGemini([document], seen);
  return records[0]?.sessionId && records[0].projectHash ? saidInGemini(records, seen) : null;
}

/** @returns {any[]} */
function parse(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === 'object' ? [value] : [];
  } catch {
    return [];
  }
}

/** What an editor or the desktop app puts before a request. */
const BEFORE_REQUEST = /^(?:\s*##? [^]*?\n|\s*)## My request(?: for Codex)?:/;

/** What Codex writes out for what was typed, and what the model writes below an answer for the app. */
const WRITTEN_OUT =
  /^(PLEASE IMPLEMENT THIS PLAN:)\n(?:\s{0,3}#{1,6} ([^\n]{1,200}))?[^]*|^Generate a file named AGENTS\.md that serves as [^]*/;
const SPEC_KIT = /^\s*## User Input\s+```text\r?\n([^]*?)\r?\n```\s+You \*\*MUST\*\* consider[^]*/;
const FOR_APP = /(?:\s*(?:::git-[a-z-]+\{[^{}\n]*\}|<oai-mem-citation>[^]*?<\/oai-mem-citation>))+\s*$/;
const typedIn = (text) =>
  text
    .replace(BEFORE_REQUEST, '')
    .trim()
    .replace(WRITTEN_OUT, (_, plan, title) => (plan ? `${plan} ${title ?? ''}` : '/init'))
    .replace(SPEC_KIT, '$1');

/** A prompt's event as older versions wrote it: newer ones tell of a completed item alone. */
function promptIn({ type, payload }, hasEvents) {
  if (type !== 'event_msg') return null;
  if (payload.type === 'user_message') return payload;
  if (hasEvents || payload.type !== 'item_completed' || payload.item.type !== 'UserMessage') return null;
  const { content } = payload.item;
  const texts = content.filter((part) => part.type === 'text');
  const images = content.filter((part) => /image/i.test(part.type));
  return { message: texts.map((part) => part.text).join('\n'), images };
}

/** Its first versions wrote items without an envelope, and a person's words in them alone. */
function inEnvelope(record) {
  if ('instructions' in record) return { type: 'session_meta', payload: record };
  const isTyped =
    record.role === 'user' &&
    !/^\s*<(?:environment_context|user_instructions)>/.test(record.content[0]?.text);
  return isTyped
    ? {
        type: 'event_msg',
        payload: { type: 'user_message', message: record.content.map(({ text }) => text).join('\n') },
      }
    : { type: 'response_item', payload: record };
}

/** A person's words stand in events, a model's in items. A rollout that goes on from another one repeats that one's, under its turns. */
function saidInCodex(records, seen) {
  const turns = [[]];
  let scope = '';
  let count = 0;
  const isNew = (text) => {
    const id = `${scope} ${count++} ${text.trim()}`;
    return !seen.has(id) && seen.add(id);
  };
  const hasEvents = records.some(({ payload }) => payload?.type === 'user_message');
  // Whoever decides on approvals is given the whole session again.
  const isGuardian = records[0].payload?.source?.subagent?.other === 'guardian';
  for (const { type, payload = {} } of records) {
    const begun = type === 'session_meta' ? payload.id : payload.turn_id;
    if (begun && begun !== scope) [scope, count] = [begun, 0];
    if (type === 'event_msg' && payload.type === 'thread_rolled_back') turns.splice(-payload.num_turns);
    const prompt = isGuardian ? null : promptIn({ type, payload }, hasEvents);
    if (prompt) {
      const images = [...(prompt.images ?? []), ...(prompt.local_images ?? [])].map(() => '[image]');
      turns.push(isNew(prompt.message) ? [typedIn(prompt.message), ...images] : []);
    }
    if (type === 'response_item' && payload.type === 'message' && payload.role === 'assistant') {
      const text = payload.content.map((part) => part.text ?? '').join('\n');
      if (isNew(text)) turns.at(-1).push(text.replace(FOR_APP, ''));
    }
  }
  return turns.flat();
}

/** The files open in an editor, which the client's extension puts above what was typed. */
const OPEN_FILES = /^(?:(?:[A-Za-z]:\\|\/[^\s/]+\/)[^\n]*\n)+\n(?=[^]*\S)/;

const PASTED_IMAGE = /@[^\s@]*[\\/]clipboard-\d{10}[\w-]*\.(?:png|jpe?g|gif|webp|bmp|tiff)\b/g;

/** A fork keeps the ids of its original's records. */
function saidInQwen(records, seen) {
  // A command of which early versions do not tell whether the client made a prompt of it, which then comes at once.
  let untold = null;
  return records.flatMap(({ uuid, type, subtype, provenance, timestamp, message, systemPayload }) => {
    if (seen.has(uuid)) return [];
    seen.add(uuid);
    const { phase, rawCommand, sentToModel } = systemPayload ?? {};
    const before = untold;
    if (phase) untold = sentToModel === undefined ? { rawCommand, ended: timestamp } : null;
    else if (type !== 'system') untold = null;
    if (subtype === 'slash_command' && phase === 'invocation' && rawCommand.includes(' '))
      return [rawCommand];
    const isTyped = type === 'user' && !subtype && (provenance ?? 'real_user') === 'real_user';
    if (!isTyped && type !== 'assistant') return [];
    const texts = message.parts
      .filter(({ text, thought }) => text && !thought && !/^\s*<system-reminder>/.test(text))
      .map(({ text }) => text);
    const isAtOnce = isTyped && before && Date.parse(timestamp) - Date.parse(before.ended) < 1_000;
    if (isAtOnce && texts[0]?.includes(before.rawCommand.replace(/^\S+\s*/, ''))) return [];
    return isTyped
      ? texts.slice(0, 1).map((text) => text.replace(OPEN_FILES, '').replace(PASTED_IMAGE, '[image]'))
      : texts;
  });
}

/** A fork's copies of messages have their times. */
function saidInOpencode(database, session, seen) {
  const db = openSqlite(database, { readonly: true, fileMustExist: true });
  try {
    const rows = db
      .prepare(
        `SELECT m.data AS message, p.data AS part FROM message m JOIN part p ON p.message_id = m.id
         WHERE m.session_id = ? ORDER BY m.time_created, m.id, p.id`,
      )
      .all(session);
    let isPersonsCommand = false;
    return rows.flatMap((row) => {
      const [message, part] = [JSON.parse(row.message), JSON.parse(row.part)];
      if (message.role === 'user')
        isPersonsCommand = part.text === 'The following tool was executed by the user';
      if (part.type === 'tool' && isPersonsCommand) return [`! ${part.state.input.command}`];
      if (part.type === 'file' && /^image/.test(part.mime)) return ['[image]'];
      if (part.type !== 'text' || part.synthetic || part.ignored || message.summary === true) return [];
      const id = JSON.stringify([message.role, message.time.created, part.text]);
      return seen.has(id) || !seen.add(id) ? [] : [part.text];
    });
  } finally {
    db.close();
  }
}

/** What the client says itself: where the model stopped in its midst, what an agent of its own is to do. */
const CLIENTS_OWN =
  /^\s*(?:System: Please continue\.$|<session_context>|<loaded_context>|You have exceeded the |Your task is to (?:do a deep investigation of|answer the following question about Gemini CLI:))/;

function saidInGemini(records, seen) {
  const messages = new Map();
  for (const record of records) {
    if (record.$rewindTo) rewind(messages, record.$rewindTo);
    for (const message of record.messages ?? record.$set?.messages ?? []) messages.set(message.id, message);
    if (record.id && record.type) messages.set(record.id, record);
  }
  const session = records[0].sessionId;
  return [...messages.values()].flatMap((message) => {
    const id = `${session} ${message.id}`;
    if (seen.has(id) || !['user', 'gemini'].includes(message.type)) return [];
    seen.add(id);
    const content = message.displayContent ?? message.content;
    // The client asks the model to go on, and notes with that once more what it was asked.
    if (message.type === 'user' && message.content?.[0]?.text === 'System: Please continue.') return [];
    const parts = Array.isArray(content) ? content : [{ text: content }];
    const given = parts.map((part) => part.text ?? '').join('\n');
    const text = given
      .replace(/\s*--- Content from referenced files ---[^]*/, '')
      .replace(/<hook_context>[^]*?<\/hook_context>/g, '')
      .replace(/\n(?:Current File Path:\n```|\nUser Selected Files:\n- )[^]*/, '');
    return message.type === 'user' && CLIENTS_OWN.test(text) ? [] : [text];
  });
}

/** A fork keeps the ids of its original's events. */
function saidInCopilot(records, seen) {
  return records.flatMap(({ id, type, agentId, data }) => {
    if (seen.has(id)) return [];
    seen.add(id);
    if (type === 'tool.user_requested') return [`! ${data.arguments.command}`];
    const isClients = type === 'user.message' && data.source && !agentId;
    if (isClients || !['user.message', 'assistant.message'].includes(type)) return [];
    const images = (data.attachments ?? []).filter(({ mimeType }) => mimeType?.startsWith('image/'));
    return [...images.map(() => '[image]'), data.content.replace(/<current_datetime>.*$/, '')];
  });
}

function rewind(messages, id) {
  const ids = [...messages.keys()];
  const from = ids.indexOf(id);
  for (const gone of ids.slice(Math.max(from, 0))) messages.delete(gone);
}
