/** How far a transcript has been read. `state` is the parser's own, opaque here. */
export interface TranscriptCheckpoint {
  /** Bytes of text that there were. */
  size: number;
  /** Bytes of the file where the text lies compressed in it. */
  compressedSize?: number | undefined;
  mtimeMs: number;
  /** When anything of the file was last changed, its times included; none in a checkpoint of an earlier version. */
  ctimeMs?: number;
  /** Byte offset and line (from 1) where the next run starts to read. */
  offset: number;
  line: number;
  /** Number of turns and chunks before that place. */
  turns: number;
  chunks: number;
  /**
   * Of the text before that place, and of all of it, to notice that it was rewritten. None where that happened while it
   * was read, nor in a checkpoint of an earlier version.
   */
  checksum?: number;
  wholeChecksum?: number;
  state: string;
}

/** What the system tells of a file. */
export interface FileStamp {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
}

/** Has nobody written to the file since it was opened to be read? What sets back its time of change leaves the other one. */
export function isUntouched(
  { mtimeMs, ctimeMs }: Pick<TranscriptCheckpoint, 'mtimeMs' | 'ctimeMs'>,
  file: Omit<FileStamp, 'size'>,
): boolean {
  return mtimeMs === file.mtimeMs && (ctimeMs ?? file.ctimeMs) === file.ctimeMs;
}

/** A row of `transcript`. */
export interface TranscriptRow {
  id: number;
  session_id: number | null;
  checkpoint: string | null;
}

export function parseCheckpoint(row: TranscriptRow | undefined): TranscriptCheckpoint | null {
  return row?.checkpoint ? (JSON.parse(row.checkpoint) as TranscriptCheckpoint) : null;
}
