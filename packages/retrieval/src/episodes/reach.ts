import type { Store, StoredChunk } from '@causantic/storage';
import { blockTokens, isFound } from '../answer/hit-block.js';
import { isConsent, isToldByLine, Messages } from '../answer/messages.js';
import { type Hit, isNote } from '../answer/presentation.js';
import { searchKeywords } from '../matching/keyword-search.js';
import type { SearchRequest, SearchResult } from '../search.js';

/** Search results to start from; docs/decisions/0055. */
const MAX_SEEDS = 8;
/** Results are good from this share of the best relevance on. */
const GOOD_SHARE = 0.5;

/** By which each place further down in the search's order counts less in `merit`. docs/decisions/0055 */
const PLACE_FACTOR = 0.97;
/** A wish of few words comes first in that order, and is less relevant than pages about the same. docs/decisions/0130-wishes.md */
const PLACE_FACTOR_OF_WISHES = 0.8;

/** The chunks a walk comes across, each with its relevance to the query. */
export class Reach {
  private readonly known = new Map<number, Hit>();
  private readonly ranked: Hit[];
  private readonly places: ReadonlyMap<number, number>;
  private readonly messages: Messages;
  private readonly placeFactor: number;
  private readonly relevance: (id: number) => number;
  /** How many chunks the search itself found, without those shown beside them; where none of them fits, all that match. */
  readonly found: number;

  constructor(
    private readonly store: Store,
    private readonly scope: SearchRequest['scope'],
    found: SearchResult,
  ) {
    this.messages = new Messages(store);
    this.ranked = found.hits.filter(isFound);
    this.found = this.ranked.length || found.matched;
    this.places = new Map(this.ranked.map(({ chunk }, place) => [chunk.id, place]));
    this.placeFactor = found.asksForWishes ? PLACE_FACTOR_OF_WISHES : PLACE_FACTOR;
    for (const hit of this.ranked) this.known.set(hit.chunk.id, { ...hit, score: hit.relevance });
    this.relevance = wordRelevance(store, scope, found);
  }

  /** How well a chunk answers: by its relevance, and by the search's order, in which its surroundings count, too. */
  merit(id: number): number {
    const place = this.places.get(id) ?? this.ranked.length;
    return (this.describe([id])[0]?.relevance ?? 0) * this.placeFactor ** place;
  }

  /** Best first: results that answer well enough to be shown even if no walk meets them. */
  good(): Hit[] {
    const most = this.ranked.reduce((max, { relevance }) => Math.max(max, relevance), 0);
    return this.ranked.filter(({ relevance }) => relevance >= GOOD_SHARE * most);
  }

  /** The best results that leave room for another chunk of their size. */
  seeds(budgetTokens: number): Hit[] {
    const suitable = this.ranked.filter((hit) => blockTokens(hit) <= budgetTokens / 2);
    return suitable.toSorted((a, b) => b.score - a.score).slice(0, MAX_SEEDS);
  }

  /**
   * The request, unless a line above its turn tells that better; if it is merely a consent, with the last message before it.
   */
  openingOf(id: number): number[] {
    const first = this.requestOf(id);
    const request = first === undefined ? undefined : this.chunk(first);
    if (!request) return [];
    const before = isConsent(request) ? this.store.chunks.turnBefore(request.turnId) : undefined;
    const proposal = before === undefined ? undefined : this.store.chunks.lastSaidOf(before);
    return [proposal, this.hasLine(request, id) ? undefined : request.id].filter(
      (each) => each !== undefined,
    );
  }

  /** Whether a line above this chunk tells the request better than its own chunk does. */
  private hasLine(request: StoredChunk, id: number | undefined): boolean {
    return id !== undefined && request.turnId === this.turnOf(id) && isToldByLine(request);
  }

  /** The first chunk of this chunk's turn; a turn that a compaction split began before the compaction. */
  private requestOf(id: number): number | undefined {
    let turnId = this.turnOf(id);
    let first: number | undefined;
    while (turnId !== undefined) {
      first = this.store.chunks.firstOf(turnId) ?? first;
      const isSummary = first !== undefined && this.chunk(first)?.kind === 'compaction';
      turnId = isSummary ? this.store.chunks.turnBefore(turnId) : undefined;
    }
    return first;
  }

