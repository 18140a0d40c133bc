import { groupBy } from '@causantic/domain';
import type { WalkRange } from '@causantic/graph';
import type { KeywordScope, Store } from '@causantic/storage';
import type { Assembly } from './assembly.js';
import { hitBlocks, isFound } from './hit-block.js';
import { Messages } from './messages.js';
import { ToldTexts } from './near-copies.js';
import {
  ANSWER_HEADER_TOKENS,
  besideHit,
  headerTokens,
  type Hit,
  hitHeader,
  passageTokens,
} from './presentation.js';
import { type RetrievalContext, search, type SearchDiagnostics } from './search.js';

export interface ExplainRequest {
  topic: string;
  scope: KeywordScope;
  /** `short`: the latest sessions only. Default `long`: from the first mention to the latest state. */
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
const RECENT_SESSIONS = 3;

/**
 * The history of a topic, in chronological order: the decisive chunks of every session that touched it, each with the
 * request it belongs to and the outcome. If not all fit, the first mention and the latest state have priority, then each
 * session's best chunk, then more.
 */
export async function explain(context: RetrievalContext, request: ExplainRequest): Promise<Explanation> {
  const { topic, scope, range = 'long', budgetTokens } = request;
  const found = await search(context, { query: topic, scope, budgetTokens: ALL_CANDIDATES_TOKENS });
  const sessions = touchedSessions(found.hits);
  const told = range === 'short' ? sessions.slice(-RECENT_SESSIONS) : sessions;
  const taken = takeInRounds(context.store, byImportance(told), budgetTokens - ANSWER_HEADER_TOKENS);
  const takenOf = groupBy(taken, ({ chunk }) => chunk.sessionId);
  const hits = told.flatMap(([first]) => takenOf.get(first!.chunk.sessionId)?.sort(byTime) ?? []);
  const { text, tokens } = hitBlocks(hits);
  return {
    text,
    hits,
    tokens: ANSWER_HEADER_TOKENS + tokens,
    sessions: new Set(hits.map((hit) => hit.chunk.sessionId)).size,
    diagnostics: found.diagnostics,
  };
}

/** Relevant chunks by session, best first; sessions in the order in which they first touched the topic. */
function touchedSessions(hits: readonly Hit[]): Hit[][] {
  const own = hits.filter(isFound);
  const best = own.reduce((most, hit) => Math.max(most, hit.relevance), 0);
  const relevant = own.filter((hit) => hit.relevance >= best * MIN_RELATIVE_RELEVANCE);
  const sessions = new Map<number, Hit[]>();
  const told = new ToldTexts();
  for (const hit of relevant.toSorted((a, b) => b.relevance - a.relevance || byTime(a, b))) {
    const session = sessions.get(hit.chunk.sessionId) ?? [];
    sessions.set(hit.chunk.sessionId, session);
    if (session.length === MAX_CHUNKS_A_SESSION || told.tell(hit.chunk)) continue;
    session.push(hit);
    told.add(hit.chunk);
  }
  return [...sessions.values()].sort((a, b) => byTime(a.toSorted(byTime)[0]!, b.toSorted(byTime)[0]!));
}

/** The first mention, the latest state, then by relevance. */
function byImportance(sessions: readonly Hit[][]): Hit[][] {
  const ends = [...new Set([sessions[0], sessions.at(-1)])].filter((session) => session !== undefined);
  const between = sessions.slice(1, -1).sort((a, b) => b[0]!.relevance - a[0]!.relevance);
  return [...ends, ...between];
}

/** One chunk of each session with the start and end of its turn, then a second of each, while they fit. */
function takeInRounds(store: Store, sessions: readonly Hit[][], budgetTokens: number): Hit[] {
  const messages = new Messages(store);
  const taken = new Map<number, Hit>();
  let left = budgetTokens;
  const take = (hit: Hit): void => {
    if (taken.has(hit.chunk.id)) return;
    const room = left - headerTokens(hitHeader(hit));
    const whole = messages.around(hit.chunk, taken);
    const passage = passageTokens(whole) <= room ? whole : [hit.chunk];
    if (passageTokens(passage) > room) return;
    left = room - passageTokens(passage);
    for (const chunk of passage) taken.set(chunk.id, chunk === hit.chunk ? hit : besideHit(hit, chunk));
  };
  for (let round = 0; round < MAX_CHUNKS_A_SESSION; round++) {
    const hits = sessions.flatMap((session) => session[round] ?? []);
    hits.forEach(take);
    for (const hit of hits) for (const end of endsOfTurn(store, hit)) take(end);
  }
  return [...taken.values()];
}

/** The outcome of a turn, and its request. */
function endsOfTurn({ chunks }: Store, hit: Hit): Hit[] {
  const { first, lastSaid } = chunks.endsOf(hit.chunk.turnId);
  const ids = [lastSaid, first].filter((id) => id !== undefined);
  return chunks.get(ids).map((chunk) => besideHit(hit, chunk));
}

function byTime(a: Hit, b: Hit): number {
  const [left, right] = [a.chunk, b.chunk];
  return (
    (left.startTimeMs ?? 0) - (right.startTimeMs ?? 0) ||
    left.transcriptId - right.transcriptId ||
    left.seq - right.seq
  );
}
