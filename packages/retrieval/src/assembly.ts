import type { Store, StoredChunk } from '@causantic/storage';
import { headerTokens, hitHeader, type Hit } from './presentation.js';

/** An answer's body: whole chunks under headers, within a budget. */
export interface Assembly {
  text: string;
  /** Upper bound of the text's tokens, headers included. */
  tokens: number;
  /** In the order of the text. */
  hits: Hit[];
}

/**
 * Chunks are small so that they are found precisely, but half a message is hard to read: a hit is shown with the
 * rest of its message up to this size. Evidence: docs/decisions/0070-keyword-ranking.md.
 */
const PASSAGE_TOKENS = 1_000;

/** The blank line between blocks, and what a tokenizer may lose at the seams. */
const SEPARATOR_TOKENS = 3;

/**
 * Put hits under headers, best first, each completed to its message, as long as they fit. A passage that does not fit
 * is tried as the hit alone and then left out whole; smaller ones after it still get their chance.
 *
 * @param overheadTokens what the caller adds around the body
 */
export function assembleHits(
  store: Store,
  hits: readonly Hit[],
  { budgetTokens, overheadTokens }: { budgetTokens: number; overheadTokens: number },
): Assembly {
  const ranked = new Map(hits.map((hit) => [hit.chunk.id, hit]));
  const shown = new Set<number>();
  const blocks: string[] = [];
  const taken: Hit[] = [];
  let tokens = overheadTokens;
  for (const hit of hits) {
    if (shown.has(hit.chunk.id)) continue;
    const header = hitHeader(hit);
    const room = budgetTokens - tokens - headerTokens(header);
    const passage = [passageAround(store, hit.chunk, shown), [hit.chunk]].find(
      (each) => passageTokens(each) <= room,
    );
    if (!passage) continue;
    tokens += headerTokens(header) + passageTokens(passage);
    for (const chunk of passage) {
      shown.add(chunk.id);
      taken.push(ranked.get(chunk.id) ?? { ...hit, chunk, sources: ['graph'] });
    }
    blocks.push([header, ...passage.map((chunk) => chunk.text)].join('\n'));
  }
  return { text: blocks.join('\n\n'), tokens, hits: taken };
}

function passageTokens(chunks: readonly StoredChunk[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.tokens + SEPARATOR_TOKENS, 0);
}

/** The chunk with the rest of the message it was cut from, in order, without what is shown already. */
function passageAround(store: Store, chunk: StoredChunk, shown: ReadonlySet<number>): StoredChunk[] {
  const around = store.chunks.inTranscript(chunk.transcriptId, chunk.seq - MAX_REACH, chunk.seq + MAX_REACH);
  const at = around.findIndex((each) => each.id === chunk.id);
  let [first, last, tokens] = [at, at, chunk.tokens];
  while (continuesMessage(around[last + 1]) && fits(around[last + 1])) tokens += around[++last]!.tokens;
  while (continuesMessage(around[first]) && fits(around[first - 1])) tokens += around[--first]!.tokens;
  return around.slice(first, last + 1);

  function fits(next: StoredChunk | undefined): boolean {
    if (next?.turnId !== chunk.turnId || next.kind !== chunk.kind || shown.has(next.id)) return false;
    return tokens + next.tokens <= PASSAGE_TOKENS;
  }
}

/** A chunk that begins within a message has no label before its first words. */
function continuesMessage(chunk: StoredChunk | undefined): boolean {
  return chunk?.spans[0]?.start === 0;
}

const MAX_REACH = 8;
