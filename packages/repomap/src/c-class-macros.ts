/** `class LIB_EXPORT Name {`: to a parser that does not know the macro, a function `Name` that gives a `LIB_EXPORT`. */
const CLASS_MACRO =
  /\b(?:class|struct)\s+([A-Z][A-Z0-9_]+(?:\([^()\n]*\))?)(?=\s+[A-Za-z_][\w:]*(?:<[^;{}()]*>)?(?:\s+final)?\s*(?:\{|:[^:]))/g;

/** Blanks such macros; every position stays the same. */
export function withoutClassMacros(text: string): string {
  return text.replace(CLASS_MACRO, (whole, macro: string) => {
    return whole.slice(0, -macro.length) + ' '.repeat(macro.length);
  });
}
