import {
  continuesFrom,
  headerTokens,
  hitHeader,
  openingLine,
  SEPARATOR_TOKENS,
  type Hit,
} from './presentation.js';

/** Chunks one after the other, each under its header. */
export function hitBlocks(hits: readonly Hit[]): string {
  const blocks = hits.map((hit, index) => {
    const opening = continuesFrom(hits[index - 1]?.chunk, hit.chunk) ? '' : openingLine(hit.chunk);
    return `${hitHeader(hit)}\n${opening}${hit.chunk.text}`;
  });
  return blocks.join('\n\n');
}

/** Upper bound of the tokens of a chunk's block with the blank line behind it. */
export function blockTokens(hit: Hit): number {
  const head = headerTokens(hitHeader(hit)) + headerTokens(openingLine(hit.chunk));
  return hit.chunk.tokens + head + SEPARATOR_TOKENS;
}

/** Whether the search itself found the chunk; the rest of a found message is shown with it. */
export function isFound(hit: Hit): boolean {
  return hit.sources.some((source) => source !== 'graph');
}
