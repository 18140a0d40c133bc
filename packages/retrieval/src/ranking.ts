import { reciprocalRankFusion } from '@causantic/algorithms';
import { textOfSpans } from '@causantic/domain';
import type { EdgeType } from '@causantic/graph';
import type { ChunkDirectory, Postings, Store } from '@causantic/storage';
import { commandsNaming } from './commands.js';
import type { KeywordMatches } from './keyword-search.js';
import { bestFirst, bestScored, type Scored } from './best-scored.js';
import { inTurns } from './in-turns.js';
import { type Raises, raiseWithinSessions } from './raised-within-sessions.js';
import { scoresOverClusters, scoresOverEdges } from './related-chunks.js';
import type { SemanticMatches } from './semantic-search.js';
import { MIN_CLARITY, wishClarity } from './wish-clarity.js';

/** A chunk on its way to the answer. */
export interface Candidate {
  id: number;
  score: number;
  /** Which relations to other chunks raised it. */
  via: readonly ('cluster' | 'graph')[];
}

/** The evidence for chunks of an answer. */
export interface Evidence {
  matches: KeywordMatches;
  semantic: SemanticMatches;
  /** Chunks that name what the question names; see `searchEntities`. */
  entities: ReadonlyMap<number, number>;
  /** By chunk id: 1 for a chunk of a time, branch or session that the question names, less beside; see `chunksIn`. */
  circumstances: ReadonlyMap<number, number>;
  /** By session: the same for a project that is named or worked in; see `sessionsIn`. */
  sessions: ReadonlyMap<number, number>;
  /** Whether the question asks for something that the person said, and the word index can tell what they did. */
  asksForPersonsWords: boolean;
  /** That the question asks for what the person wants or, if `against`, does not want, be it about something. */
  wishes: { against: boolean } | undefined;
  /** Whether the question asks for something that went wrong. */
  asksForFailure: boolean;
  /** Whether the question asks how something is done, which may be by a command. */
  asksForCommand: boolean;
  /** Chunks with failed calls that contain the question: it is an error that was pasted. */
  pastedFailures: ReadonlySet<number>;
  /** The only chunks that may be ranked, where not all may: what the others say still counts for their neighbours. */
  allowed?: ReadonlySet<number> | undefined;
}

/** How much each piece of evidence counts. Chosen by measurement: docs/decisions/0070-ranking.md, 0091-ablation.md. */
export interface RankingWeights {
  /** Weight of the chunk nearest in meaning, relative to the one with the best words. */
  similarity: number;
  /**
   * Weights for agreement of words and meaning by rank. Each weight makes an order of its own, and the orders take turns:
   * in one the context of a chunk decides, in another its own content.
   */
  fusion: readonly number[];
  /** Share of the better neighbour's score in the same transcript. */
  neighbour: number;
  /** Share of the session's score as one document. */
  session: number;
  /** Weight of the session nearest in meaning, relative to the one with the best words. */
  sessionSimilarity: number;
  /** Weight of an entity that both chunk and question name, possibly under different names, by how rare it is. */
  entity: number;
  /**
   * By how much the end of an agent's work, which tells what came of it, counts more than the rest of its session, as a share
   * of the best score.
   */
  ending: number;
  /** By how much what was said counts more than calls of tools that nobody explains, in the same way. */
  telling: number;
  /** By how much more an agent's words with `code` or **bold** in them count, in the same way. */
  marking: number;
  /** Weight of each further chunk of a session, as a factor of the one before. */
  repeat: number;
  /** By how much a chunk of the time, branch or session that the question names counts more, as a share of its score. */
  circumstance: number;
  /** Share of the score of the best chunks in the same cluster. */
  cluster: number;
  /** Share of the score of a chunk at the other end of an edge, by the edge's type. */
  edges: Partial<Record<EdgeType, number>>;
  /** Maximal marginal relevance: 1 ranks by relevance alone; less moves chunks back that repeat an earlier one. */
  lambda: number;
}

export const RANKING_WEIGHTS: RankingWeights = {
  similarity: 0.25,
  fusion: [0.1, 0.7],
  neighbour: 0.5,
  session: 1.15,
  sessionSimilarity: 0.6,
  ending: 0.1,
  telling: 0.15,
  marking: 0.1,
  repeat: 0.956,
  entity: 0.8,
  circumstance: 1,
  cluster: 0.02,
  edges: { adjacent: 0.4 },
  lambda: 1,
};

