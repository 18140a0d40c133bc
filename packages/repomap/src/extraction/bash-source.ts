import { blanked } from './lines.js';

/** What the grammar can read, of the same length. */
export function readableBash(text: string): string {
  return withoutBrackets(text).replace(BATS_TEST, blanked).replace(LINE_END, '?');
}

/** `@test "adds" {` of bats: what is set in there would seem to be the script's own. */
const BATS_TEST = /^@test[ \t][^\n]*(?=\{[ \t]*(?:#[^\n]*)?$)/gm;

/** `$(grep -c installed$)`: the grammar takes the dollar and the bracket for one name. */
const LINE_END = /\$(?=\))(?<=\w\$)/g;

/**
 * In `${line%%]*}` the grammar takes the bracket for the beginning or end of a list of characters, in `${line#*{}` and
 * `${line/)}` for one of the script's own, and loses the rest of the file or the function around it. Brackets of such
 * patterns become question marks, which keep every position.
 */
function withoutBrackets(text: string): string {
  return text.replace(PATTERN, (expansion) => expansion.replace(BRACKET, '?'));
}

/** Not those of what is put in: `${name}`, `$(date)`. */
const BRACKET = /[[\]]|(?<!\$)\{|\)(?<!\([^()]*\))/g;

/** What is cut off or replaced, up to the end of the line at most. */
const PATTERN = /(?<=\$\{!?[\w@*]{1,100})(?:##?|%%?|\/\/?)[^}\n]{0,300}(?=\})/g;
