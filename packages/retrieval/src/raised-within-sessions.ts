import type { ChunkDirectory, Store } from '@causantic/storage';
import type { Scored } from './best-scored.js';

/** Number of first chunks of which some are raised; of all it helps no more, and takes longer. */
const LEADING = 60;
/** Number of characters with which an agent explains what its calls are about. */
const TELLING_CHARACTERS = 80;
/** Agents mark names, commands and results in this way when they explain; what they say between two calls is plain. */
const MARK = /`|\*\*/;

/** Chunks that count more than the rest of their sessions, and by how much. */
interface Raise {
  chunks: ReadonlySet<number>;
  by: number;
}

/**
 * Among many chunks of a session that are about the same, those that tell what came of it, or explain it. Evidence:
 * docs/measurements/ranking.md.
 *
 * @param ranked best first
 */
export function raisesAmong(
  { chunks }: Store,
  ranked: readonly Scored[],
  weights: { ending: number; telling: number; marking: number },
): Raise[] {
  const leading = ranked.slice(0, LEADING).map(({ id }) => id);
  const words = [...chunks.agentsWords(leading)];
  const telling = words.filter(([, { said, hasCalls }]) => !hasCalls || said.length >= TELLING_CHARACTERS);
  const marking = words.filter(([, { said }]) => MARK.test(said));
  return [
    { chunks: chunks.endingWork(leading), by: weights.ending },
    { chunks: new Set(telling.map(([id]) => id)), by: weights.telling },
    { chunks: new Set(marking.map(([id]) => id)), by: weights.marking },
  ];
}

/** The best chunk of each session keeps its score: which session comes first is decided by words and meaning alone. */
export function raiseWithinSessions(
  scored: readonly Scored[],
  raises: readonly Raise[],
  directory: ChunkDirectory,
): void {
  const before = bestBySession(scored, directory);
  for (const candidate of scored)
    for (const { chunks, by } of raises) if (chunks.has(candidate.id)) candidate.score += by;
  const after = bestBySession(scored, directory);
  for (const candidate of scored) {
    const session = directory.session(candidate.id);
    candidate.score -= after.get(session)! - before.get(session)!;
  }
}

function bestBySession(
  scored: readonly Scored[],
  directory: ChunkDirectory,
): Map<number | undefined, number> {
  const best = new Map<number | undefined, number>();
  for (const { id, score } of scored) {
    const session = directory.session(id);
    best.set(session, Math.max(score, best.get(session) ?? -Infinity));
  }
  return best;
}
