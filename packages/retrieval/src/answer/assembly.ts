import type { Store } from '@causantic/storage';
import { behindRequest, Messages } from './messages.js';
import { ToldTexts } from './near-copies.js';
import { besideHit, headerTokens, hitHeader, passageText, passageTokens, type Hit } from './presentation.js';

/** An answer's body: whole chunks under headers, within a budget. */
export interface Assembly {
  text: string;
  /** Upper bound of the text's tokens, headers included. */
  tokens: number;
  /** In the order of the text. */
  hits: Hit[];
}

/** What is read for an answer depends on how much of it is there. */
export interface AnswerSoFar {
  readonly tokens: number;
}

/**
 * A hit's neighbour that is among this many next hits joins it: both then appear in conversation order under one header.
 * Evidence: docs/decisions/0070-ranking.md.
 */
const HITS_AHEAD = 10;

/** Below this no header and chunk fit any more. */
const SMALLEST_BLOCK_TOKENS = 40;

/**
 * Puts hits under headers, best first, as long as they fit. Each hit is completed to its message, joined by the next
 * hits that are adjacent to it, and shown behind the short request of its turn. If such a passage does not fit, the hit
 * alone is tried, and else left out; smaller ones after it still get their chance.
 *
 * @param hitsFor read only as far as the budget reaches, and told how long the answer is so far
 * @param overheadTokens what the caller adds around the body
 * @param told what is not shown again in nearly the same words
 * @param isStory the hits are in the order of time: where one does not fit, none from much earlier takes its place
 */
export function assembleHits(
  store: Store,
  hitsFor: (answer: AnswerSoFar) => Iterable<Hit>,
  {
    budgetTokens,
    overheadTokens,
    told = new ToldTexts(),
    isStory = false,
  }: { budgetTokens: number; overheadTokens: number; told?: ToldTexts; isStory?: boolean },
): Assembly {
  const messages = new Messages(store);
  const shown = new Map<number, Hit>();
  const blocks: string[] = [];
  const answer = { tokens: overheadTokens };
  for (const { hit, next } of withNext(hitsFor(answer), HITS_AHEAD)) {
    if (budgetTokens - answer.tokens < SMALLEST_BLOCK_TOKENS) break;
    if (shown.has(hit.chunk.id) || told.tell(hit.chunk)) continue;
    const header = hitHeader(hit);
    const ofHeader = headerTokens(header);
    const room = budgetTokens - answer.tokens - ofHeader;
    if (passageTokens([hit.chunk]) > room) {
      if (isStory && blocks.length > 0) break;
      continue;
    }
    const whole = messages.around(hit.chunk, shown);
    const joined = passageTokens(whole) <= room ? messages.joined(whole, { next, shown, room }) : [hit.chunk];
    const request = messages.requestBefore(joined[0]!, shown);
    const passage = messages.withReply(behindRequest(joined, request, room), { shown, room });
    const tokens = passageTokens(passage);
    const isAbove = request === undefined || passage[0] === request;
    const asked = isAbove ? '' : messages.askedLine(request, room - tokens);
    const asking = isAbove ? passage[0]! : asked && request;
    const proposed = asking ? messages.proposedLine(asking, room - tokens - headerTokens(asked)) : '';
    answer.tokens += ofHeader + headerTokens(proposed) + headerTokens(asked) + tokens;
    for (const chunk of passage) {
      const own = chunk.id === hit.chunk.id ? hit : next.get(chunk.id);
      shown.set(chunk.id, own ?? besideHit(hit, chunk));
      told.add(chunk);
    }
    blocks.push(`${header}\n${proposed}${asked}${passageText(passage)}`);
  }
  return { text: blocks.join('\n\n'), tokens: answer.tokens, hits: [...shown.values()] };
}

/** Each hit with the `count` that come after it, by chunk id. */
function* withNext(hits: Iterable<Hit>, count: number): Generator<{ hit: Hit; next: Map<number, Hit> }> {
  const next = new Map<number, Hit>();
  for (const hit of hits) {
    next.set(hit.chunk.id, hit);
    if (next.size > count) yield takeFirst(next);
  }
  while (next.size > 0) yield takeFirst(next);
}

function takeFirst(next: Map<number, Hit>): { hit: Hit; next: Map<number, Hit> } {
  const [id, hit] = next.entries().next().value!;
  next.delete(id);
  return { hit, next };
}
