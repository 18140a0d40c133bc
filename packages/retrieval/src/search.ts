import { setImmediate, setTimeout } from 'node:timers/promises';
import { ComputeError, errorMessage } from '@causantic/domain';
import type { KeywordScope, Store } from '@causantic/storage';
import { type AnswerSoFar, assembleHits, type Assembly } from './answer/assembly.js';
import { belowFilesLine, filesLineRoom } from './answer/files-line.js';
import { ToldTexts } from './answer/near-copies.js';
import { ANSWER_HEADER_TOKENS } from './answer/presentation.js';
import { FULL_TOKENS, toHits } from './answer/rated-hits.js';
import { missingNames, nothingFrom } from './answer/remarks.js';
import { searchEntities } from './matching/entity-search.js';
import type { FoundChunks } from './matching/found-chunks.js';
import { searchKeywordsWithPauses } from './matching/keyword-search.js';
import type { SemanticMatches, SemanticSearch } from './matching/semantic-search.js';
import { questionAlone } from './question/around-the-question.js';
import { asksForLatestWork, type LatestWork } from './question/asked-latest-work.js';
import { asksForWishes, asksForWishesAbout } from './question/asked-wishes.js';
import { chunksIn, type Circumstances, circumstancesOf, sessionsIn } from './question/circumstances.js';
import { asksForCommand } from './question/commands.js';
import { asksForFailure } from './question/failures.js';
import { asksForPersonsWords } from './question/persons-words.js';
import { hasNoSubject, questionLanguage, lookedUpPart } from './question/query.js';
import { bestScore } from './ranking/best-scored.js';
import { certaintyOf } from './ranking/certainty.js';
import { diversify } from './ranking/diversity.js';
import type { Candidate, Evidence } from './ranking/evidence.js';
import { inTurns } from './ranking/in-turns.js';
import { hitsOfTurns, latestTurns } from './ranking/latest-work.js';
import { Raises } from './ranking/raised-within-sessions.js';
import { RANKING_WEIGHTS, type RankingWeights } from './ranking/ranking-weights.js';
import { rankCandidates } from './ranking/ranking.js';
import { withSharedWords } from './ranking/shared-words.js';
import { hitsOfWishes } from './ranking/wishes.js';

export interface SearchRequest {
  query: string;
  scope: KeywordScope;
  budgetTokens: number;
}

export interface SearchDiagnostics {
  /** Terms looked up, with the number of chunks that hold them. */
  terms: { phrase: string; chunks: number }[];
  candidates: number;
  timingsMs: Record<string, number>;
  /** What could not be used, and why; empty if everything was available. */
  degraded: string[];
}

export interface SearchResult extends Assembly {
  /** The question as it was looked up: names of branch, session and project left out. */
  lookedUp: string;
  /** Chunks with words of the question; none are looked up if it names no subject, and this is the latest work. */
  words?: FoundChunks;
  /** Whether it asks for what the person wants: clear wishes have their turn in the hits, however relevant the others are. */
  asksForWishes?: boolean;
  /** A line above the passages; not in `text`. */
  remark?: string | undefined;
  /** How many chunks answer, whether they fit or not. */
  matched: number;
  diagnostics: SearchDiagnostics;
}

/** Everything a search needs; nothing is global. */
export interface RetrievalContext {
  store: Store;
  /** Monotonic clock in milliseconds, for timings. */
  now: () => number;
  /** Search by meaning, opened on first use; without it, search uses words alone. */
  semantic?: () => Promise<SemanticSearch>;
  /** How long search waits for it before it answers by words alone, in milliseconds; 2,500 when left out. */
  semanticPatienceMs?: number | undefined;
  /** The project that the caller works in: what was said there counts more, where no project is asked for. */
  ownProjectId?: number | undefined;
  /** Tells the topic branch that the caller works on: "where were we?" is asked of it, and nothing else. */
  ownBranch?: (() => string | undefined) | undefined;
  /** Ends a search whose caller has given it up, at its next step: `search` and what builds on it throw ABORTED. */
  signal?: AbortSignal | undefined;
  /** For measurements; the shipped weights when left out. */
  weights?: RankingWeights;
}

/** Chunks considered for an answer: with the smallest chunks this still fills the largest budget. */
const MAX_CANDIDATES = 400;
/** About twice as many as an answer holds. */
const MANY_CANDIDATES = 100;
/** Hits that stay first, and whose words say what else may be about the question. */
const FIRST_HITS = 10;
/** Chunks taken from the search by meaning. */
const SEMANTIC_CANDIDATES = 300;
/** An answer by words alone is better than a late one: the model may be loading, or busy with a batch. */
const SEMANTIC_PATIENCE_MS = 2_500;

const NO_ENTITIES: ReadonlyMap<number, number> = new Map();
const NO_MATCHES: SemanticMatches = { ids: [], similarities: [] };

/** Chunks scoring less than this share of the best are noise beside it. */
const MIN_RELATIVE_SCORE = 0.1;

