// What belongs before and behind the chunks that an episode was found by.
import type { Episode } from './join-chains.js';
import type { Reach } from './reach.js';

/** Number of episodes of `recall` that end with the whole last message; others end with the last part of it. */
const TOLD_TO_THE_END = 3;

/**
 * Begins each episode with the request it belongs to and ends it with the outcome of that turn, if they fit: a story
 * starts with what was asked and says what worked, even if that was said in other words than the query's.
 */
export function withEnds(episodes: readonly Episode[], reach: Reach, budgetTokens: number): Episode[] {
  return ended(episodes, reach, budgetTokens, (ids, index) => {
    // An agent's report is not yet the outcome.
    const ends = new Set([ids.at(-1), ids.findLast((id) => reach.isOfMain(id))]);
    const wholeFrom = index < TOLD_TO_THE_END ? 0 : -1;
    return {
      first: reach.openingOf(ids[0]!),
      last: [...ends].flatMap((id) => (id === undefined ? [] : reach.outcomeOf(id).slice(wholeFrom))),
    };
  });
}

/** Ends each episode with what its turn came to and what was asked next, if they fit. */
export function withNext(episodes: readonly Episode[], reach: Reach, budgetTokens: number): Episode[] {
  return ended(episodes, reach, budgetTokens, (ids) => {
    const last = ids.findLast((id) => reach.isOfMain(id));
    return {
      first: [],
      last: last === undefined ? [] : [...reach.outcomeOf(last).slice(-1), ...reach.nextOf(last)],
    };
  });
}

/**
 * The episodes with the chunks that belong before and behind what they have, as far as they fit. A chunk is told once: in the
 * first episode of its turn that wants it, even if it was found in one further down.
 */
function ended(
  episodes: readonly Episode[],
  reach: Reach,
  budgetTokens: number,
  endsOf: (ids: readonly number[], index: number) => { first: readonly number[]; last: readonly number[] },
): Episode[] {
  const episodeOf = new Map(episodes.flatMap(({ ids }, index) => ids.map((id) => [id, index])));
  let left = budgetTokens - reach.costOf([...episodeOf.keys()]);
  return episodes.flatMap((episode, index) => {
    const own = episode.ids.filter((id) => episodeOf.get(id) === index);
    if (own.length === 0) return [];
    const turns = new Set(own.map((id) => reach.chunk(id)?.turnId));
    const take = (id: number): number[] => {
      const chunk = reach.chunk(id);
      const told = episodeOf.get(id);
      const isFree = told === undefined || (told > index && turns.has(chunk?.turnId));
      const cost = told === undefined ? reach.costOf([id]) : 0;
      // Another process may have deleted it since its place was looked up.
      if (!chunk || !isFree || cost > left) return [];
      left -= cost;
      episodeOf.set(id, index);
      return [id];
    };
    const { first, last } = endsOf(own, index);
    const before = first.flatMap(take);
    const replied = withReplies(own, reach, take);
    const ids = last.flatMap(take).reduce((told, id) => withInPlace(told, id, reach), replied);
    return [{ ...episode, ids: [...before, ...ids] }];
  });
}

/** With what the agent said of each call that failed, if it fits. */
function withReplies(
  ids: readonly number[],
  reach: Reach,
  take: (id: number) => number[],
): readonly number[] {
  const replies = ids.flatMap((id) => reach.replyTo(id)).flatMap(take);
  return replies.reduce((told, id) => {
    const { turnId, seq } = reach.chunk(id)!;
    const isEarlier = (other: number): boolean => {
      const chunk = reach.chunk(other);
      return chunk?.turnId === turnId && chunk.seq < seq;
    };
    return told.toSpliced(told.findLastIndex(isEarlier) + 1, 0, id);
  }, ids);
}

/**
 * The end of a message may be in an episode of its own accord: the beginning comes before it. So does what was said before
 * an agent of the same story went on.
 */
function withInPlace(ids: readonly number[], id: number, reach: Reach): number[] {
  const { turnId, seq, endTimeMs } = reach.chunk(id)!;
  const isLater = (other: number): boolean => {
    const chunk = reach.chunk(other);
    if (chunk?.turnId === turnId) return chunk.seq > seq;
    return (chunk?.startTimeMs ?? -Infinity) > (endTimeMs ?? Infinity);
  };
  const at = ids.findIndex(isLater);
  return at < 0 ? [...ids, id] : ids.toSpliced(at, 0, id);
}
