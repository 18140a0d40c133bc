import {
  type Chain,
  type Edge,
  formatWalkDiagnostics,
  rangeSettings,
  WALK_FAILURES,
  walkChains,
  type WalkDiagnostics,
  type WalkDirection,
  type WalkRange,
  type WalkResult,
} from '@causantic/graph';
import type { KeywordScope, Store } from '@causantic/storage';
import type { Assembly } from './answer/assembly.js';
import { withCommits } from './answer/committed.js';
import { belowFilesLine, filesLineRoom } from './answer/files-line.js';
import { blockTokens, storyBlocks } from './answer/hit-block.js';
import { ToldTexts } from './answer/near-copies.js';
import { ANSWER_HEADER_TOKENS, type Hit } from './answer/presentation.js';
import { FULL_TOKENS } from './answer/rated-hits.js';
import { withEnds, withNext } from './episodes/episode-ends.js';
import { type Episode, joinChains, joinTurns } from './episodes/join-chains.js';
import { Reach } from './episodes/reach.js';
import {
  findPassages,
  nextStep,
  type RetrievalContext,
  type SearchDiagnostics,
  type SearchResult,
} from './search.js';

export interface EpisodeRequest {
  query: string;
  /** The agent filter applies only to seeds: chains cross agents. */
  scope: KeywordScope;
  /** `short`: within the sessions of the seeds. `long`: across sessions, with the slow decay. */
  range?: WalkRange;
  budgetTokens: number;
}

export interface EpisodeResult extends Assembly {
  /** Why there are search results instead of episodes, as shown by the tools; '' if there are episodes. */
  note: string;
  diagnostics: SearchDiagnostics & { walk: WalkDiagnostics; chains: { chunks: number; score: number }[] };
}

const MAX_CHAINS = 5;
/**
 * Token limit for all walks together, unless no chain is so short or the long range is asked for: longer chains fill the
 * start of an answer with steps of one story.
 */
const WALK_TOKENS: Record<WalkDirection, number> = { backward: 1_000, forward: 500 };
/** Number of good results that are always shown; `recall` shows more while the answer is short. docs/decisions/0055 */
const BEST_RESULTS: Record<WalkDirection, number> = { backward: 12, forward: 4 };

const EPISODE_HEADER_TOKENS = 16;
const NOTE_TOKENS = 96;

/** How something came about: ordered episodes that lead to the topic of the query; else search results with a note. */
export function recall(context: RetrievalContext, request: EpisodeRequest): Promise<EpisodeResult> {
  return episodes(context, request, 'backward');
}

/** What came next in similar situations: episodes that start at the topic of the context; else search results. */
export function predict(context: RetrievalContext, request: EpisodeRequest): Promise<EpisodeResult> {
  return episodes(context, request, 'forward');
}

async function episodes(
  context: RetrievalContext,
  request: EpisodeRequest,
  direction: WalkDirection,
): Promise<EpisodeResult> {
  const { query, scope } = request;
  const budgetTokens = request.budgetTokens - filesLineRoom(request.budgetTokens) - NOTE_TOKENS;
  const found = await findPassages(context, { query, scope, budgetTokens });
  await nextStep(context);
  return context.store.reading(() => episodesAround(found, context, request, direction));
}

