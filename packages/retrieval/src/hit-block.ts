import type { StoredChunk } from '@causantic/storage';
import {
  headerTokens,
  hitHeader,
  isUnderOneHeader,
  passageText,
  passageTokens,
  type Hit,
} from './presentation.js';

/** Chunks in sequence; adjacent ones share one header, that of the most relevant of them. */
export function hitBlocks(hits: readonly Hit[]): { text: string; tokens: number } {
  const runs: Hit[][] = [];
  for (const hit of hits) {
    const run = runs.at(-1);
    if (run && isRightBehind(run.at(-1)!.chunk, hit.chunk)) run.push(hit);
    else runs.push([hit]);
  }
  const blocks = runs.map(runBlock);
  return {
    text: blocks.map(({ text }) => text).join('\n\n'),
    tokens: blocks.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

function isRightBehind(before: StoredChunk, chunk: StoredChunk): boolean {
  const isNext = before.transcriptId === chunk.transcriptId && before.seq + 1 === chunk.seq;
  return isNext && isUnderOneHeader(before, chunk);
}

function runBlock(run: readonly Hit[]): { text: string; tokens: number } {
  const header = hitHeader(run.reduce((best, hit) => (hit.relevance > best.relevance ? hit : best)));
  const passage = run.map(({ chunk }) => chunk);
  return {
    text: `${header}\n${passageText(passage)}`,
    tokens: headerTokens(header) + passageTokens(passage),
  };
}

/** Upper bound of the tokens of a chunk's block and the blank line after it. */
export function blockTokens(hit: Hit): number {
  return headerTokens(hitHeader(hit)) + passageTokens([hit.chunk]);
}

/** Whether the search itself found the chunk; the rest of a found message is shown with it. */
export function isFound(hit: Hit): boolean {
  return hit.sources.some((source) => source !== 'graph');
}