/** Ranked context for a question, below the files that belong to it. Empty when nothing in the scope is relevant. */
export async function search(context: RetrievalContext, request: SearchRequest): Promise<SearchResult> {
  const roomTokens = filesLineRoom(request.budgetTokens);
  const found = await findPassages(context, { ...request, budgetTokens: request.budgetTokens - roomTokens });
  return context.store.reading(() => belowFilesLine(context, found, { found, roomTokens }));
}

/** Ranked passages alone. */
export async function findPassages(context: RetrievalContext, request: SearchRequest): Promise<SearchResult> {
  const { store, now, weights = RANKING_WEIGHTS } = context;
  const circumstances = circumstancesOf(store, request.query);
  // "What did I tell you not to do yesterday?" has the form of both.
  const asked = asksForWishes(store, request.query, circumstances);
  const { ownProjectId } = context;
  const wishes = asked
    ? store.reading(() => hitsOfWishes(store, request.scope, { ...asked, ownProjectId }))
    : [];
  const latest = wishes.length > 0 ? undefined : asksForLatestWork(store, request.query, circumstances);
  if (latest) return searchLatest(context, request, latest);
  const { evidence, degraded, timingsMs } = await gatherEvidence(context, request, circumstances);
  const startMs = now();
  const ranking = { weights, raises: new Raises(store.chunks, weights) };
  const candidates = store.reading(() => rankCandidates(store, evidence, ranking)).slice(0, MAX_CANDIDATES);
  const certainty = certaintyOf(candidates, evidence, questionLanguage(request.query));
  const { scope } = request;
  await nextStep(context);
  const wider =
    certainty === 'none'
      ? { candidates: [], evidence }
      : store.reading(() => widened(store, evidence, candidates, { scope, ranking }));
  await nextStep(context);
  const ranked = inOrder(store, wider.candidates, evidence, weights);
  await nextStep(context);
  const hitsFor = (answer: AnswerSoFar) =>
    joined(wishes, toHits(store, ranked, wider.evidence, scope, answer));
  const { terms, found } = evidence.matches;
  const remark = missingNames(terms, circumstances.question);
  const mayBeElsewhere =
    certainty === 'doubtful' || hasNoSubject(request.query) || remark !== undefined || wishes.length > 0;
  const budgetTokens = Math.min(request.budgetTokens, mayBeElsewhere ? FULL_TOKENS : Infinity);
  const assembly = store.reading(() =>
    assembleHits(store, hitsFor, { budgetTokens, overheadTokens: ANSWER_HEADER_TOKENS }),
  );
  const { problem } = wider.evidence.matches;
  return {
    ...assembly,
    lookedUp: circumstances.question,
    remark,
    words: found,
    asksForWishes: evidence.wishes !== undefined,
    matched: wishes.length + ranked.length,
    diagnostics: {
      terms: terms.map(({ phrase, documentFrequency }) => ({ phrase, chunks: documentFrequency })),
      candidates: found.ids.length,
      timingsMs: { ...timingsMs, assembly: now() - startMs },
      degraded: problem === undefined ? degraded : [...degraded, `keyword: ${problem}`],
    },
  };
}

function* joined<T>(first: Iterable<T>, rest: Iterable<T>): Generator<T> {
  yield* first;
  yield* rest;
}

/** Behind the first candidates, those with words that the first have in common take turns with the others. */
function widened(
  store: Store,
  evidence: Evidence,
  candidates: readonly Candidate[],
  { scope, ranking }: { scope: KeywordScope; ranking: { weights: RankingWeights; raises: Raises } },
): { candidates: readonly Candidate[]; evidence: Evidence } {
  // What is pasted is found as it stands, and of few candidates an answer holds all that matter.
  if (evidence.matches.literalIds.size > 0 || candidates.length < MANY_CANDIDATES)
    return { candidates, evidence };
  const matches = withSharedWords(store, evidence.matches, candidates, { first: FIRST_HITS, scope });
  const extended = { ...evidence, matches };
  // Edges and clusters have brought in what they can.
  const weights = { ...ranking.weights, edges: {}, cluster: 0 };
  const again = rankCandidates(store, extended, { ...ranking, weights });
  const known = new Map([...again, ...candidates].map((candidate) => [candidate.id, candidate]));
  const first = candidates.slice(0, FIRST_HITS).map(({ id }) => id);
  const orders = [candidates, again].map((order) => order.map(({ id }) => id));
  const ids = inTurns(orders.map((order) => order.filter((id) => !first.includes(id))));
  const ranked = [...first, ...ids].slice(0, MAX_CANDIDATES);
  return { candidates: ranked.map((id) => known.get(id)!), evidence: extended };
}

