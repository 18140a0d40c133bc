import { groupBy } from '@causantic/domain';
import type { WalkRange } from '@causantic/graph';
import type { KeywordScope, Store } from '@causantic/storage';
import type { Assembly } from './answer/assembly.js';
import { withCommits } from './answer/committed.js';
import { formatDate } from './answer/dates.js';
import { belowFilesLine, filesLineRoom } from './answer/files-line.js';
import { hitBlocks, isFound, storyBlocks } from './answer/hit-block.js';
import { isToldByLine, Messages } from './answer/messages.js';
import { ToldTexts } from './answer/near-copies.js';
import {
  ANSWER_HEADER_TOKENS,
  besideHit,
  headerTokens,
  type Hit,
  hitHeader,
  isNote,
  passageTokens,
} from './answer/presentation.js';
import {
  findPassages,
  nextStep,
  type RetrievalContext,
  type SearchDiagnostics,
  type SearchResult,
} from './search.js';

export interface ExplainRequest {
  topic: string;
  scope: KeywordScope;
  /** `short`: the sessions that touched it last. Default `long`: from the first mention to the latest state. */
  range?: WalkRange;
  budgetTokens: number;
}

export interface Explanation extends Assembly {
  /** Number of sessions shown. */
  sessions: number;
  diagnostics: SearchDiagnostics;
}

/** Larger than any configured answer: otherwise search might leave out a whole session for lack of space. */
const ALL_CANDIDATES_TOKENS = 10_000_000;
/**
 * A chunk belongs to the topic's history if it has at least this share of the best relevance, up to this many chunks per
 * session; more of a session is better read with reconstruct. Evidence: docs/decisions/0056-explain.md.
 */
const MIN_RELATIVE_RELEVANCE = 0.65;
const MAX_CHUNKS_A_SESSION = 6;
/** Less relevant sessions, from this share on, are told while the answer is no longer than this. */
const MIN_RELEVANCE_IN_SHORT = 0.5;
const SHORT_ANSWER_TOKENS = 2_000;
const RECENT_SESSIONS = 3;
/** Of a longer answer, the turns that come first. Evidence: docs/decisions/0056-explain.md. */
const BEST_TURNS = 2;

/**
 * The history of a topic, in chronological order: the decisive chunks of every session that touched it, each with the
 * request it belongs to and the outcome. If not all fit, the first mention and the latest state have priority, then each
 * session's best chunk, then more. Where there is little to tell, sessions are told that are less surely about it; where
 * there is much, the turns that answer best come first.
 */
export async function explain(context: RetrievalContext, request: ExplainRequest): Promise<Explanation> {
  const { topic, scope } = request;
  const found = await findPassages(context, { query: topic, scope, budgetTokens: ALL_CANDIDATES_TOKENS });
  await nextStep(context);
  return context.store.reading(() => history(found, context, request));
}

function history(
  found: SearchResult,
  context: RetrievalContext,
  { range = 'long', budgetTokens }: ExplainRequest,
): Explanation {
  const { sure, less } = sessionsToTell(found, range);
  const roomTokens = filesLineRoom(budgetTokens);
  const room = budgetTokens - roomTokens - ANSWER_HEADER_TOKENS;
  const { taken, left } = takeInRounds(context.store, byImportance(sure), room);
  const roomForLess = Math.min(left, SHORT_ANSWER_TOKENS - (room - left));
  const added = takeInRounds(context.store, less.toSorted(byRelevance), roomForLess);
  const passages = [...taken, ...added.taken].sort(byBeginning);
  const stories = storiesOf(passages, found);
  const blocks = storyBlocks(context.store, stories, room);
  const tokens = blocks.reduce((sum, block) => sum + block.tokens, ANSWER_HEADER_TOKENS);
  const told = withCommits(context.store, blocks, budgetTokens - roomTokens - tokens);
  const explanation = {
    text: told.texts.join('\n\n'),
    hits: stories.flat(),
    tokens: tokens + told.tokens,
    sessions: new Set(stories.map(([first]) => first!.chunk.sessionId)).size,
    diagnostics: found.diagnostics,
  };
  return belowFilesLine(context, explanation, { found, roomTokens });
}

/** The turns that answer best, and behind them the history in order of time; of a short one, that alone. */
function storiesOf(passages: readonly Hit[][], found: SearchResult): Hit[][] {
  const first = bestTurns(passages, found);
  const told = new Set(first.flat());
  const rest = passages.filter((passage) => !told.has(passage));
  const others = groupBy(rest, ([hit]) => storyOf(hit!)).values();
  return [...first, ...others].map((story) => story.flat());
}

/** By their best place in the search; none for the latest work, which no words of a question rank. */
function bestTurns(passages: readonly Hit[][], { hits, words }: SearchResult): Hit[][][] {
  const tokens = passages.flat().reduce((sum, { chunk }) => sum + chunk.tokens, 0);
  if (!words || tokens <= SHORT_ANSWER_TOKENS) return [];
  const places = new Map(hits.map(({ chunk }, place) => [chunk.id, place]));
  const placeOf = (turn: readonly Hit[][]): number =>
    Math.min(...turn.flat().map(({ chunk }) => places.get(chunk.id) ?? Infinity));
  const turns = [...groupBy(passages, ([first]) => first!.chunk.turnId).values()];
  return turns.toSorted((a, b) => placeOf(a) - placeOf(b)).slice(0, BEST_TURNS);
}

