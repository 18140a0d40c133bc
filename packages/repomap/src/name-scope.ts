import type { ReferenceForm } from './tags.js';

/** What tells which of the definitions of a name a file can mean. */
export interface NameScope {
  /**
   * Names that the file brings in from others: all that a bare name in it can mean beside the file's own. Undefined where
   * a bare name may come from anywhere: a script of a page, an import of everything, or a language without rules here.
   */
  bound: ReadonlySet<string> | undefined;
  /** Whether what stands behind an object is a method, unless the object was brought in. */
  membersAreMethods: boolean;
  /** Objects of the language itself, whose members are defined nowhere. */
  globals: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/** Imports are found by patterns in the whole text, comments included: a name too many does little harm. */
export function nameScopeOf(language: string, text: string): NameScope {
  if (language === 'python') return { bound: boundInPython(text), membersAreMethods: true, globals: NONE };
  if (!JAVASCRIPT.test(language)) return { bound: undefined, membersAreMethods: true, globals: NONE };
  // In CommonJS a function becomes a member of any object by assignment.
  return { bound: boundInJavaScript(text), membersAreMethods: ES_MODULE.test(text), globals: GLOBALS };
}

export function formOfName(name: string, { bound }: NameScope): ReferenceForm {
  return bound === undefined || bound.has(name) ? 'any' : 'unbound';
}

/**
 * @param start of the member's name
 * @returns undefined for what the language itself defines
 */
export function formOfMember(text: string, start: number, scope: NameScope): ReferenceForm | undefined {
  const object = OBJECT.exec(text.slice(Math.max(0, start - LONGEST_OBJECT), start))?.[1];
  if (object !== undefined && scope.bound?.has(object)) return 'any';
  if (object !== undefined && scope.globals.has(object)) return undefined;
  return scope.membersAreMethods ? 'method' : 'any';
}

const LONGEST_OBJECT = 60;
/** `utils.` before the name of a member; an object that is something longer tells nothing. */
const OBJECT = /(?<![\p{L}\p{N}_$.)\]])([\p{L}\p{N}_$]+)\s*[?!]?\.\s*$/u;

const JAVASCRIPT = /^(?:typescript|tsx|javascript)$/;
const ES_MODULE = /^(?:import|export)\b/m;
const COMMON_JS = /\brequire\s*\(|^(?:module\.)?exports\b/m;
/** `import x, { y as z } from './m'`, `import * as x from './m'`. */
const IMPORT =
  /\bimport(?:\s+type\b)?\s*([\w$]+(?:\s*,\s*(?:\{[^{}]*\}|\*\s*as\s+[\w$]+))?|\{[^{}]*\}|\*\s*as\s+[\w$]+)\s*from\s*["']([^"'\n]+)["']/g;
/** What is passed on: `export { y } from './m'`. */
const EXPORT_FROM = /\bexport\s+(?:type\s+)?(\{[^{}]*\})\s*from\s*["']([^"'\n]+)["']/g;
/** `const { x } = require('./m'), y = require('./n')`, `await import('./m')`, TypeScript's `import x = require('./m')`. */
const REQUIRE =
  /(?:\b(?:const|let|var|import(?:\s+type)?)\s+|,\s*)(\{[\w$\s:,]*\}|[\w$]+)\s*=\s*(?:await\s+import|require)\s*\(\s*["']([^"'\n]+)["']/g;
/** Modules of Node that programs use most; all can have `node:` before them. */
const BUILTIN =
  /^(?:node:.*|assert|buffer|child_process|crypto|events|fs|fs\/promises|http|https|net|os|path|process|readline|stream|tls|url|util|worker_threads|zlib)$/;
const GLOBALS = new Set(
  'Array Buffer Date JSON Math Number Object Promise Reflect String Symbol console process'.split(' '),
);

function boundInJavaScript(text: string): ReadonlySet<string> | undefined {
  if (!ES_MODULE.test(text) && !COMMON_JS.test(text)) return undefined;
  const names = new Set<string>();
  for (const pattern of [IMPORT, EXPORT_FROM, REQUIRE]) {
    for (const [, clause, source] of text.matchAll(pattern))
      if (!BUILTIN.test(source!)) addWords(names, clause!);
  }
  return names;
}

const FROM_IMPORT =
  /^[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]+(\((?:[^()#]|#[^\n]*\n)*\)|(?:[^\n\\]|\\\r?\n)*)/gm;
const PYTHON_IMPORT = /^[ \t]*import[ \t]+([^\n]+)/gm;

function boundInPython(text: string): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const [, clause] of text.matchAll(FROM_IMPORT)) {
    if (clause!.startsWith('*')) return undefined;
    addWords(names, clause!);
  }
  for (const [, clause] of text.matchAll(PYTHON_IMPORT)) addWords(names, clause!);
  return names;
}

function addWords(names: Set<string>, clause: string): void {
  for (const [word] of clause.matchAll(/[\p{L}\p{N}_$]+/gu)) names.add(word);
}
