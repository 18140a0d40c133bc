import { isInWords, type Span } from '@causantic/domain';
import type { Store, StoredChunk } from '@causantic/storage';

/** A message is cut into chunks of some 200 tokens; of longer ones the beginning is not looked for. */
const MAX_CHUNKS = 24;
/** Chunks looked through for the main agent's last message; sub-agents may have talked since. */
const MAX_LOOKED_AT = 400;
/** "Committed as 9f025fd." says what was done last, but not what was done: the turn before ended with that. */
const FEW_CHARACTERS = 200;
const MAX_TURNS = 3;
/** What a person asked in between may answer what the agent asked: as one message, both would read as still open. */
const ASKED_IN_BETWEEN = '\n(after the next request:)\n';

/** The last message of a turn, as far as it was found. */
interface Message {
  parts: string[];
  isOver: boolean;
}

export interface LastWords {
  /** Empty if the agent said nothing. */
  text: string;
  /** Whether the agent has said nothing since the last request, to which they may read as the answer. */
  beforeLastRequest: boolean;
}

/** How the main agent's last turn in a session in which it said something ended; if in few words, also how those before it did. */
export function lastWords(store: Store, sessionId: number): LastWords {
  const byTurn = new Map<number, Message>();
  let lookedAt = 0;
  /** Turns in which the person said something after which the agent said nothing: asked for something, or answered a question. */
  const asked = new Set<number>();
  for (const chunk of store.chunks.walk({ sessionId }, 'newest')) {
    if (++lookedAt > MAX_LOOKED_AT) break;
    if (chunk.agentName !== null || chunk.kind !== 'dialogue') continue;
    const known = byTurn.get(chunk.turnId);
    const goesOn = known !== undefined && !known.isOver;
    if (!goesOn && isEnough(byTurn)) break;
    if (known?.isOver) continue;
    const { text, isWhole } = partOfLastMessage(chunk, goesOn);
    if (text === '' && !known) {
      if (byTurn.size === 0 && asksInWords(chunk)) asked.add(chunk.turnId);
      continue;
    }
    const parts = [text, ...(known?.parts ?? [])].filter(Boolean);
    byTurn.set(chunk.turnId, { parts, isOver: isWhole || text === '' || parts.length === MAX_CHUNKS });
  }
  const beforeLastRequest = [...asked].some((turnId) => !byTurn.has(turnId));
  return { text: messagesOf(byTurn).join(ASKED_IN_BETWEEN), beforeLastRequest };
}

/** What the client said when it broke off the main agent's last turn in a session: a limit, a lost connection. Empty if nothing did. */
export function lastFailure(store: Store, sessionId: number): string {
  let lookedAt = 0;
  for (const { agentName, kind, text } of store.chunks.walk({ sessionId }, 'newest')) {
    if (++lookedAt > MAX_LOOKED_AT) break;
    if (agentName === null) return kind === 'error' ? text.split('\n', 1)[0]! : '';
  }
  return '';
}

function asksInWords({ text, spans }: StoredChunk): boolean {
  return spans.some(({ speaker, start, end }) => speaker === 'user' && isInWords(text.slice(start, end)));
}

function isEnough(byTurn: ReadonlyMap<number, Message>): boolean {
  return byTurn.size === MAX_TURNS || messagesOf(byTurn).join('\n').length >= FEW_CHARACTERS;
}

/** @param byTurn the latest first */
function messagesOf(byTurn: ReadonlyMap<number, Message>): string[] {
  const messages = [...byTurn.values()].map(({ parts }) => parts.join('\n').trim());
  return messages.filter(Boolean).reverse();
}

/**
 * The last message of the assistant in a chunk, and whether its beginning is in it. Of a chunk before one that was
 * taken, only a message at its very end belongs to the same.
 */
function partOfLastMessage(chunk: StoredChunk, isEarlierPart: boolean): { text: string; isWhole: boolean } {
  const spans = isEarlierPart && chunk.spans.at(-1)?.speaker !== 'assistant' ? [] : chunk.spans;
  const last = spans.findLastIndex(({ speaker }) => speaker === 'assistant');
  if (last === -1) return { text: '', isWhole: isEarlierPart };
  const first = firstOfMessage(chunk.text, spans, last);
  // A chunk that begins within a message has no label before its first words.
  return {
    text: chunk.text.slice(spans[first]!.start, spans[last]!.end),
    isWhole: spans[first]!.start !== 0,
  };
}

/** Stretches of one message have nothing but ends of lines between them; a label stands before another message. */
function firstOfMessage(text: string, spans: readonly Span[], last: number): number {
  let first = last;
  const isPart = ({ speaker, end }: Span): boolean =>
    speaker === 'assistant' && text.slice(end, spans[first]!.start).trim() === '';
  while (first > 0 && isPart(spans[first - 1]!)) first--;
  return first;
}
