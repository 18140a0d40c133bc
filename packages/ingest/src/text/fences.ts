/** A line such as ```` ```npm test``` ```` is code, and opens nothing. */
const FENCE = /^[ \t>]*(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})/;
const QUOTED = /^[ \t>]*/;

/**
 * The code fence that is open behind a line of Markdown, null for none: only as many of the same signs close it.
 * @param open the one that was open before the line
 */
export function fenceBehind(line: string, open: string | null): string | null {
  const mark = FENCE.exec(line)?.[1];
  if (open === null) return mark ?? null;
  return mark?.startsWith(open) && line.replace(QUOTED, '').trim() === mark ? null : open;
}
