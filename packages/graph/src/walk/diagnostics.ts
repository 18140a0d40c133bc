/** Why a walk found no chain; the texts are part of the tools' answers (specification 000). */
export const WALK_FAILURES = Object.freeze({
  noMatch: 'No matching chunks in memory',
  noSeed: 'Search found chunks but none suitable as chain seeds',
  noEdges: 'No edges found from seed chunks',
  tooShort: 'All chains had only 1 chunk (minimum 2 required)',
  belowThreshold: 'No chain met the qualifying threshold',
});

export type WalkFailure = (typeof WALK_FAILURES)[keyof typeof WALK_FAILURES];

export interface WalkDiagnostics {
  /** Chunks the search found. */
  searchFound: number;
  /** Chunks among them that a walk could start from. */
  seeds: number;
  /** Seeds that were walked from; 0 where none of them has an edge. */
  chainsAttempted: number;
  /** Chunks in the longest path from each of these seeds, before any was cut or left out; longest first. */
  lengths: number[];
  /** null where at least one chain is returned. */
  reason: WalkFailure | null;
}

/** More lengths would fill the answer without telling more. */
const MAX_SHOWN_LENGTHS = 10;

/** The note in brackets under an answer that fell back to search; '' if the walk found a chain. */
export function formatWalkDiagnostics(diagnostics: WalkDiagnostics): string {
  const { reason, searchFound, seeds, chainsAttempted, lengths } = diagnostics;
  if (reason === null) return '';
  const found = `Search found ${searchFound} chunks, ${seeds} seeds, ${chainsAttempted} chain(s) attempted`;
  return `[Chain walk: fell back to search — ${reason}. ${found}, lengths: ${formatLengths(lengths)}]`;
}

function formatLengths(lengths: readonly number[]): string {
  if (lengths.length === 0) return 'none';
  const shown = lengths.slice(0, MAX_SHOWN_LENGTHS).join(', ');
  return lengths.length > MAX_SHOWN_LENGTHS ? `${shown}, …` : shown;
}
