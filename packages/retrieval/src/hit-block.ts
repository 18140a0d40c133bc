import {
  continuesFrom,
  headerTokens,
  hitHeader,
  openingLine,
  SEPARATOR_TOKENS,
  shownText,
  shownTokens,
  type Hit,
} from './presentation.js';

/** Chunks one after the other, each under its header. */
export function hitBlocks(hits: readonly Hit[]): string {
  const blocks = hits.map((hit, index) => {
    const opening = continuesFrom(hits[index - 1]?.chunk, hit.chunk) ? '' : openingLine(hit.chunk);
    return `${hitHeader(hit)}\n${opening}${shownText(hit.chunk)}`;
  });
  return blocks.join('\n\n');
}

/** Upper bound of the tokens of a chunk's block with the blank line behind it. */
export function blockTokens(hit: Hit): number {
  const head = headerTokens(hitHeader(hit)) + headerTokens(openingLine(hit.chunk));
  return shownTokens(hit.chunk) + head + SEPARATOR_TOKENS;
}

/** Whether the search itself found the chunk; the rest of a found message is shown with it. */
export function isFound(hit: Hit): boolean {
  return hit.sources.some((source) => source !== 'graph');
}
