import { type Definition, variantOf } from '../tags.js';
import { isComponentFile } from './component-file.js';
import { JAVASCRIPT, addWords } from './name-scope.js';

/** `export const add = …` with all that it holds, `export { add }`, `export default memo(List)`; of a function or type the first line. */
const EXPORT =
  /^([ \t]*)export\b(?:(?=\s+(?:(?:default|abstract|async)\s+)*(?:class|enum|function|interface|namespace|type(?!\s*\{))\b)[^\n]*|[^]*?(?=\n\1\S|(?![^])))/gm;
const ES_MODULE = /^[ \t]*(?:import|export)\b/m;
/** What a script shares without an export: with all others, or as a member of something. */
const SHARED = /^[ \t]*(?:export[ \t]+)?declare\b|\b(?:exports|module|window|globalThis|self)\.[\w$]+\s*=/m;
/** `Card.Header = Header`. */
const AS_MEMBER = /^\s*[\w$]+(?:\.[\w$]+)+\s*=\s*([\w$]+)/gm;

/** Not a header. */
const C_SOURCE = /\.(?:c|cc|cpp|cxx|c\+\+|cu)$/i;
/** What ends before a definition on its line. */
const ENDED = /^.*[;={}]/s;

/** `mod list;`: what a file holds for itself, the files below it know, too. */
const RUST_SUBMODULE = /^[^/\n]*\bmod[ \t]+\w+[ \t]*;/m;
const RUST_PUBLIC = /^[ \t]*(?:#\[.*\][ \t]*)?pub\b/;
/** Elsewhere the files that come later know a macro, too. */
const RUST_PROGRAM = /(?:^|\/)(?:main|build|bin\/[^/]+)\.rs$/;

/** By language, what the line of a definition has before its name if no other file can name it. */
const PRIVATE: Partial<Record<string, RegExp>> = {
  csharp: /(?<!protected )\bprivate\b(?! protected)/,
  elixir: /^\s*(?:def(?:n|macro|guard)?p|@typep)\b/,
  java: /\bprivate\b/,
  kotlin: /\bprivate\b/,
  lua: /\blocal[ \t]+function\b/,
  php: /\bprivate\b/,
  // Not `private[http]`.
  scala: /\bprivate\b(?!\[)/,
  swift: /\b(?:file)?private\b(?!\(set\))/,
  zig: /^(?!.*\b(?:pub|export)\b)/,
};
/** What other files can name all the same. */
const GIVEN_AWAY: Partial<Record<string, RegExp>> = {
  // `M.add =`, `add = add` and `return add`.
  lua: /\.(\w+)[ \t]*=(?!=)|\b(\w+)[ \t]*=[ \t]*\2\b|\breturn[ \t]+(\w+)/g,
  // The file as a type.
  zig: /\bconst[ \t]+(\w+)[ \t]*=[ \t]*@This\(/g,
};

/**
 * Marks what no other file can name: what a module does not export, macros and `static` functions of a source of C, what
 * is not `pub` in a file of Rust without others below it, and what is private.
 */
export function withOwn(
  definitions: Definition[],
  path: string,
  language: string,
  text: string,
): Definition[] {
  if (C_SOURCE.test(path)) {
    const lines = text.split('\n');
    const isStatic = (line: number) => /\bstatic\b/.test(headOf(lines, line).replace(ENDED, ''));
    return marked(definitions, ({ kind, line }) => kind === 'macro' || (kind === 'fn' && isStatic(line)));
  }
  if (language === 'rust') {
    if (RUST_SUBMODULE.test(text)) return definitions;
    const lines = text.split('\n');
    return marked(definitions, ({ kind, line }) =>
      kind === 'macro'
        ? RUST_PROGRAM.test(path) && !text.includes('#[macro_export]')
        : kind !== 'method' && !RUST_PUBLIC.test(lines[line - 1]!),
    );
  }
  const isPrivate = PRIVATE[language];
  if (isPrivate !== undefined) {
    const lines = text.split('\n');
    const givesAway = GIVEN_AWAY[language];
    const given = new Set(givesAway && [...text.matchAll(givesAway)].flat());
    return marked(
      definitions,
      ({ name, line }) => isPrivate.test(textBefore(name, lines[line - 1]!)) && !given.has(name),
    );
  }
  // A component may be a module without a word that says so.
  const isModule = isComponentFile(path) || (JAVASCRIPT.test(language) && ES_MODULE.test(text));
  if (!isModule || SHARED.test(text)) return definitions;
  const exported = new Set<string>();
  for (const [statement] of text.matchAll(EXPORT)) addWords(exported, statement);
  for (const [, name] of text.matchAll(AS_MEMBER)) exported.add(name!);
  return marked(definitions, ({ name, kind }) => kind !== 'method' && !exported.has(name));
}

/** Marks modules of Haskell whose name their file's path ends with: `Shop/Cart.hs` is `Shop.Cart`. */
export function withSaidByPath(definitions: Definition[], path: string, language: string): Definition[] {
  if (language !== 'haskell') return definitions;
  const own = `/${path.replace(/\.[^./]*$/, '')}`;
  return definitions.map((definition) =>
    definition.kind === 'module' && own.endsWith(`/${definition.name.replaceAll('.', '/')}`)
      ? { ...definition, kind: 'path-module' }
      : definition,
  );
}

function marked(definitions: Definition[], isOwn: (definition: Definition) => boolean): Definition[] {
  return definitions.map((definition) =>
    isOwn(definition) ? { ...definition, kind: variantOf(definition.kind, 'own') } : definition,
  );
}

/** A definition's line up to its brackets, behind the one before if that ends within it. */
function headOf(lines: readonly string[], line: number): string {
  const own = lines[line - 1]!.replace(/\(.*/s, '');
  const before = lines[line - 2] ?? '';
  return /^\s|^static\b/.test(own) || !before.startsWith('static') ? own : `${before} ${own}`;
}

const IN_WORD = /[\p{L}\p{N}_]/u;

/** Of a line, up to where a name is a whole word: the one of `local function on` is not in `function`. */
function textBefore(name: string, line: string): string {
  const isPart = (at: number) =>
    IN_WORD.test(line.charAt(at - 1)) || IN_WORD.test(line.charAt(at + name.length));
  let at = line.indexOf(name);
  while (at >= 0 && isPart(at)) at = line.indexOf(name, at + 1);
  return line.slice(0, at);
}