  /**
   * The last message of this chunk's turn, even after a compaction, unless it comes before the chunk. The whole message,
   * because its end alone is often a question.
   */
  outcomeOf(id: number): number[] {
    const turnId = this.turnOf(id);
    const lastId = turnId === undefined ? undefined : this.lastSaidIn(turnId);
    const last = lastId === undefined ? undefined : this.chunk(lastId);
    return last && last.seq >= this.chunk(id)!.seq
      ? this.messages.around(last, new Map()).map((chunk) => chunk.id)
      : [];
  }

  /** What the agent said of a failed call at the end of this chunk, with the calls in between. */
  replyTo(id: number): number[] {
    const chunk = this.chunk(id);
    const passage = chunk ? this.messages.withReply([chunk], { shown: new Map(), room: Infinity }) : [];
    return passage.slice(1).map((each) => each.id);
  }

  private lastSaidIn(turnId: number): number | undefined {
    const behind = this.store.chunks.turnBehindCompaction(turnId);
    return (behind && this.lastSaidIn(behind)) ?? this.store.chunks.lastSaidOf(turnId);
  }

  /**
   * The request behind this chunk's turn; if it is merely a consent, with the last words of what was done then. These alone, if a
   * line above them tells the request better.
   */
  nextOf(id: number): number[] {
    const { chunks } = this.store;
    const here = this.turnOf(id);
    let turnId = here === undefined ? undefined : chunks.turnAfter(here);
    while (turnId !== undefined) {
      const first = chunks.firstOf(turnId);
      const request = first === undefined ? undefined : this.chunk(first);
      // Behind a compaction the same request goes on.
      if (request && request.kind !== 'compaction') {
        const outcome = this.outcomeOf(request.id).slice(-1);
        if (this.hasLine(request, outcome[0])) return outcome;
        return isConsent(request) ? [request.id, ...outcome] : [request.id];
      }
      turnId = chunks.turnAfter(turnId);
    }
    return [];
  }

  private turnOf(id: number): number | undefined {
    const chunk = this.chunk(id);
    return chunk === undefined || isNote(chunk) ? undefined : chunk.turnId;
  }

  isOfMain(id: number): boolean {
    return this.chunk(id)?.agentId === null;
  }

  chunk(id: number): StoredChunk | undefined {
    return this.describe([id])[0]?.chunk;
  }

  /** In the order of the ids; undefined for a chunk that is gone or belongs to another project. */
  describe(ids: readonly number[]): (Hit | undefined)[] {
    const fresh = ids.filter((id) => !this.known.has(id));
    const { projectId } = this.scope;
    for (const chunk of this.store.chunks.get(fresh)) {
      if (projectId !== undefined && chunk.projectId !== projectId) continue;
      const relevance = this.relevance(chunk.id);
      this.known.set(chunk.id, { chunk, score: relevance, relevance, sources: ['graph'] });
    }
    return ids.map((id) => this.known.get(id));
  }

  /** Tokens of these chunks, each in a block of its own. */
  costOf(ids: readonly number[]): number {
    return this.describe(ids).reduce((sum, hit) => sum + (hit ? blockTokens(hit) : 0), 0);
  }
}

/** Relevance of chunks that search did not return: half by the share of the query's words, half by their weight. */
function wordRelevance(
  store: Store,
  { agentIds, ...everyAgent }: SearchRequest['scope'],
  { words, lookedUp }: SearchResult,
): (id: number) => number {
  // A walk goes on among other agents, whose chunks the search left out.
  const found = (agentIds ? undefined : words) ?? searchKeywords(store, lookedUp, everyAgent).found;
  const top = found.scores.reduce((most, score) => Math.max(most, score), 0);
  return (id) => (top === 0 ? 0 : (found.coverageOf(id) + found.scoreOf(id) / top) / 2);
}
