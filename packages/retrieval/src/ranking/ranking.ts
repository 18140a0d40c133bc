import { reciprocalRankFusion } from '@causantic/algorithms';
import { textOfSpans } from '@causantic/domain';
import type { ChunkDirectory, Store } from '@causantic/storage';
import { bestFirst, bestScored, type Scored } from './best-scored.js';
import { commandsNaming } from './commands.js';
import { LEADING_ENTRIES, scoresInContext } from './context-scores.js';
import type { Candidate, Evidence } from './evidence.js';
import { inTurns } from './in-turns.js';
import { type Raises, raiseWithinSessions } from './raised-within-sessions.js';
import type { RankingWeights } from './ranking-weights.js';
import { MIN_CLARITY, wishClarity } from './wish-clarity.js';

const NONE: ReadonlySet<number> = new Set();

const RANK_FUSION_K = 60;
/** Far more than any answer holds; the rest cannot rise into it. */
const MAX_RANKED = 600;
/** Prompts of which is read what they wish; the others are too far down for an answer. */
const MAX_PROMPTS_READ = 100;
/** In the same way, chunks of which is read what they run. */
const MAX_COMMANDS_READ = 100;

interface Ranking {
  weights: RankingWeights;
  raises: Raises;
}

/**
 * Ranks chunks by words and by meaning, each together with its context: its own score, that of the better neighbour, and
 * that of the session as one document; then by reciprocal rank fusion (k = 60) of the two lists. Best first. The scores
 * are those of the first order: the best is between 1 and 1.1, and where another order had its turn, a lower score may
 * precede a higher one.
 */
export function rankCandidates(store: Store, evidence: Evidence, ranking: Ranking): Candidate[] {
  const { ids, scores, via } = scoresInContext(store, evidence, ranking.weights);
  const orders = fusedOrders(store, evidence, bestScored(ids, scores, MAX_RANKED), ranking);
  const scoreOf = new Map(orders[0]!.map(({ id, score }) => [id, score]));
  const idsInOrder = orders.map((order) => order.map(({ id }) => id));
  const ranked = inTurns(withOwnOrders(store, evidence, idsInOrder));
  return ranked.map((id) => ({ id, score: scoreOf.get(id)!, via: via(id) }));
}

/** An order for each weight of rank fusion. @param inContext best first */
function fusedOrders(
  { directory }: Store,
  evidence: Evidence,
  inContext: readonly Scored[],
  { weights, raises }: Ranking,
): Scored[][] {
  const top = inContext[0]?.score || 1;
  const agreement = fusedRanks(evidence);
  const raised = raises.among(inContext);
  return weights.fusion.map((weight) => {
    const order = inContext.map(({ id, score }) => ({
      id,
      score: score / top + weight * (agreement.get(id) ?? 0),
    }));
    raiseWithinSessions(order, raised, directory);
    spreadOverSessions(order.sort(bestFirst), directory, weights.repeat);
    return order.sort(bestFirst);
  });
}

/**
 * The orders and, for some questions, one of their own: for the person's words, in which prompts come first, for their
 * wishes, in which prompts do that clearly say one, for a failure, and a pasted error, in which chunks with failed calls
 * do, and for a command, of chunks that run one.
 *
 * @param orders the last is led by chunks' own content
 */
function withOwnOrders(store: Store, evidence: Evidence, orders: readonly number[][]): number[][] {
  const byContent = orders.at(-1)!;
  const all = [...orders];
  const isPersonAsked = evidence.asksForPersonsWords || evidence.wishes !== undefined;
  const prompts = isPersonAsked ? personsWords(store, byContent) : NONE;
  // Pages about commits have more of the question's words than "just a commit, no PR".
  const wishes = evidence.wishes ? clearWishes(store, prompts, evidence.wishes) : NONE;
  if (wishes.size > 0) all.unshift(first(byContent, wishes));
  // A person's few words score low beside pages that an agent wrote about the same.
  if (evidence.asksForPersonsWords) all.push(first(byContent, prompts));
  // What a tool printed counts for little, so that an error scores low beside what was said of it later.
  if (evidence.asksForFailure) all.push(first(byContent, store.chunks.withFailures(byContent)));
  // A command says little more than itself, and much is said about what it is for.
  if (evidence.asksForCommand)
    all.push(commandsNaming(store, byContent.slice(0, MAX_COMMANDS_READ), evidence.matches.terms));
  // The failure itself comes before what was said of others like it.
  if (evidence.pastedFailures.size > 0) all.unshift(first(byContent, evidence.pastedFailures));
  return all;
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

/** Reciprocal rank fusion of the two lists; 1 for a chunk that leads both. */
function fusedRanks({ matches: { found }, semantic }: Evidence): Map<number, number> {
  const byWords = bestScored(found.ids, found.scores, LEADING_ENTRIES).map(({ id }) => id);
  const lists = [byWords, semantic.ids];
  const most = lists.length / (RANK_FUSION_K + 1);
  const fused = reciprocalRankFusion(lists, RANK_FUSION_K);
  return new Map(fused.map(({ item, score }) => [item, score / most]));
}