/** For a question that says when, but not about what, the latest work is the best answer. */
async function searchLatest(
  { store, now, ownProjectId, ownBranch }: RetrievalContext,
  { query, scope, budgetTokens }: SearchRequest,
  latest: LatestWork,
): Promise<SearchResult> {
  const beginMs = now();
  await store.directory.refresh();
  const startMs = now();
  // "Where were we?" is asked in a project, but a day may have been spent on several.
  const isOwn = namesNothing(latest) && (scope.projectId ?? ownProjectId) === ownProjectId;
  const own =
    isOwn && ownProjectId !== undefined ? { projectIds: [ownProjectId], ownBranch: ownBranch?.() } : {};
  const { turns, missed } = latestTurns(store, scope, { ...latest, ...own });
  const assembly = store.reading(() =>
    assembleHits(store, () => hitsOfTurns(store, turns), {
      budgetTokens: Math.min(budgetTokens, FULL_TOKENS),
      overheadTokens: ANSWER_HEADER_TOKENS,
      told: new ToldTexts({ mayRepeat: true }),
      isStory: true,
    }),
  );
  const timingsMs = { refresh: startMs - beginMs, assembly: now() - startMs };
  const matched = assembly.hits.length;
  const diagnostics = { terms: [], candidates: matched, timingsMs, degraded: [] };
  return { ...assembly, lookedUp: query, remark: missed && nothingFrom(missed), matched, diagnostics };
}

function namesNothing({ times, branches, sessionIds, projectIds }: LatestWork): boolean {
  return [...times, ...branches, ...sessionIds, ...projectIds].length === 0;
}

/** Words are looked up on this thread while others embed the question and scan the vectors. */
async function gatherEvidence(
  context: RetrievalContext,
  { scope }: SearchRequest,
  circumstances: Circumstances,
) {
  const { store, now, weights = RANKING_WEIGHTS } = context;
  const query = circumstances.question;
  const degraded: string[] = [];
  const startMs = now();
  const { asked, found } = searchByMeaning(context, { query, scope }, degraded);
  // The first time, threads start for it: not before words were looked up, if nobody waited here.
  await asked;
  await nextStep(context);
  await store.directory.refresh();
  const refreshedMs = now();
  const matches = await searchKeywordsWithPauses(store, query, scope);
  const isWeighed = weights.entity > 0 && matches.problem === undefined;
  const entities = isWeighed ? searchEntities(store, query, scope) : NO_ENTITIES;
  const matchedMs = now();
  const semantic = await found;
  const vectorWait = now() - matchedMs;
  await nextStep(context);
  const { agentIds } = scope;
  const allowed = agentIds && new Set(store.chunks.idsOfAgents(agentIds));
  const timingsMs = { refresh: refreshedMs - startMs, keyword: matchedMs - refreshedMs, vectorWait };
  const evidence: Evidence = {
    matches,
    semantic,
    entities,
    circumstances: chunksIn(store, circumstances, scope),
    sessions: sessionsIn(store, circumstances, scope, context.ownProjectId),
    asksForPersonsWords: matches.problem === undefined && asksForPersonsWords(query),
    wishes: matches.problem === undefined ? asksForWishesAbout(query) : undefined,
    // Pasted, an error is found by its words, whatever it says.
    asksForFailure: matches.literalIds.size === 0 && asksForFailure(query),
    asksForCommand: matches.literalIds.size === 0 && asksForCommand(query),
    pastedFailures: store.chunks.withFailures([...matches.literalIds]),
    allowed,
  };
  return { evidence, degraded, timingsMs };
}

/** Requests that came in meanwhile, such as a ping, are answered between two steps of a few milliseconds each. */
export async function nextStep({ signal }: RetrievalContext): Promise<void> {
  await setImmediate();
  if (signal?.aborted) throw new ComputeError('ABORTED', 'The search was cancelled.');
}

function inOrder(
  store: Store,
  candidates: readonly Candidate[],
  { semantic: { modelId } }: Evidence,
  { lambda }: RankingWeights,
): readonly Candidate[] {
  const floor = bestScore(candidates) * MIN_RELATIVE_SCORE;
  const ranked = candidates.filter(({ score }) => score >= floor);
  // Without vectors, similarity is unknown.
  return modelId === undefined ? ranked : diversify(store, ranked, { modelId, lambda });
}

interface SearchByMeaning {
  /** Once the workers have the question, or never will. */
  asked: Promise<unknown>;
  found: Promise<SemanticMatches>;
}

/** Never fails: what cannot be used is named in `degraded`, and search uses words alone. */
function searchByMeaning(
  { semantic, semanticPatienceMs = SEMANTIC_PATIENCE_MS }: RetrievalContext,
  { query, scope }: Pick<SearchRequest, 'query' | 'scope'>,
  degraded: string[],
): SearchByMeaning {
  if (!semantic) return { asked: Promise.resolve(), found: Promise.resolve(NO_MATCHES) };
  const index = semantic();
  const matches = index.then((opened) =>
    opened.nearest(questionAlone(lookedUpPart(query)), scope, SEMANTIC_CANDIDATES),
  );
  const late = setTimeout(semanticPatienceMs, undefined, { ref: false }).then(() => {
    throw new Error(`no answer within ${semanticPatienceMs} ms`);
  });
  const found = Promise.race([matches, late]).catch((error: unknown) => {
    degraded.push(`vector: ${errorMessage(error)}`);
    return NO_MATCHES;
  });
  return { asked: Promise.race([index, found]).catch(() => undefined), found };
}
