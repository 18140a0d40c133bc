import type { Chain, Edge } from '@causantic/graph';
import type { StoredChunk } from '@causantic/storage';

/** An episode to be shown: chunks in chronological order. */
export type Episode = Pick<Chain, 'ids' | 'score'>;

/**
 * Joins chains that are parts of one story: a walk ends where it meets a chain that was chosen before it, so the better
 * seed cuts off the other's beginning. If an edge leads from one chain's end to another's beginning, both become one
 * episode.
 * @param chains best first, without common chunks
 * @param edges at least those that start at the last chunk of each chain
 */
export function joinChains(
  chains: readonly Episode[],
  edges: readonly Pick<Edge, 'from' | 'to'>[],
): Episode[] {
  const byFirst = new Map(chains.map((chain) => [chain.ids[0]!, chain]));
  const next = new Map<Episode, Episode>();
  const continued = new Set<Episode>();
  for (const chain of chains) {
    const targets = edges.filter(({ from }) => from === chain.ids.at(-1)).map(({ to }) => byFirst.get(to));
    // Edges may form a circle, which would have no beginning.
    const isFree = (target: Episode) => !continued.has(target) && follow(target, next).at(-1) !== chain;
    const follower = targets.find((target) => target && isFree(target));
    if (!follower) continue;
    next.set(chain, follower);
    continued.add(follower);
  }
  return chains.filter((chain) => !continued.has(chain)).map((first) => joined(follow(first, next)));
}

function joined(parts: readonly Episode[]): Episode {
  return {
    ids: parts.flatMap(({ ids }) => ids),
    score: parts.reduce((sum, { score }) => sum + score, 0),
  };
}

function follow(first: Episode, next: ReadonlyMap<Episode, Episode>): Episode[] {
  const parts: Episode[] = [];
  for (let part: Episode | undefined = first; part; part = next.get(part)) parts.push(part);
  return parts;
}

type Place = Pick<StoredChunk, 'turnId' | 'transcriptId' | 'seq'>;

/**
 * Joins episodes of one transcript that cover the same turn: shown separately, the end of the turn could come before its
 * middle.
 * @param episodes best first, without common chunks
 */
export function joinTurns(
  episodes: readonly Episode[],
  placeOf: (id: number) => Place | undefined,
): Episode[] {
  return episodes.reduce<Episode[]>((stories, episode) => {
    const same = stories.filter((story) => isOneStory(story.ids, episode.ids, placeOf));
    if (same.length === 0) return [...stories, episode];
    const story = joined([...same, episode]);
    story.ids.sort((a, b) => placeOf(a)!.seq - placeOf(b)!.seq);
    return stories.flatMap((each) => (each === same[0] ? [story] : same.includes(each) ? [] : [each]));
  }, []);
}

function isOneStory(
  a: readonly number[],
  b: readonly number[],
  placeOf: (id: number) => Place | undefined,
): boolean {
  const [places, others] = [a.map(placeOf), b.map(placeOf)];
  const turns = new Set(places.map((place) => place?.turnId));
  const transcripts = new Set([...places, ...others].map((place) => place?.transcriptId));
  return (
    transcripts.size === 1 && !transcripts.has(undefined) && others.some((place) => turns.has(place?.turnId))
  );
}
