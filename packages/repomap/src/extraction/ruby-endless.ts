import { blanked } from './lines.js';

/**
 * Of `def total = raise Missing, "no total"` the grammar can read the command with its first argument alone, and loses the
 * module around it. The others are blanked, but for a heredoc, whose text must stay one; every position stays what it was.
 */
export function readableEndless(text: string): string {
  return text.replace(OTHER_ARGUMENTS, (whole, others: string) => {
    const readable = others.includes('<<') ? others.replace(',', '|') : blanked(others);
    return whole.slice(0, -others.length) + readable;
  });
}

/** To the end of the line, unless a bracket or a block is still open there. */
const OTHER_ARGUMENTS =
  /^[ \t]*(?:[a-z_]+ )?def [\w.]+[?!]?(?:\([^()\n]{0,300}\))? = [a-z_][\w.]*[?!]? (?![=*/%<>&|?-])[^\n,()[\]{}]{1,200}(,(?:(?!\bdo\b)[^\n()[\]{}]|\([^()\n]{0,300}\)|\[[^[\]\n]{0,300}\]|\{[^{}\n]{0,300}\}){1,1000})$/gm;
