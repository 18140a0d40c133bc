/**
 * In `${line%%]*}` the grammar takes the bracket for the beginning or end of a list of characters, and loses the rest of the
 * file. Brackets of such patterns become question marks, which keep every position.
 */
export function withoutBrackets(text: string): string {
  return text.replace(PATTERN, (expansion) => expansion.replace(/[[\]]/g, '?'));
}

/** What is cut off or replaced, up to the end of the line at most. */
const PATTERN = /(?<=\$\{!?[\w@*]{1,100})(?:##?|%%?|\/\/?)[^}\n]{0,300}(?=\})/g;