function episodesAround(
  found: SearchResult,
  context: RetrievalContext,
  request: EpisodeRequest,
  direction: WalkDirection,
): EpisodeResult {
  const { scope, range } = request;
  const roomTokens = filesLineRoom(request.budgetTokens);
  const budgetTokens = request.budgetTokens - roomTokens;
  const startMs = context.now();
  const reach = new Reach(context.store, scope, found);
  const storyTokens = Math.max(0, budgetTokens - ANSWER_HEADER_TOKENS - MAX_CHAINS * EPISODE_HEADER_TOKENS);
  const isLatestWork = !found.words;
  const telling = { store: context.store, direction, range, storyTokens, isLatestWork };
  // What followed on earlier work is not what comes after the latest.
  const isAtTheEnd = isLatestWork && direction === 'forward';
  const chainsWithin = (tokens: number): { walk: WalkResult; chains: Chain[] } => {
    const walk = walkFrom(reach, telling, tokens);
    return { walk, chains: isAtTheEnd ? [] : walk.chains.filter((chain) => tellsMore(chain, reach)) };
  };
  const isShortWanted = !isAtTheEnd && range !== 'long' && WALK_TOKENS[direction] < storyTokens;
  const short = isShortWanted ? chainsWithin(WALK_TOKENS[direction]) : undefined;
  const { walk, chains } = short && short.chains.length > 0 ? short : chainsWithin(storyTokens);
  const diagnostics = diagnose(walk.diagnostics, chains);
  const told = storiesOf(chains, reach, telling);
  const alone = told.length > 0 ? narrative(told, reach, context.store, budgetTokens) : found;
  const body = belowFilesLine<Assembly>(context, alone, { found, roomTokens });
  return {
    text: body.text,
    hits: body.hits,
    tokens: body.tokens + (chains.length > 0 ? 0 : NOTE_TOKENS),
    note: formatWalkDiagnostics(diagnostics),
    diagnostics: {
      ...found.diagnostics,
      timingsMs: { ...found.diagnostics.timingsMs, walk: context.now() - startMs },
      walk: diagnostics,
      chains: told.map(({ ids, score }) => ({ chunks: ids.length, score })),
    },
  };
}

interface Telling {
  store: Store;
  direction: WalkDirection;
  range: WalkRange | undefined;
  /** For all episodes together. */
  storyTokens: number;
  isLatestWork: boolean;
}

/** Chains forward from the best results, or back from them. */
function walkFrom(
  reach: Reach,
  { store, direction, range, storyTokens }: Telling,
  budgetTokens: number,
): WalkResult {
  const weightOf = CHAIN_WEIGHT[direction];
  return walkChains({
    ...rangeSettings(range),
    seeds: reach.seeds(storyTokens).map((hit) => ({ id: hit.chunk.id, score: weightOf(hit) })),
    searchFound: reach.found,
    direction,
    neighbours: (ids) => edgesOf(store, ids, direction),
    relevance: (ids) => reach.describe(ids).map((hit) => (hit ? weightOf(hit) : 0)),
    tokensOf: (ids) => reach.describe(ids).map((hit) => (hit ? blockTokens(hit) : NaN)),
    sessionsOf: (ids) => reach.describe(ids).map((hit) => hit?.chunk.sessionId ?? -1),
    budgetTokens,
    maxChains: MAX_CHAINS,
  });
}

/** The chains as shown: parts of one story are joined, and other results added that answer well. */
function storiesOf(chains: readonly Chain[], reach: Reach, telling: Telling): Episode[] {
  const { store, direction, storyTokens, isLatestWork } = telling;
  const join = (parts: readonly Episode[]): Episode[] => {
    const ends = parts.map(({ ids }) => ids.at(-1)!);
    return joinTurns(joinChains(parts, edgesOf(store, ends, 'forward')), (id) => reach.chunk(id));
  };
  const { best, others } = resultsApart(chains, reach, telling);
  // Joined to the better ones, the others would come before those at the beginning of an answer.
  const told = new ToldTexts({ mayRepeat: isLatestWork });
  const stories = withoutCopies([...join([...chains, ...best]), ...join(others)], reach, told);
  const ended = direction === 'backward' ? withEnds : withNext;
  const moreHeaders = Math.max(0, stories.length - MAX_CHAINS) * EPISODE_HEADER_TOKENS;
  return ended(bestFirst(stories, reach), reach, storyTokens - moreHeaders);
}

/** Shows repeated content once, where it answers best, such as a plan that is written, shown and approved. */
function withoutCopies(episodes: readonly Episode[], reach: Reach, told: ToldTexts): Episode[] {
  const hits = reach.describe(episodes.flatMap(({ ids }) => ids)).filter((hit) => hit !== undefined);
  const copies = new Set<number>();
  for (const { chunk } of hits.toSorted((a, b) => b.relevance - a.relevance)) {
    if (told.tell(chunk)) copies.add(chunk.id);
    else told.add(chunk);
  }
  return episodes
    .map((episode) => ({ ...episode, ids: episode.ids.filter((id) => !copies.has(id)) }))
    .filter(({ ids }) => ids.length > 0);
}

