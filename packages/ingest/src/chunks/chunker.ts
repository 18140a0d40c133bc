// Cuts a turn into chunks.
import type { ChunkDraft, ChunkKind, Span } from '@causantic/domain';
import { countTokens } from '@causantic/domain/tokens';
import type { Piece, PiecePart } from '../turns/pieces.js';
import { estimateTokens } from './estimate-tokens.js';
import { type ChunkSizes, splitText } from './split-text.js';
import { greatest, least } from '../times.js';

/**
 * Small chunks, each shown with its context, find more evidence than large ones (LoCoMo: 600 characters with their
 * neighbours have .825 of the evidence in the first 1,000 tokens, 2,000 characters .748).
 */
export const CHUNK_SIZES: ChunkSizes = { target: 200, whole: 350, limit: 600 };

/** Below this a chunk says too little alone and is joined to its neighbour. */
const SMALL_TOKENS = 60;

const BLANK_LINE = /\n[ \t]*\n/;

/** A longer label is cut like the text behind it. */
const MAX_LABEL_TOKENS = CHUNK_SIZES.limit / 2;

/** Whether the user deleted this text of a piece. Deleted text goes into no chunk. */
export type IsForgotten = (piece: Piece, text: string) => boolean;

/** A piece's part, or a stretch of it, that goes into one chunk. */
interface Unit {
  piece: Piece;
  part: PiecePart;
  text: string;
  tokens: number;
  /** Order of its piece in the turn. */
  order: number;
  /** Whether a blank line stands before it in its part. */
  opensParagraph: boolean;
}

/**
 * The chunks of a turn, in order of their first piece, with `seq` counted from `firstSeq`; those of one piece follow each
 * other. Kinds are kept apart, so that a thought between two tool calls does not separate them. Every chunk has at most
 * `CHUNK_SIZES.limit` tokens.
 */
export function chunkTurn(
  pieces: readonly Piece[],
  firstSeq: number,
  isForgotten: IsForgotten,
): ChunkDraft[] {
  const kinds = new Set(pieces.map((piece) => piece.kind));
  const groups = [...kinds].flatMap((kind) => placed(groupUnits(pieces, kind)));
  groups.sort((a, b) => a.place - b.place);
  const cuts = groups
    .flatMap(({ units }) => withinLimit(units))
    .flatMap((cut) => withoutForgotten(cut, isForgotten));
  const begun = new Set<Piece>();
  return cuts.map(({ units, draft }, index) => {
    const continues = begun.has(units[0]!.piece);
    for (const { piece } of units) begun.add(piece);
    return { ...draft, seq: firstSeq + index, continues };
  });
}

/** Units of one kind, grouped into future chunks: neighbours are merged up to the target. */
function groupUnits(pieces: readonly Piece[], kind: ChunkKind): Unit[][] {
  const groups: Unit[][] = [];
  let open: Unit[] = [];
  const close = (): void => {
    if (open.length > 0) groups.push(open);
    open = [];
  };
  for (const [order, piece] of pieces.entries()) {
    if (piece.kind !== kind) continue;
    for (const unit of unitsOf(piece, order)) {
      if (!fits(open, unit)) close();
      open.push(...unit);
    }
  }
  close();
  return withoutSmallEnd(groups);
}

/**
 * Groups of one kind, each where its first piece stands, or with the group that begins that piece: a thought before a
 * message, the beginning of which went into a chunk with what was before the thought, would part it.
 */
function placed(groups: readonly Unit[][]): { units: Unit[]; place: number }[] {
  let place = 0;
  return groups.map((units, index) => {
    const isContinued = groups[index - 1]?.at(-1)!.piece === units[0]!.piece;
    if (!isContinued) place = units[0]!.order;
    return { units, place };
  });
}

/** Units that stay together: a whole piece if it is small enough, else its stretches one by one. */
function unitsOf(piece: Piece, order: number): Unit[][] {
  const parts = piece.parts.filter((part) => part.text.trim() !== '');
  const whole = parts.map((part) => unit(piece, part, part.text.trim(), order));
  if (tokensOf(whole) <= CHUNK_SIZES.whole) return whole.length > 0 ? [whole] : [];
  return whole.flatMap((each) => stretchesOf(each, CHUNK_SIZES));
}

