export interface MapCounts {
  files: number;
  definitions: number;
  /** Pairs of files of which one mentions what the other defines. */
  references: number;
}

export function mapHeader(
  { files, definitions, references }: MapCounts,
  elapsedMs: number,
  parsedFiles: number,
): string {
  const counts = `${files} files, ${definitions} definitions, ${references} cross-file references`;
  return `Repo map: ${counts} (${elapsedMs}ms, ${parsedFiles} re-parsed)\n`;
}
