import { headerTokens, hitHeader, SEPARATOR_TOKENS, type Hit } from './presentation.js';

/** A chunk under its header. */
export function hitBlock(hit: Hit): string {
  return `${hitHeader(hit)}\n${hit.chunk.text}`;
}

/** Upper bound of the tokens of a block with the blank line behind it. */
export function blockTokens(hit: Hit): number {
  return hit.chunk.tokens + headerTokens(hitHeader(hit)) + SEPARATOR_TOKENS;
}

/** Whether the search itself found the chunk; the rest of a found message is shown with it. */
export function isFound(hit: Hit): boolean {
  return hit.sources.some((source) => source !== 'graph');
}
