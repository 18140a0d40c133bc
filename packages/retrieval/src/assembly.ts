import { headerTokens, hitHeader, type Hit } from './presentation.js';

/** An answer's body: whole chunks under headers, within a budget. */
export interface Assembly {
  text: string;
  /** Upper bound of the text's tokens, headers included. */
  tokens: number;
  hits: Hit[];
}

/**
 * Put hits under their headers, best first, as long as they fit. A chunk that does not fit is left out whole and
 * smaller ones after it still get their chance. Hits that follow each other in one transcript share a header.
 *
 * @param overheadTokens what the caller adds around the body
 */
export function assembleHits(hits: readonly Hit[], budgetTokens: number, overheadTokens: number): Assembly {
  const blocks: string[] = [];
  const taken: Hit[] = [];
  let tokens = overheadTokens;
  for (const hit of hits) {
    const header = continues(taken.at(-1), hit) ? '' : hitHeader(hit);
    const cost = hit.chunk.tokens + headerTokens(header) + SEPARATOR_TOKENS;
    if (tokens + cost > budgetTokens) continue;
    tokens += cost;
    taken.push(hit);
    blocks.push(header ? `${header}\n${hit.chunk.text}` : hit.chunk.text);
  }
  return { text: blocks.join('\n\n'), tokens, hits: taken };
}

/** The blank line between blocks, and what a tokenizer may lose at the seams. */
const SEPARATOR_TOKENS = 3;

function continues(last: Hit | undefined, next: Hit): boolean {
  return (
    last !== undefined &&
    last.chunk.transcriptId === next.chunk.transcriptId &&
    last.chunk.seq + 1 === next.chunk.seq
  );
}
