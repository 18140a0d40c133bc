/** What the grammar can read, of the same length. */
export function readableTypeScript(text: string): string {
  return withoutSignaturesBelow(text.replace(USING, 'Using').replace(LOOP_USING, constLike));
}

/** The grammar takes any `using` for the word that declares, and loses the function in which one is called. */
const USING = /(?<![\w$.#])using(?=\()/g;

/** `for (using file of files)`, which it does not know at all. */
const LOOP_USING =
  /\b(?:await[ \t]+)?using(?=[ \t]+[\w$]+\s+of\b)(?<=\bfor\s*(?:await\s*)?\(\s*(?:await[ \t]+)?using)/g;

function constLike(words: string): string {
  return 'const'.padStart(words.length);
}

/**
 * Where a signature's type is followed by a line that begins with `<`, the grammar takes that for the type's arguments, and may
 * lose the rest of the file. A semicolon in the indentation parts them.
 */
function withoutSignaturesBelow(text: string): string {
  return SIGNATURE_BELOW.test(text) ? text.replace(END_OF_TYPE, '$1$2;') : text;
}

/** Rare: without a semicolon above it, only a signature that has no name begins so. */
const SIGNATURE_BELOW = /^[ \t]+<[\w\s]/m;

/**
 * The last line of a signature with its type or of the type's arguments, and what stands between that and the next. A
 * comment matches in one way only, and a line is looked through no further than types go, nor past a comment, or a hostile
 * file takes forever.
 */
const END_OF_TYPE =
  /(\)\??:(?:[^\n;{}=/]|\/(?![/*])){0,300}[\w>\])}"'`]|^[ \t]*>)((?:\s|\/\*(?:(?!\*\/)[^]){0,2000}\*\/|\/\/[^\n]*(?=\n))*?\n[ \t]*)[ \t](?=<)/gm;
