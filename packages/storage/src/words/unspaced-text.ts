/**
 * Scripts without spaces between words, or that attach so much to a word that it rarely occurs twice in the same form
 * (Korean). The index's tokenizer would take a whole run of them as one word.
 */
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const LETTERS = `${SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}\\u30FC\\uFF70\\uFF9E\\uFF9F`;
const RUN = new RegExp(`[${LETTERS}][${LETTERS}\\p{M}]*`, 'gu');
/** The same and the marks that belong to them, for a class of characters. */
export const OF_UNSPACED_SCRIPTS = `${LETTERS}\\u3099\\u309A`;

/** Blocks of these scripts: a quick test, as most texts hold none. */
const POSSIBLE =
  /[\u0E00-\u0EFF\u1000-\u109F\u1100-\u11FF\u1780-\u17FF\u19E0-\u19FF\u2E80-\uA4CF\uA960-\uA9FF\uAA60-\uAA7F\uAC00-\uD7FF\uF900-\uFAFF\uFF65-\uFFDC]|[\uD840-\uD88F]/;

export function hasUnspacedText(text: string): boolean {
  return POSSIBLE.test(text);
}

/**
 * The text with each run of such a script replaced by its overlapping pairs of letters: `東京都庁` → `東京 京都 都庁`.
 * Index and questions both use this, so a question finds text that shares pairs with it. Other text is unchanged.
 */
export function inLetterPairs(text: string): string {
  return hasUnspacedText(text) ? text.replace(RUN, (run) => ` ${pairsOf(run).join(' ')} `) : text;
}

/** Marks above and below letters are left out: the tokenizer would part the letters there. */
function pairsOf(run: string): string[] {
  const letters = [...run.normalize('NFKC').replace(/\p{M}/gu, '')];
  if (letters.length < 3) return [letters.join('')];
  return letters.slice(1).map((letter, index) => `${letters[index]!}${letter}`);
}
