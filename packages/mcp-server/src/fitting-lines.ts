import { headerTokens } from '@causantic/retrieval';

export interface Listing {
  /** Lines that are always shown above or below. */
  fixed: readonly string[];
  /** One entry each, the most wanted first. */
  lines: readonly string[];
  /** Number of entries, if not all of them are in `lines`. */
  total?: number;
  budgetTokens: number;
  /** The line below, when some are left out. */
  more: (leftOut: number) => string;
}

/** As many whole entries as fit into an answer; if some are left out, a last line says so. */
export function fittingLines({ fixed, lines, total = lines.length, budgetTokens, more }: Listing): string[] {
  const room = fixed.reduce((left, line) => left - lineTokens(line), budgetTokens);
  const all = total > lines.length ? [...lines, more(total - lines.length)] : [...lines];
  if (all.reduce((sum, line) => sum + lineTokens(line), 0) <= room) return all;
  let left = room - lineTokens(more(total));
  const end = lines.findIndex((line) => (left -= lineTokens(line)) < 0);
  const shown = end < 0 ? lines : lines.slice(0, end);
  return [...shown, more(total - shown.length)];
}

function lineTokens(line: string): number {
  return headerTokens(line) + 1;
}
