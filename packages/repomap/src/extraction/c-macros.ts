import { blanked } from './lines.js';

/** A macro or an attribute, as it may stand between a keyword and the name that this declares. */
const DECORATION = String.raw`(?:(?:_{0,2}[A-Z][A-Z0-9_]+|__[a-z]\w*|alignas)(?:\((?:[^()\n]|\([^()\n]{0,100}\)){0,200}\))?|\[\[[^\n]{0,200}?\]\])`;
const TYPE_NAME = String.raw`(?!final\b)[A-Za-z_][\w:]*(?:<(?:[^;{}()]|\([^;{}()]{0,100}\)){0,200}>(?:::\w+)?)?`;
const TYPE_BODY = String.raw`\s*(?:\{|:(?!:|\s*\d))`;
/** `class Name LIB_FINAL : public Base {`, which would be the class's name. */
const FINAL_MACRO = new RegExp(
  String.raw`\b(?:class|struct)\s+${TYPE_NAME}\s+([A-Z_]*FINAL[A-Z_]*)(?=${TYPE_BODY})`,
  'g',
);
/**
 * `class LIB_EXPORT [[nodiscard]] Name {`: to a parser that does not know the macro, a function `Name` that gives a
 * `LIB_EXPORT`.
 */
const CLASS_MACRO = new RegExp(
  String.raw`\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+((?:${DECORATION}\s+){1,4})(?=${TYPE_NAME}(?:\s+final)?${TYPE_BODY})`,
  'g',
);
/** `typedef int (WINAPI *Name)(int first);`: otherwise a type `first`. */
const CALL_MACRO = /\(\s*([A-Z][A-Z0-9_]+(?:\s+[A-Z][A-Z0-9_]+){0,4})(?=\s*\*\s*\w+\s*\)\s*\()/g;
/** `typedef void (APIENTRYP Name)(int first);`: likewise. */
const POINTER_MACRO = /\btypedef\b[^;(){}\n]{1,200}\(\s*([A-Z][A-Z0-9_]+)(?=\s+\w+\s*\)\s*\()/g;
/** `void printflike(1, 2) name(const char *, ...);`: the grammar loses its way for hundreds of lines. */
const FORMAT_MACRO =
  /\b((?!(?:if|while|for|switch)\b)[A-Za-z_]\w*\(\d{1,2},\s*\d{1,2}\))(?=\s+\**[A-Za-z_]\w*\()/g;
const MACRO = String.raw`[A-Z][A-Z0-9_]{2,}(?:\([^()\n;]{0,200}\))?`;
/** To the next line, and past what is said of the declaration there. */
const NEXT_LINE = String.raw`[ \t]*\r?\n(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/)){0,4000}\*/)*`;
/**
 * `LIB_BEGIN_NAMESPACE` or `LIB_TEMPLATE(T)` on a line of its own before a declaration: otherwise that declaration's type,
 * and the class after it is no class.
 */
const MACRO_LINE = new RegExp(
  String.raw`^[ \t]*(${MACRO})(?=${NEXT_LINE}(?:${MACRO}${NEXT_LINE}){0,3}(?:class|struct|template|namespace|enum|union|typedef|using)\b)`,
  'gm',
);

/** `LIB_EXPORT struct Name : Base {`, as a library has it that is a module, too: otherwise there is no `Name`. */
const LEADING_MACRO = new RegExp(
  String.raw`^[ \t]*(_{0,2}${MACRO}(?:[ \t]+_{0,2}${MACRO}){0,2})(?=[ \t]+(?:(?:inline|static|constexpr)[ \t]+){0,3}(?:class|struct|template|enum|union|using|concept)\b)`,
  'gm',
);
/**
 * `LIB_TRY {` and `} LIB_CATCH (...) {`, maybe with `LIB_RETHROW` and `LIB_CATCH_END`: otherwise a function `LIB_CATCH`, and what
 * follows in the class is not seen.
 */
const HANDLER_MACRO =
  /^[ \t]*(?:\}[ \t]*)?((?:[A-Z_][A-Z0-9_]*(?<=_)TRY|(?:[A-Z_][A-Z0-9_]*CATCH(?:_[A-Z]+)?|__catch)(?:[ \t]*\([^(){};\n]{0,200}\))?)(?=\s*\{)|[A-Z_][A-Z0-9_]*(?:RETHROW|CATCH_END)(?=\s*$))/gm;

/**
 * `void lock() EXCLUSIVE_LOCK_FUNCTION(mutex) {`, `int size() LIB_NOEXCEPT {`: otherwise the macro is the function, or there is none.
 * `void warn(const char *format, ...) LIB_PRINTF(1, 2);`: otherwise what follows is not seen.
 */
const TRAILING_MACRO =
  /\)(?:\s+(?:const|override|final|noexcept))*((?:\s*\b[A-Z][A-Z0-9_]{2,}(?:\((?:[^(){};]|\([^(){};]{0,100}\)){0,200}\))?){1,3})(?=\s*(?:(?:const|override|final|noexcept)\s*)*[{;])/g;
/** `LIB_CONSTEXPR Name(int size) : size_(size) {`: otherwise a function `size_`. */
const CONSTRUCTOR_MACRO =
  /\b(_{0,2}[A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=\s+[A-Za-z_]\w*\((?:[^(){};]|\([^(){};]{0,100}\)){0,400}\)\s*(?:noexcept\s*)?:\s*[A-Za-z_]\w*\s*[({<])/g;
/** `LIB_INLINE operator Other() const {`: otherwise a function `Other`. */
const CONVERSION_MACRO = /\b(_{0,2}[A-Z][A-Z0-9_]{2,})(?=\s+operator\s+[A-Za-z_][\w:<>*& ]{0,200}\(\))/g;
/** `typedef LIB_PLAIN(Type) Name;`: otherwise a name for `Type`. */
const TYPEDEF_MACRO = /\btypedef\s+[A-Z][A-Z0-9_]+(\([^()\n]{0,200}\))(?=\s+\w+\s*;)/g;
/** `typedef LIB_IO uint32_t Name;`: otherwise a type `uint32_t`. */
const TYPEDEF_QUALIFIER =
  /\btypedef\s+(_{0,2}[A-Z][A-Z0-9_]*)(?=\s+(?!(?:const|volatile)\b)[A-Za-z_]\w*(?:\s*\*+\s*|\s+)[A-Za-z_]\w*\s*;)/g;
/** `enum : unsigned {`, whose name the grammar takes `unsigned` for where it is a type's name. */
const NAMELESS_ENUM = /\benum\s*(:\s*\w[\w:]{0,80})(?=\s*\{)/g;

/** `LIB_INLINE uint32_t name(int a) {`, `LIB_PRINTF(1, 2) void name(…) {`: otherwise a function `uint32_t`, or none. */
const FUNCTION_MACRO =
  /^[ \t]*(?:(?:static|inline|extern)[ \t]+){0,3}(_{0,2}[A-Z][A-Z0-9_]{2,}(?:\([\w, ]{0,100}\))?)(?=\s+(?:\w+[ \t*&]+){1,4}\w+[ \t]*\((?:[^(){};]|\([^(){};]{0,100}\)){0,400}\)\s*\{)/gm;
/** `void LIB_FAST name(void) {`, `int __init name(void) {`, which the grammar ends before `name`. */
const MIDDLE_MACRO =
  /^[ \t]*(?:(?:static|inline|extern)[ \t]+){0,3}(?!(?:auto|class|const|constexpr|else|enum|explicit|extern|friend|inline|return|static|struct|union|virtual|volatile)\b)[A-Za-z_]\w*[ \t*&]+(_{0,2}[A-Z][A-Z0-9_]{2,}|__[a-z]\w*)(?=[ \t]+\w+[ \t]*\((?:[^(){};]|\([^(){};]{0,100}\)){0,400}\)\s*\{)/gm;
/** `typedef struct { … } LIB_PACKED Name;`: otherwise a type `LIB_PACKED`. */
const TAIL_MACRO = /\}[ \t]*([A-Z][A-Z0-9_]+)(?=[ \t]+\w+[ \t]*;)/g;
/** `typedef union __attribute__((packed)) {`, `typedef struct PACKED {`: otherwise a type `packed`. */
const ATTRIBUTE =
  /\b(?:struct|union|enum)\s+(__attribute__\s*\(\((?:[^()]|\([^()]{0,100}\)){0,200}\)\)|[A-Z_]*PACKED[A-Z_]*|__packed)(?=\s*\{)/g;

/**
 * `SYSCALL_DEFINE3(read, unsigned int, fd, …) {`: to the grammar a call before a block. With the name alone in the brackets
 * it is a declarator, as `SYSCALL_DEFINE0(getpid) {` is; see c-declarators.
 */
const SYSTEM_CALL =
  /^(?:(?:COMPAT_)?SYSCALL_DEFINE|BPF_CALL_)[1-6]\(\s*\w+\s*(,(?:[^(){};]|\([^(){};]{0,100}\)){0,800})(?=\)\s*\{)/gm;

/** `export class Name {` of a C++ module, which the grammar does not know. */
const EXPORT = /^[ \t]*(export)(?=[ \t]+(?!module\b|import\b)[A-Za-z_:])/gm;

/** `__device__ Pair name(int a) {` of CUDA: otherwise a method, or none. And `name<<<1, 32>>>(a)`: otherwise no call. */
const CUDA =
  /(__(?:device|forceinline|global|host|launch_bounds|noinline)__(?:\([^()\n]{0,100}\))?|<<<[^;{}]{1,300}?>>>(?=\s*\())/g;

/** `draw(LIB_LITERAL(Point){ 1, 2 })`, at which the grammar may lose the function around it. */
const LITERAL_MACRO =
  /(?:[(,=]|\breturn)\s*([A-Z][A-Z0-9_]{2,})(?=\(\s*\w+\s*\)\s*\{[^{};]{0,400}\}\s*[,);])/g;

const MACROS = [
  EXPORT,
  CUDA,
  MACRO_LINE,
  LEADING_MACRO,
  HANDLER_MACRO,
  FINAL_MACRO,
  CLASS_MACRO,
  CALL_MACRO,
  POINTER_MACRO,
  FORMAT_MACRO,
  TRAILING_MACRO,
  CONSTRUCTOR_MACRO,
  CONVERSION_MACRO,
  TYPEDEF_MACRO,
  TYPEDEF_QUALIFIER,
  NAMELESS_ENUM,
  FUNCTION_MACRO,
  MIDDLE_MACRO,
  TAIL_MACRO,
  ATTRIBUTE,
  SYSTEM_CALL,
  LITERAL_MACRO,
];

/** Blanks macros around the names of classes, functions, types and pointers to functions; every position stays the same. */
export function withoutMacros(text: string): string {
  return MACROS.reduce((left, macro) => left.replace(macro, blankMacro), text);
}

function blankMacro(whole: string, macro: string): string {
  return whole.slice(0, -macro.length) + blanked(macro);
}