const NONE: ReadonlySet<number> = new Set();

/** Saturation and length normalisation of a term in a whole session, as in BM25 (k1, b). */
const SESSION_K1 = 0.8;
const SESSION_B = 0.4;

const RANK_FUSION_K = 60;
/** Far more than any answer holds; the rest cannot rise into it. */
const MAX_RANKED = 600;
/** Prompts of which is read what they wish; the others are too far down for an answer. */
const MAX_PROMPTS_READ = 100;
/** In the same way, chunks of which is read what they run. */
const MAX_COMMANDS_READ = 100;
/** Number of entries of each list that take part in rank fusion, and whose neighbours become candidates. */
const LEADING_ENTRIES = 300;

/**
 * Ranks chunks by words and by meaning, each together with its context: its own score, that of the better neighbour, and
 * that of the session as one document; then by reciprocal rank fusion (k = 60) of the two lists. Best first. The scores
 * are those of the first order: the best is between 1 and 1.1, and where another order had its turn, a lower score may
 * precede a higher one. Some questions have an order of their own: one for the person's words, in which prompts come first,
 * for their wishes, in which prompts do that clearly say one, for a failure, and a pasted error, in which chunks with
 * failed calls do, and for a command, of chunks that run one.
 */
export function rankCandidates(
  store: Store,
  evidence: Evidence,
  { weights, raises }: { weights: RankingWeights; raises: Raises },
): Candidate[] {
  const { ids, scores, via } = scoresInContext(store, evidence, weights);
  const inContext = bestScored(ids, scores, MAX_RANKED);
  const top = inContext[0]?.score || 1;
  const agreement = fusedRanks(evidence);
  const raised = raises.among(inContext);
  const orders = weights.fusion.map((weight) => {
    const order = inContext.map(({ id, score }) => ({
      id,
      score: score / top + weight * (agreement.get(id) ?? 0),
    }));
    raiseWithinSessions(order, raised, store.directory);
    spreadOverSessions(order.sort(bestFirst), store.directory, weights.repeat);
    return order.sort(bestFirst);
  });
  const scoreOf = new Map(orders[0]!.map(({ id, score }) => [id, score]));
  const idsInOrder = orders.map((order) => order.map(({ id }) => id));
  const byContent = idsInOrder.at(-1)!;
  const isPersonAsked = evidence.asksForPersonsWords || evidence.wishes !== undefined;
  const prompts = isPersonAsked ? personsWords(store, byContent) : NONE;
  // Pages about commits have more of the question's words than "just a commit, no PR".
  const wishes = evidence.wishes ? clearWishes(store, prompts, evidence.wishes) : NONE;
  if (wishes.size > 0) idsInOrder.unshift(first(byContent, wishes));
  // A person's few words score low beside pages that an agent wrote about the same.
  if (evidence.asksForPersonsWords) idsInOrder.push(first(byContent, prompts));
  // What a tool printed counts for little, so that an error scores low beside what was said of it later.
  if (evidence.asksForFailure) idsInOrder.push(first(byContent, store.chunks.withFailures(byContent)));
  // A command says little more than itself, and much is said about what it is for.
  if (evidence.asksForCommand)
    idsInOrder.push(commandsNaming(store, byContent.slice(0, MAX_COMMANDS_READ), evidence.matches.terms));
  // The failure itself comes before what was said of others like it.
  if (evidence.pastedFailures.size > 0) idsInOrder.unshift(first(byContent, evidence.pastedFailures));
  const ranked = inTurns(idsInOrder);
  return ranked.map((id) => ({ id, score: scoreOf.get(id)!, via: via(id) }));
}

/** Plans that agents wrote come back as prompts, and are longer than all that the person said about them. */
function personsWords(store: Store, ids: readonly number[]): Set<number> {
  const prompts = store.keywords.saidByPerson(ids);
  const plans = store.chunks.ofPlans([...prompts]);
  return new Set([...prompts].filter((id) => !plans.has(id)));
}

/** @param prompts best first */
function clearWishes(store: Store, prompts: ReadonlySet<number>, asked: { against: boolean }): Set<number> {
  const clear = store.chunks.get([...prompts].slice(0, MAX_PROMPTS_READ)).filter((chunk) => {
    const said = textOfSpans(chunk, ({ speaker }) => speaker === 'user');
    return wishClarity(said, asked) >= MIN_CLARITY;
  });
  return new Set(clear.map(({ id }) => id));
}

