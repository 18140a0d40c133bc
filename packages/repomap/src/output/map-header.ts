export interface MapCounts {
  files: number;
  definitions: number;
  /** Pairs of files of which one mentions what the other defines. */
  references: number;
}

export function countsText({ files, definitions, references }: MapCounts): string {
  return `${files} files, ${definitions} definitions, ${references} cross-file references`;
}

export function mapHeader(counts: MapCounts, elapsedMs: number, parsedFiles: number): string {
  return `Repo map: ${countsText(counts)} (${elapsedMs}ms, ${parsedFiles} re-parsed)\n`;
}
