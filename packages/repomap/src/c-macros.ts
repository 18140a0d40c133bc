/** `class LIB_EXPORT Name {`: to a parser that does not know the macro, a function `Name` that gives a `LIB_EXPORT`. */
const CLASS_MACRO =
  /\b(?:class|struct)\s+([A-Z][A-Z0-9_]+(?:\([^()\n]{0,200}\))?)(?=\s+[A-Za-z_][\w:]*(?:<[^;{}()]{0,200}>)?(?:\s+final)?\s*(?:\{|:[^:]))/g;
/** `typedef int (WINAPI *Name)(int first);`: otherwise a type `first`. */
const CALL_MACRO = /\(\s*([A-Z][A-Z0-9_]+(?:\s+[A-Z][A-Z0-9_]+){0,4})(?=\s*\*\s*\w+\s*\)\s*\()/g;

/** Blanks macros before the name of a class or of a pointer to a function; every position stays the same. */
export function withoutMacros(text: string): string {
  return text.replace(CLASS_MACRO, blankMacro).replace(CALL_MACRO, blankMacro);
}

function blankMacro(whole: string, macro: string): string {
  return whole.slice(0, -macro.length) + macro.replace(/\S/g, ' ');
}
