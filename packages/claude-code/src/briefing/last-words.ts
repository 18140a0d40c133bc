import type { Store, StoredChunk } from '@causantic/storage';

/** A message is cut into chunks of some 200 tokens; of longer ones the beginning is not looked for. */
const MAX_CHUNKS = 24;
/** Chunks looked through for the main agent's last message; sub-agents may have talked since. */
const MAX_LOOKED_AT = 400;

/** The last message of the main agent in a session; empty where there is none. */
export function lastWords(store: Store, sessionId: number): string {
  const parts: string[] = [];
  let lookedAt = 0;
  for (const chunk of store.chunks.walk({ sessionId }, 'newest')) {
    if (++lookedAt > MAX_LOOKED_AT || parts.length >= MAX_CHUNKS) break;
    if (chunk.agentName !== null || chunk.kind !== 'dialogue') continue;
    const { text, isWhole } = lastMessage(chunk, parts.length > 0);
    if (text === '' && parts.length > 0) break;
    if (text !== '') parts.unshift(text);
    if (isWhole) break;
  }
  return parts.join('\n').trim();
}

/**
 * The last message of the assistant in a chunk, and whether its beginning is in it. Of a chunk before one that was
 * taken, only a message at its very end belongs to the same.
 */
function lastMessage(chunk: StoredChunk, isEarlierPart: boolean): { text: string; isWhole: boolean } {
  const spans = isEarlierPart ? chunk.spans.slice(-1) : chunk.spans;
  const span = spans.findLast(({ speaker }) => speaker === 'assistant');
  if (!span) return { text: '', isWhole: isEarlierPart };
  // A chunk that begins within a message has no label before its first words.
  return { text: chunk.text.slice(span.start, span.end), isWhole: span.start !== 0 };
}
