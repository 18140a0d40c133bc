import type { ChunkKind, Speaker } from '@causantic/domain';

/** One thing said in a turn: a prompt, an answer, a thought, a tool call with its result. */
export interface Piece {
  kind: ChunkKind;
  /** In order; a tool call's piece has a second one for its result. */
  parts: PiecePart[];
  lineStart: number;
  lineEnd: number;
  startTimeMs: number | null;
  endTimeMs: number | null;
  gitBranch: string | null;
  files: string[];
  tool: string | null;
}

export interface PiecePart {
  speaker: Speaker;
  /** Written before the text, outside the span: `User: `, `→ `. */
  label: string;
  text: string;
}