/** What a session has of one day: others may have gone on before it was resumed. */
function storyOf({ chunk: { sessionId, startTimeMs } }: Hit): string {
  return `${sessionId} ${formatDate(startTimeMs)}`;
}

/** The sessions of the topic's history, and others that may be. */
function sessionsToTell(found: SearchResult, range: WalkRange): { sure: Hit[][]; less: Hit[][] } {
  const hits = found.hits.filter(isFound);
  const touched = (some: readonly Hit[]): Hit[][] =>
    touchedSessions(some, new ToldTexts({ mayRepeat: !found.words }));
  const best = hits.reduce((most, hit) => Math.max(most, hit.relevance), 0);
  const from = (share: number): Hit[] => hits.filter(({ relevance }) => relevance >= best * share);
  const sure = touched(from(MIN_RELATIVE_RELEVANCE));
  if (range === 'short') return { sure: sure.toSorted(byEnd).slice(-RECENT_SESSIONS), less: [] };
  const told = new Set(sure.map(([first]) => first!.chunk.sessionId));
  const others = from(MIN_RELEVANCE_IN_SHORT).filter(({ chunk }) => !told.has(chunk.sessionId));
  return { sure, less: touched(others) };
}

/** Chunks by session, best first; sessions in the order in which they first touched the topic. */
function touchedSessions(hits: readonly Hit[], told: ToldTexts): Hit[][] {
  const sessions = new Map<number, Hit[]>();
  for (const hit of hits.toSorted((a, b) => b.relevance - a.relevance)) {
    const session = sessions.get(hit.chunk.sessionId) ?? [];
    sessions.set(hit.chunk.sessionId, session);
    if (session.length === MAX_CHUNKS_A_SESSION || told.tell(hit.chunk)) continue;
    session.push(hit);
    told.add(hit.chunk);
  }
  return [...sessions.values()].sort(byBeginning);
}

function byBeginning(a: readonly Hit[], b: readonly Hit[]): number {
  return byTime(a.toSorted(byTime)[0]!, b.toSorted(byTime)[0]!);
}

function byEnd(a: readonly Hit[], b: readonly Hit[]): number {
  return byTime(a.toSorted(byTime).at(-1)!, b.toSorted(byTime).at(-1)!);
}

function byRelevance([a]: readonly Hit[], [b]: readonly Hit[]): number {
  return b!.relevance - a!.relevance;
}

/** The first mention, the latest state, then by relevance. */
function byImportance(sessions: readonly Hit[][]): Hit[][] {
  const ends = [...sessions.slice(0, 1), ...sessions.toSorted(byEnd).slice(-1)];
  return [...new Set([...ends, ...sessions.toSorted(byRelevance)])];
}

/**
 * One chunk of each session with the start and end of its turn, then a second of each, while they fit; as passages, which
 * stay whole: an agent that spoke meanwhile would come between a failure and its reply, and each piece need a header.
 */
function takeInRounds(
  store: Store,
  sessions: readonly Hit[][],
  budgetTokens: number,
): { taken: Hit[][]; left: number } {
  const messages = new Messages(store);
  const taken = new Map<number, Hit>();
  const passages: Hit[][] = [];
  let left = budgetTokens;
  const take = (hit: Hit): void => {
    if (taken.has(hit.chunk.id)) return;
    const room = left - headerTokens(hitHeader(hit));
    const around = messages.around(hit.chunk, taken);
    const whole = passageTokens(around) <= room ? around : [hit.chunk];
    // Behind a thought, which is not shown, a reply has a header of its own.
    const fitting = [messages.withReply(whole, { shown: taken, room }), whole]
      .map((passage) => passage.map((chunk) => (chunk === hit.chunk ? hit : besideHit(hit, chunk))))
      .map((hits) => ({ hits, tokens: hitBlocks(hits).tokens }))
      .find(({ tokens }) => tokens <= left);
    if (!fitting) return;
    left -= fitting.tokens;
    passages.push(fitting.hits);
    for (const each of fitting.hits) taken.set(each.chunk.id, each);
  };
  for (let round = 0; round < MAX_CHUNKS_A_SESSION; round++) {
    const hits = sessions.flatMap((session) => session[round] ?? []);
    hits.forEach(take);
    for (const hit of hits.filter(({ chunk }) => taken.has(chunk.id))) endsOfTurn(store, hit).forEach(take);
  }
  return { taken: passages, left };
}

/** The outcome of a turn, and its request, unless a line above the turn tells that better. */
function endsOfTurn({ chunks }: Store, hit: Hit): Hit[] {
  if (isNote(hit.chunk)) return [];
  const { turnId } = hit.chunk;
  const ids = [chunks.lastSaidOf(turnId), chunks.firstOf(turnId)].filter((id) => id !== undefined);
  const ends = chunks.get(ids).filter((chunk) => !isToldByLine(chunk));
  return ends.map((chunk) => besideHit(hit, chunk));
}

function byTime(a: Hit, b: Hit): number {
  const [left, right] = [a.chunk, b.chunk];
  return (
    (left.startTimeMs ?? 0) - (right.startTimeMs ?? 0) ||
    left.transcriptId - right.transcriptId ||
    left.seq - right.seq
  );
}