/** An order with some of its chunks before the others; these stand at their own places, too, where `inTurns` passes them over. */
function first(order: readonly number[], chosen: ReadonlySet<number>): number[] {
  return [...order.filter((id) => chosen.has(id)), ...order];
}

/** Each further chunk of a session counts a little less, so that one long session does not fill the answer. */
function spreadOverSessions(ranked: readonly Scored[], directory: ChunkDirectory, repeat: number): void {
  const before = new Map<number | undefined, number>();
  for (const candidate of ranked) {
    const session = directory.session(candidate.id);
    const rank = before.get(session) ?? 0;
    before.set(session, rank + 1);
    candidate.score *= repeat ** rank;
  }
}

/**
 * By a candidate's place: BM25 scores, bonuses for named entities, and similarities mapped to the scale of BM25, from the
 * last of the list (0) to the first (a share of the best). An array, because it is read three times for each of thousands.
 */
function ownScores(
  { matches: { found }, semantic, entities }: Evidence,
  weights: RankingWeights,
  candidates: CandidateList,
): Float64Array {
  const own = candidates.emptyScores();
  const add = (id: number, score: number): void => void (own[candidates.placeOf(id)]! += score);
  found.ids.forEach((id, position) => add(id, found.scores[position]!));
  const top = greatest(found.scores);
  const shareOf = similarityShares(semantic);
  semantic.ids.forEach((id, index) => add(id, weights.similarity * top * shareOf(index)));
  entities.forEach((idf, id) => add(id, weights.entity * idf));
  own[0] = 0; // The directory does not know these.
  return own;
}

/** The position of a similarity between the last of the list (0) and the first (1). */
function similarityShares({ similarities }: SemanticMatches): (index: number) => number {
  const [first, last] = [similarities[0] ?? 1, similarities.at(-1) ?? 0];
  return (index) => (first > last ? (similarities[index]! - last) / (first - last) : 0);
}

/** The greatest value, or 1 if there is none. */
function greatest(scores: Iterable<number>): number {
  let most = 0;
  for (const score of scores) most = Math.max(most, score);
  return most || 1;
}

/** Reciprocal rank fusion of the two lists; 1 for a chunk that leads both. */
function fusedRanks({ matches: { found }, semantic }: Evidence): Map<number, number> {
  const byWords = bestScored(found.ids, found.scores, LEADING_ENTRIES).map(({ id }) => id);
  const lists = [byWords, semantic.ids];
  const most = lists.length / (RANK_FUSION_K + 1);
  const fused = reciprocalRankFusion(lists, RANK_FUSION_K);
  return new Map(fused.map(({ item, score }) => [item, score / most]));
}

/** Candidates, with and without evidence of their own, unordered; parallel arrays. */
interface ScoresInContext {
  ids: number[];
  scores: number[];
  via: (id: number) => Candidate['via'];
}

function scoresInContext(store: Store, evidence: Evidence, weights: RankingWeights): ScoresInContext {
  const { directory } = store;
  const candidates = new CandidateList(directory);
  candidates.add(evidence.matches.found.ids);
  candidates.add(evidence.semantic.ids);
  candidates.add(evidence.entities.keys());
  const ofFound = ownScores(evidence, weights, candidates);
  const leading = bestScored(candidates.ids, ofFound.subarray(1), LEADING_ENTRIES);
  const overEdges = scoresOverEdges(store, leading, weights.edges);
  const overClusters = scoresOverClusters(store, leading, weights.cluster);
  // An answer often shares no word with its question: what is related to a good match is a candidate too.
  candidates.add(overEdges.keys());
  candidates.add(overClusters.keys());
  candidates.add(neighboursOf(leading, directory));

  const { allowed } = evidence;
  // Before any is cut off: many better ones of other agents must not take their places.
  const ids = allowed ? candidates.ids.filter((id) => allowed.has(id)) : candidates.ids;
  const own = candidates.emptyScores();
  own.set(ofFound);
  const around = (id: number, offset: -1 | 1): number =>
    own[candidates.placeOf(directory.neighbour(id, offset) ?? 0)]!;
  const atNeighbour = (id: number): number => weights.neighbour * Math.max(around(id, -1), around(id, 1));
  const ofSession = sessionScores(evidence, directory, weights);
  const edge = candidates.scoresOf(overEdges);
  const cluster = candidates.scoresOf(overClusters);
  const scores = ids.map((id) => {
    const place = candidates.placeOf(id);
    const related = Math.max(atNeighbour(id), edge[place]!) + cluster[place]!;
    const session = directory.session(id)!;
    const score = own[place]! + related + weights.session * ofSession[session]!;
    const wanted = (evidence.circumstances.get(id) ?? 0) + (evidence.sessions.get(session) ?? 0);
    return score * (1 + weights.circumstance * wanted);
  });
  const via = (id: number): Candidate['via'] =>
    relations(overClusters.has(id), (overEdges.get(id) ?? 0) > atNeighbour(id));
  return { ids, scores, via };
}