/** A unit in stretches, each of which begins where the one before ended, behind white space that was cut off. */
function stretchesOf(whole: Unit, sizes: ChunkSizes): Unit[][] {
  const { piece, part, order } = whole;
  let end = 0;
  return splitText(whole.text, sizes).map((text, index) => {
    const start = whole.text.indexOf(text, end);
    const opensParagraph = index === 0 ? whole.opensParagraph : BLANK_LINE.test(whole.text.slice(end, start));
    end = start + text.length;
    return [{ ...unit(piece, continued(part, index), text, order), opensParagraph }];
  });
}

/** Only the first stretch of a text is labelled, so that stretches shown together read as one text. */
function continued(part: PiecePart, index: number): PiecePart {
  return index === 0 ? part : { ...part, label: '' };
}

function unit(piece: Piece, part: PiecePart, text: string, order: number): Unit {
  return { piece, part, text, tokens: estimateTokens(text), order, opensParagraph: false };
}

function fits(open: readonly Unit[], next: readonly Unit[]): boolean {
  const [a, b] = [tokensOf(open), tokensOf(next)];
  if (a + b <= CHUNK_SIZES.target) return true;
  return (a < SMALL_TOKENS || b < SMALL_TOKENS / 2) && a + b <= CHUNK_SIZES.whole;
}

function withoutSmallEnd(groups: Unit[][]): Unit[][] {
  const [before, last] = [groups.at(-2), groups.at(-1)];
  if (!before || !last || tokensOf(last) >= SMALL_TOKENS) return groups;
  if (tokensOf(before) + tokensOf(last) > CHUNK_SIZES.whole) return groups;
  return [...groups.slice(0, -2), [...before, ...last]];
}

function tokensOf(units: readonly Unit[]): number {
  return units.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** A future chunk, before its place is known. */
interface Cut {
  units: Unit[];
  draft: Omit<ChunkDraft, 'seq' | 'continues'>;
}

/** The group as one chunk, or split in halves if its actual token count exceeds the limit. */
function withinLimit(units: Unit[]): Cut[] {
  const draft = draftOf(units);
  if (draft.tokens <= CHUNK_SIZES.limit) return [{ units, draft }];
  return halves(units, draft.tokens).flatMap((half) => withinLimit(half));
}

function withoutForgotten({ units, draft }: Cut, isForgotten: IsForgotten): Cut[] {
  const kept = units.filter(({ piece, text }) => !isForgotten(piece, text));
  if (kept.length === units.length) return [{ units, draft }];
  return kept.length === 0 ? [] : [{ units: kept, draft: draftOf(kept) }];
}

function halves(group: Unit[], tokens: number): Unit[][] {
  if (group.length > 1) {
    const middle = Math.ceil(group.length / 2);
    return [group.slice(0, middle), group.slice(middle)];
  }
  const only = group[0]!;
  const { label } = only.part;
  // A heading, or two names, of hundreds of letters that take several tokens each.
  if (countTokens(label) > MAX_LABEL_TOKENS)
    return [[unit(only.piece, { ...only.part, label: '' }, label + only.text, only.order)]];
  const factor = only.tokens / tokens;
  const finer = {
    target: CHUNK_SIZES.target * factor,
    whole: CHUNK_SIZES.target * factor,
    limit: CHUNK_SIZES.limit * factor,
  };
  return stretchesOf(only, finer);
}

function draftOf(units: readonly Unit[]): Cut['draft'] {
  let text = '';
  const spans: Span[] = [];
  for (const [index, { piece, part, text: unitText, opensParagraph }] of units.entries()) {
    if (index > 0) text += units[index - 1]!.piece === piece && !opensParagraph ? '\n' : '\n\n';
    text += part.label;
    spans.push({ speaker: part.speaker, start: text.length, end: text.length + unitText.length });
    text += unitText;
  }
  const pieces = [...new Set(units.map(({ piece }) => piece))];
  return {
    kind: pieces[0]!.kind,
    text,
    spans,
    tokens: countTokens(text),
    opensParagraph: units[0]!.opensParagraph,
    startTimeMs: least(pieces.map((piece) => piece.startTimeMs)),
    endTimeMs: greatest(pieces.map((piece) => piece.endTimeMs)),
    files: unique(pieces.flatMap((piece) => piece.files)),
    tools: unique(pieces.flatMap((piece) => piece.tool ?? [])),
    gitBranch: pieces.find((piece) => piece.gitBranch !== null)?.gitBranch ?? null,
    lineStart: Math.min(...pieces.map((piece) => piece.lineStart)),
    lineEnd: Math.max(...pieces.map((piece) => piece.lineEnd)),
  };
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
