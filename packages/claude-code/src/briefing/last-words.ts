import type { Span } from '@causantic/domain';
import type { Store, StoredChunk } from '@causantic/storage';

/** A message is cut into chunks of some 200 tokens; of longer ones the beginning is not looked for. */
const MAX_CHUNKS = 24;
/** Chunks looked through for the main agent's last message; sub-agents may have talked since. */
const MAX_LOOKED_AT = 400;
/** "Committed as 9f025fd." says what was done last, but not what was done: the turn before ended with that. */
const FEW_CHARACTERS = 200;
const MAX_TURNS = 3;

/** How the main agent's last turn in a session ended; if in few words, also how those before it did. Empty if it said nothing. */
export function lastWords(store: Store, sessionId: number): string {
  const turns = new Set<number>();
  let words = '';
  while (words.length < FEW_CHARACTERS && turns.size < MAX_TURNS) {
    const before = lastMessageBefore(store, sessionId, turns);
    if (before === undefined) break;
    turns.add(before.turnId);
    words = [before.text, words].filter(Boolean).join('\n');
  }
  return words;
}

/** The last message of the main agent, but for these turns. */
function lastMessageBefore(
  store: Store,
  sessionId: number,
  but: ReadonlySet<number>,
): { text: string; turnId: number } | undefined {
  const parts: string[] = [];
  let turnId: number | undefined;
  let lookedAt = 0;
  for (const chunk of store.chunks.walk({ sessionId }, 'newest')) {
    if (++lookedAt > MAX_LOOKED_AT || parts.length >= MAX_CHUNKS) break;
    if (chunk.agentName !== null || chunk.kind !== 'dialogue' || but.has(chunk.turnId)) continue;
    const { text, isWhole } = partOfLastMessage(chunk, parts.length > 0);
    if (text === '' && parts.length > 0) break;
    if (text !== '') {
      parts.unshift(text);
      turnId ??= chunk.turnId;
    }
    if (isWhole) break;
  }
  return turnId === undefined ? undefined : { text: parts.join('\n').trim(), turnId };
}

/**
 * The last message of the assistant in a chunk, and whether its beginning is in it. Of a chunk before one that was
 * taken, only a message at its very end belongs to the same.
 */
function partOfLastMessage(chunk: StoredChunk, isEarlierPart: boolean): { text: string; isWhole: boolean } {
  const spans = isEarlierPart && chunk.spans.at(-1)?.speaker !== 'assistant' ? [] : chunk.spans;
  const last = spans.findLastIndex(({ speaker }) => speaker === 'assistant');
  if (last === -1) return { text: '', isWhole: isEarlierPart };
  const first = firstOfMessage(spans, last);
  // A chunk that begins within a message has no label before its first words.
  return {
    text: chunk.text.slice(spans[first]!.start, spans[last]!.end),
    isWhole: spans[first]!.start !== 0,
  };
}

/** Stretches of one message have nothing but the end of a line between them; a label stands before another message. */
function firstOfMessage(spans: readonly Span[], last: number): number {
  let first = last;
  while (spans[first - 1]?.speaker === 'assistant' && spans[first]!.start - spans[first - 1]!.end === 1)
    first--;
  return first;
}
