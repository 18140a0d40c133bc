/** `class LIB_EXPORT Name {`: to a parser that does not know the macro, a function `Name` that gives a `LIB_EXPORT`. */
const CLASS_MACRO =
  /\b(?:class|struct)\s+([A-Z][A-Z0-9_]+(?:\([^()\n]{0,200}\))?)(?=\s+[A-Za-z_][\w:]*(?:<[^;{}()]{0,200}>)?(?:\s+final)?\s*(?:\{|:[^:]))/g;
/** `typedef int (WINAPI *Name)(int first);`: otherwise a type `first`. */
const CALL_MACRO = /\(\s*([A-Z][A-Z0-9_]+(?:\s+[A-Z][A-Z0-9_]+){0,4})(?=\s*\*\s*\w+\s*\)\s*\()/g;
/** `void printflike(1, 2) name(const char *, ...);`: the grammar loses its way for hundreds of lines. */
const FORMAT_MACRO =
  /\b((?!(?:if|while|for|switch)\b)[A-Za-z_]\w*\(\d{1,2},\s*\d{1,2}\))(?=\s+\**[A-Za-z_]\w*\()/g;
/**
 * `LIB_BEGIN_NAMESPACE` or `LIB_TEMPLATE(T)` on a line of its own before a declaration: otherwise that declaration's type,
 * and the class after it is no class.
 */
const MACRO_LINE =
  /^[ \t]*([A-Z][A-Z0-9_]{2,}(?:\([^()\n;]{0,200}\))?)(?=[ \t]*\r?\n\s*(?:[A-Z][A-Z0-9_]{2,}(?:\([^()\n;]{0,200}\))?[ \t]*\r?\n\s*){0,3}(?:class|struct|template|namespace|enum|union|typedef|using)\b)/gm;

/** `export class Name {` of a C++ module, which the grammar does not know. */
const EXPORT = /^[ \t]*(export)(?=[ \t]+(?!module\b|import\b)[A-Za-z_:])/gm;

/** Blanks macros before the names of classes, functions and pointers to them; every position stays the same. */
export function withoutMacros(text: string): string {
  return [EXPORT, MACRO_LINE, CLASS_MACRO, CALL_MACRO, FORMAT_MACRO].reduce(
    (left, macro) => left.replace(macro, blankMacro),
    text,
  );
}

function blankMacro(whole: string, macro: string): string {
  return whole.slice(0, -macro.length) + macro.replace(/\S/g, ' ');
}
