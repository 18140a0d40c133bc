// Tells who is behind a text that Claude Code hands to the agent in a person's place.
import { type JsonObject, objectOf, stringOf } from '../../transcripts/records.js';
import { ANOTHER_SESSION, pluginName, sessionName, type UserTextPart } from './user-text.js';

/** Who is behind a text that the client gave to the agent as a user's. */
export type Sender = { kind: 'person' } | { kind: 'client' } | { kind: 'agent'; name: string };

/** Chats, and apps that send what their user typed by a plugin: the client hides it, as what nobody wrote. */
const BY_HAND = new Set(['channel', 'slack-ping', 'plugin']);
/** They tell nothing; what versions to come mark otherwise is no person's. */
const UNTOLD = new Set(['', 'human', 'unclassified']);

/** What newer clients note with a text: its `origin`, or only that nobody typed it. */
export function senderOf(note: JsonObject): Sender {
  const origin = objectOf(note['origin']);
  const kind = stringOf(origin['kind']) ?? '';
  const name = agentIn(origin);
  if (name !== null) return { kind: 'agent', name };
  if (BY_HAND.has(kind)) return { kind: 'person' };
  const isClients =
    note['isMeta'] === true ||
    note['promptSource'] === 'system' ||
    note['turnOrigin'] === 'scheduled' ||
    !UNTOLD.has(kind);
  return { kind: isClients ? 'client' : 'person' };
}

/** Who speaks: another agent, session or plugin. */
function agentIn(origin: JsonObject): string | null {
  const { kind, subkind } = origin;
  const name = stringOf(origin['name']);
  switch (subkind === 'peer-send-message' ? 'peer' : kind) {
    case 'coordinator':
    case 'observer':
      return String(kind);
    case 'plugin':
      return origin['asUser'] === true ? null : pluginName(name);
    case 'peer':
      return sessionName(name ?? stringOf(origin['from']));
    default:
      return null;
  }
}

/** Whether a program runs the client without a terminal, by its library or with `-p`. */
export function isByProgram(note: JsonObject): boolean {
  return stringOf(note['entrypoint'])?.startsWith('sdk-') === true;
}

/** A part of the text, said by the sender where nothing in it names another. */
export function byWhom(part: UserTextPart, sender: Sender): UserTextPart {
  if (part.type === 'message' && part.from === ANOTHER_SESSION && sender.kind === 'agent') {
    return { ...part, from: sender.name };
  }
  if (part.type === 'command' && sender.kind === 'client') {
    return { type: 'injected', text: `${part.name} ${part.args}`.trim(), withPrompt: false };
  }
  if (part.type !== 'prompt' || sender.kind === 'person') return part;
  return sender.kind === 'agent'
    ? { type: 'message', from: sender.name, text: part.text }
    : { type: 'injected', text: part.text, withPrompt: false };
}
