// Tells who is behind a text that Claude Code hands to the agent in a person's place.
import { type JsonObject, objectOf, stringOf } from '../records.js';
import { ANOTHER_SESSION, sessionName, type UserTextPart } from './user-text.js';

/** Who is behind a text that the client gave to the agent as a user's. */
export type Sender = { kind: 'person' } | { kind: 'client' } | { kind: 'agent'; name: string };

const AGENTS = new Set(['peer', 'coordinator', 'observer']);
const CLIENTS = new Set(['task-notification', 'auto-continuation', 'scheduled-trigger']);

/** What newer clients note with a text: its `origin`, or only that nobody typed it. */
export function senderOf(note: JsonObject): Sender {
  const origin = objectOf(note['origin']);
  const kind = stringOf(origin['kind']) ?? '';
  if (AGENTS.has(kind)) return { kind: 'agent', name: nameIn(origin, kind) };
  // What a person writes in a chat is hidden in the terminal, as what nobody wrote.
  if (kind === 'channel') return { kind: 'person' };
  const isClients =
    note['isMeta'] === true ||
    note['promptSource'] === 'system' ||
    note['turnOrigin'] === 'scheduled' ||
    CLIENTS.has(kind);
  return { kind: isClients ? 'client' : 'person' };
}

/** Whether a program runs the client without a terminal, by its library or with `-p`. */
export function isByProgram(note: JsonObject): boolean {
  return stringOf(note['entrypoint'])?.startsWith('sdk-') === true;
}

function nameIn(origin: JsonObject, kind: string): string {
  return kind === 'peer' ? sessionName(stringOf(origin['name']) ?? stringOf(origin['from'])) : kind;
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
