import { groupBy } from '@causantic/domain';
import { type ForgottenPiece, pieceHash } from '@causantic/storage';
import { setBounded } from './bounded-map.js';
import type { Piece } from './pieces.js';

type Range = Pick<ForgottenPiece, 'lineStart' | 'lineEnd'>;

/** What reading must remember of deletions from before the place where the next run starts. */
export interface ForgottenState {
  met?: [piece: string, timeMs: number][];
}

/** More than a turn has in which so much was deleted. */
const MOST_MET = 500;

/** Where a piece begins, and when. */
type Begin = Pick<Piece, 'lineStart' | 'startTimeMs'>;

/** A deleted piece, and the line in which its text begins now. */
export interface MovedPiece {
  id: number;
  line: number;
}

/** What the user deleted of a transcript, to be recognized when the transcript is read again. */
export class Forgotten {
  /** Deletions that have not been met yet, by hash. */
  private readonly open: Map<string, ForgottenPiece[]>;
  /** Lines in which a text of such a deletion was met that are none of its lines, by hash. */
  private readonly elsewhere = new Map<string, number[]>();
  /** The latest deletions that have been met: when it was said, by hash and that. */
  private readonly met: Map<string, number>;
  private readonly wholeLines: readonly ForgottenPiece[];
  /** Lines in which something was deleted, as ranges that do not meet. */
  private readonly ranges: readonly Range[];

  /** @param linesStay false if the transcript was rewritten, so that line numbers mean nothing */
  constructor(
    private readonly pieces: readonly ForgottenPiece[],
    private readonly linesStay: boolean,
    state?: ForgottenState,
  ) {
    this.met = new Map(state?.met);
    this.ranges = joined(pieces);
    this.wholeLines = pieces.filter(({ piece }) => piece === null);
    const texts = pieces.filter(({ piece }) => piece !== null);
    this.open = groupBy(texts, ({ piece }) => piece!.toString('hex'));
  }

  state(): ForgottenState {
    return { met: [...this.met] };
  }

  get isEmpty(): boolean {
    return this.pieces.length === 0;
  }

  /** Whether something that begins in this line, or was said at this time, may have been deleted. */
  mayHold(line: number, timeMs: number | null = null): boolean {
    if (this.isEmpty) return false;
    if (timeMs !== null && [...this.met.values()].includes(timeMs)) return true;
    return !this.linesStay || this.ranges.some((range) => isIn(line, range));
  }

  /**
   * Whether this text was deleted. Each deletion matches once, so that the same words said again nearby stay; but those of
   * the same moment are the same words, which a client that reopens a session writes once more, in another branch.
   */
  takes({ lineStart: line, startTimeMs }: Begin, text: string): boolean {
    if (this.isEmpty) return false;
    if (this.wholeLines.some((piece) => isIn(line, piece))) return true;
    const key = pieceHash(text).toString('hex');
    const known = this.open.get(key) ?? [];
    const at = known.findIndex((piece) => !this.linesStay || isIn(line, piece));
    if (at !== -1) {
      known.splice(at, 1);
      if (startTimeMs !== null) setBounded(this.met, `${key} ${startTimeMs}`, startTimeMs, MOST_MET);
      return true;
    }
    if (this.met.has(`${key} ${startTimeMs}`)) return true;
    if (known.length > 0) this.elsewhere.set(key, [...(this.elsewhere.get(key) ?? []), line]);
    return false;
  }

  /**
   * Deletions up to this line whose text was not met there, but elsewhere: lines were put in, or taken out, before it.
   * To be asked when all lines from the first to this one were read.
   */
  moved(toLine: number): MovedPiece[] {
    return [...this.elsewhere].flatMap(([key, lines]) =>
      this.open
        .get(key)!
        .filter((piece) => piece.lineEnd <= toLine)
        .slice(0, lines.length)
        .map(({ id }, index) => ({ id, line: lines[index]! })),
    );
  }

  /**
   * Those of these lines whose deleted text was not met, as when another version of this program cuts texts elsewhere: to
   * be sure, nothing of them may stay.
   */
  missed(fromLine: number, toLine: number): Set<number> {
    const lines = new Set<number>();
    for (const { lineStart, lineEnd } of this.linesStay ? [...this.open.values()].flat() : []) {
      if (lineStart < fromLine || lineEnd > toLine) continue;
      for (let line = lineStart; line <= lineEnd; line++) lines.add(line);
    }
    return lines;
  }
}

function isIn(line: number, { lineStart, lineEnd }: Range): boolean {
  return line >= lineStart && line <= lineEnd;
}

function joined(pieces: readonly Range[]): Range[] {
  const ranges: Range[] = [];
  for (const { lineStart, lineEnd } of pieces.toSorted((a, b) => a.lineStart - b.lineStart)) {
    const last = ranges.at(-1);
    if (last && lineStart <= last.lineEnd + 1) last.lineEnd = Math.max(last.lineEnd, lineEnd);
    else ranges.push({ lineStart, lineEnd });
  }
  return ranges;
}