/**
 * The best results, even if everything that led to them used other words: no walk scores well there, and otherwise only
 * weaker results with relevant neighbours would be shown. The others fill an answer of `recall` that is short. Each is a
 * part of its own, to be joined.
 */
function resultsApart(
  chains: readonly Chain[],
  reach: Reach,
  { direction, storyTokens }: Telling,
): { best: Episode[]; others: Episode[] } {
  const told = new Set(chains.flatMap(({ ids }) => ids));
  if (told.size === 0) return { best: [], others: [] };
  let tokens = reach.costOf([...told]);
  const partsWithin = (results: readonly Hit[], limitTokens: number): Episode[] => {
    const fits = (hit: Hit): boolean => {
      const more = blockTokens(hit) + EPISODE_HEADER_TOKENS;
      if (told.has(hit.chunk.id) || tokens + more > limitTokens) return false;
      tokens += more;
      return true;
    };
    return results.filter(fits).map((hit) => ({ ids: [hit.chunk.id], score: CHAIN_WEIGHT[direction](hit) }));
  };
  const good = reach.good();
  const best = partsWithin(good.slice(0, BEST_RESULTS[direction]), storyTokens);
  const rest = direction === 'backward' ? good.slice(BEST_RESULTS[direction]) : [];
  return { best, others: partsWithin(rest, Math.min(storyTokens, FULL_TOKENS)) };
}

/**
 * Puts the episode with the best answer first. A walk ranks by relevance per token, which shows what is worth its space;
 * by that alone, short chunks of some relevance would come before the actual answer.
 */
function bestFirst(episodes: readonly Episode[], reach: Reach): Episode[] {
  const best = ({ ids }: Episode): number => Math.max(...ids.map((id) => reach.merit(id)));
  return episodes.toSorted((a, b) => best(b) - best(a));
}

/** A relevant chunk among others that have nothing to do with the query is a search result, not an episode. */
function tellsMore({ ids, seedId }: Chain, reach: Reach): boolean {
  return reach.describe(ids.filter((id) => id !== seedId)).some((hit) => hit && hit.relevance > 0);
}

function diagnose(walk: WalkDiagnostics, chains: readonly Chain[]): WalkDiagnostics {
  return chains.length > 0 ? walk : { ...walk, reason: walk.reason ?? WALK_FAILURES.belowThreshold };
}

/**
 * The weight of a chunk in a chain. On the way to the query's topic, four chunks of half the relevance must not outweigh
 * the one that is meant; what comes after it may well use other words. docs/decisions/0055
 */
const CHAIN_WEIGHT: Record<WalkDirection, (hit: Hit) => number> = {
  backward: ({ relevance }) => relevance ** 2,
  forward: ({ relevance }) => relevance,
};

function edgesOf(store: Store, ids: readonly number[], direction: WalkDirection): Edge[] {
  return (direction === 'backward' ? store.edges.endingAt(ids) : store.edges.startingAt(ids)) as Edge[];
}

/** Episodes in sequence, most relevant first; within each, chunks in chronological order. */
function narrative(episodes: readonly Episode[], reach: Reach, store: Store, budgetTokens: number): Assembly {
  const stories = episodes.map(({ ids }) => reach.describe(ids).filter((hit) => hit !== undefined));
  const overhead = ANSWER_HEADER_TOKENS + (episodes.length > 1 ? episodes.length * EPISODE_HEADER_TOKENS : 0);
  const blocks = storyBlocks(store, stories, budgetTokens - overhead);
  const tokens = blocks.reduce((sum, block) => sum + block.tokens, overhead);
  const told = withCommits(store, blocks, budgetTokens - tokens);
  const numbered = told.texts.map((text, index) =>
    episodes.length > 1 ? `--- Episode ${index + 1} of ${episodes.length} ---\n\n${text}` : text,
  );
  return { text: numbered.join('\n\n'), hits: stories.flat(), tokens: tokens + told.tokens };
}
