import type { Store, StoredChunk } from '@causantic/storage';
import { Messages } from './messages.js';
import {
  headerTokens,
  hitHeader,
  isUnderOneHeader,
  passageText,
  passageTokens,
  type Hit,
} from './presentation.js';

/** Chunks in sequence, as they are shown. */
export interface StoryBlocks {
  hits: readonly Hit[];
  text: string;
  /** Upper bound. */
  tokens: number;
}

/**
 * Stories as they are shown, each turn below how its request begins, if no story tells that, as far as it fits into this
 * many tokens.
 */
export function storyBlocks(
  store: Store,
  stories: readonly (readonly Hit[])[],
  budgetTokens: number,
): StoryBlocks[] {
  const shown = new Map(stories.flat().map((hit) => [hit.chunk.id, hit]));
  const messages = new Messages(store);
  const asked = new Map<number, string>();
  let room = stories.reduce((left, hits) => left - hitBlocks(hits).tokens, budgetTokens);
  for (const { chunk } of shown.values()) {
    const request = messages.requestBefore(chunk, shown);
    const told = request ? messages.askedLine(request, room) : '';
    const proposed = messages.proposedLine(told ? request! : chunk, room - headerTokens(told), shown);
    const line = proposed + told;
    if (line === '') continue;
    asked.set(chunk.id, line);
    room -= headerTokens(line);
  }
  return stories.map((hits) => ({ hits, ...hitBlocks(hits, asked) }));
}

/**
 * Chunks in sequence; adjacent ones share one header, that of the most relevant of them.
 *
 * @param asked lines above chunks that begin a run, by id
 */
export function hitBlocks(
  hits: readonly Hit[],
  asked: ReadonlyMap<number, string> = new Map(),
): { text: string; tokens: number } {
  const runs: Hit[][] = [];
  for (const hit of hits) {
    const run = runs.at(-1);
    if (run && isRightBehind(run.at(-1)!.chunk, hit.chunk)) run.push(hit);
    else runs.push([hit]);
  }
  const blocks = runs.map((run) => runBlock(run, asked.get(run[0]!.chunk.id) ?? ''));
  return {
    text: blocks.map(({ text }) => text).join('\n\n'),
    tokens: blocks.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

function isRightBehind(before: StoredChunk, chunk: StoredChunk): boolean {
  const isNext = before.transcriptId === chunk.transcriptId && before.seq + 1 === chunk.seq;
  return isNext && isUnderOneHeader(before, chunk);
}

function runBlock(run: readonly Hit[], asked: string): { text: string; tokens: number } {
  const header = hitHeader(run.reduce((best, hit) => (hit.relevance > best.relevance ? hit : best)));
  const passage = run.map(({ chunk }) => chunk);
  return {
    text: `${header}\n${asked}${passageText(passage)}`,
    tokens: headerTokens(header) + headerTokens(asked) + passageTokens(passage),
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