function* neighboursOf(leading: readonly Scored[], directory: ChunkDirectory): Generator<number> {
  for (const { id } of leading) {
    for (const offset of [-1, 1] as const) {
      const neighbour = directory.neighbour(id, offset);
      if (neighbour !== undefined) yield neighbour;
    }
  }
}

/** Chunks that the directory knows, each once, at places from 1 on; all others share place 0. */
class CandidateList {
  readonly ids: number[] = [];
  private readonly places: Int32Array;

  constructor(private readonly directory: ChunkDirectory) {
    this.places = new Int32Array(directory.idsBelow);
  }

  add(ids: Iterable<number>): void {
    for (const id of ids) {
      if (this.placeOf(id) > 0 || this.directory.session(id) === undefined) continue;
      this.places[id] = this.ids.push(id);
    }
  }

  placeOf(id: number): number {
    return this.places[id] ?? 0;
  }

  /** By place. Arrays by id would be as long as memory is large. */
  emptyScores(): Float64Array {
    return new Float64Array(this.ids.length + 1);
  }

  /** By place; scores of candidates alone. */
  scoresOf(scores: ReadonlyMap<number, number>): Float64Array {
    const array = this.emptyScores();
    for (const [id, score] of scores) array[this.placeOf(id)] = score;
    return array;
  }
}

function relations(isOverCluster: boolean, isOverEdge: boolean): Candidate['via'] {
  if (isOverCluster) return isOverEdge ? ['cluster', 'graph'] : ['cluster'];
  return isOverEdge ? ['graph'] : [];
}

/** By session, its score as a whole: by its words, and by its chunk that is nearest in meaning. */
function sessionScores(
  { matches, semantic }: Evidence,
  directory: ChunkDirectory,
  weights: RankingWeights,
): Float64Array {
  const scores = sessionWordScores(matches, directory);
  const top = greatest(scores);
  const shareOf = similarityShares(semantic);
  const nearest = new Map<number, number>();
  semantic.ids.forEach((id, index) => {
    const session = directory.session(id);
    // The list is in order: the first of a session is its nearest.
    if (session !== undefined && !nearest.has(session)) nearest.set(session, shareOf(index));
  });
  for (const [session, share] of nearest) scores[session]! += weights.sessionSimilarity * top * share;
  return scores;
}

/** BM25 of each session as one document, from the scores of its chunks: their sum approximates the term's frequency. */
function sessionWordScores(matches: KeywordMatches, directory: ChunkDirectory): Float64Array {
  const total = new Float64Array(directory.sessionsBelow);
  const sums = new Float64Array(directory.sessionsBelow);
  const meanSize = directory.meanSessionSize();
  for (const { term, postings } of matches.byTerm) {
    const scale = term.idf * term.weight;
    for (const session of sumBySession(postings, directory, sums)) {
      const length = 1 - SESSION_B + (SESSION_B * directory.sessionSize(session)) / meanSize;
      const frequency = sums[session]! / scale;
      total[session]! += (scale * frequency * (SESSION_K1 + 1)) / (frequency + SESSION_K1 * length);
      sums[session] = 0;
    }
  }
  return total;
}

/** Adds the scores up in `sums`, and says in which of its sessions. */
function sumBySession(postings: Postings, directory: ChunkDirectory, sums: Float64Array): number[] {
  const changed: number[] = [];
  for (let i = 0; i < postings.ids.length; i++) {
    const session = directory.session(postings.ids[i]!);
    if (session === undefined) continue;
    if (sums[session] === 0) changed.push(session);
    sums[session]! += postings.scores[i]!;
  }
  return changed;
}
