/** How far a transcript has been read. `state` is the parser's own, opaque here. */
export interface TranscriptCheckpoint {
  /** Size of the text in bytes, at that time. */
  size: number;
  /** Size of the file in bytes, if it holds the text compressed. */
  compressedSize?: number | undefined;
  mtimeMs: number;
  /** The file's change time (ctime); missing in a checkpoint of an earlier version. */
  ctimeMs?: number;
  /** Byte offset and line (from 1) where the next run starts to read. */
  offset: number;
  line: number;
  /**
   * Hashes of the text before that place and of the whole text, to detect a rewritten file. Missing if it was rewritten
   * while being read, and in a checkpoint of an earlier version.
   */
  checksum?: number;
  wholeChecksum?: number;
  state: string;
}

/** What the system says about a file. */
export interface FileStamp {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
}

/** Whether the file is unchanged since it was opened. Setting back its mtime does not hide a change from the ctime. */
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
