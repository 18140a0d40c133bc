/**
 * What the grammar can read, of the same length: where a signature's type is followed by a line that begins with `<`, it
 * takes that for the type's arguments, and may lose the rest of the file. A semicolon in the indentation parts them.
 */
export function readableTypeScript(text: string): string {
  return SIGNATURE_BELOW.test(text) ? text.replace(END_OF_TYPE, '$1$2;') : text;
}

/** Rare: without a semicolon above it, only a signature that has no name begins so. */
const SIGNATURE_BELOW = /^[ \t]+<[\w\s]/m;

/** The last line of a signature with its type or of the type's arguments, and what stands between that and the next. */
const END_OF_TYPE =
  /(\)\??:[^\n;{}=]*[\w>\])}"'`]|^[ \t]*>)((?:\s|\/\*[^]*?\*\/|\/\/[^\n]*)*?\n[ \t]*)[ \t](?=<)/gm;
