import type { ChunkDirectory, Store } from '@causantic/storage';
import type { Scored } from './best-scored.js';

/** Number of first chunks of which some are raised; of all it helps no more, and takes longer. */
const LEADING = 60;
/** Number of characters with which an agent explains what its calls are about. */
const TELLING_CHARACTERS = 80;
/** Agents mark names, commands and results in this way when they explain; what they say between two calls is plain. */
const MARK = /`|\*\*/;

/** By chunk, by how much it counts more than the rest of its session. */
type RaiseOf = ReadonlyMap<number, number>;

/**
 * Among many chunks of a session that are about the same, those that tell what came of it, or explain it, count more.
 * Each is read once, however often a search ranks it. Evidence: docs/measurements/ranking.md.
 */
export class Raises {
  private readonly known = new Map<number, number>();

  constructor(
    private readonly chunks: Store['chunks'],
    private readonly weights: { ending: number; telling: number; marking: number },
  ) {}

  /** @param ranked best first */
  among(ranked: readonly Scored[]): RaiseOf {
    const leading = ranked.slice(0, LEADING).map(({ id }) => id);
    this.read(leading.filter((id) => !this.known.has(id)));
    return new Map(leading.map((id) => [id, this.known.get(id) ?? 0]));
  }

  private read(ids: readonly number[]): void {
    const { ending, telling, marking } = this.weights;
    const endingWork = this.chunks.endingWork(ids);
    for (const [id, { said, hasCalls }] of this.chunks.agentsWords(ids)) {
      const isTelling = !hasCalls || said.length >= TELLING_CHARACTERS;
      const raise =
        (endingWork.has(id) ? ending : 0) + (isTelling ? telling : 0) + (MARK.test(said) ? marking : 0);
      this.known.set(id, raise);
    }
  }
}

/** The best chunk of each session keeps its score: which session comes first is decided by words and meaning alone. */
export function raiseWithinSessions(
  scored: readonly Scored[],
  raiseOf: RaiseOf,
  directory: ChunkDirectory,
): void {
  const before = bestBySession(scored, directory);
  for (const candidate of scored) candidate.score += raiseOf.get(candidate.id) ?? 0;
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
