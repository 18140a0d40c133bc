import { isAt, matchFrom } from './match-from.js';
import { words } from './regex-languages/c-like.js';
import {
  CSHARP_MEMBERS,
  PYTHON_LIBRARIES,
  RUST_MEMBERS,
  isStandard,
  standardNamesOf,
  type StandardNames,
} from './standard-names.js';
import type { ReferenceForm } from '../tags.js';

/** By module, as {@link ModuleNames} is asked for it; classes behind the last part of their package, as tags tell of them. */
type WritableImports = Map<string, 'import' | 'reexport' | 'imported-class'>;
export type Imports = Readonly<WritableImports>;

/** What tells which of the definitions of a name a file can mean. */
export interface NameScope {
  /**
   * Names that the file brings in from others: all that a bare name in it can mean beside the file's own. Undefined where
   * a bare name may come from anywhere: a script of a page, an import of everything, or a language without rules here.
   */
  bound: ReadonlySet<string> | undefined;
  /**
   * Whether what stands behind an object is a method, unless the object was brought in. Not in CommonJS, where a function
   * becomes a member of any object by assignment.
   */
  membersAreMethods: boolean;
  /** Objects of the language itself, whose members are defined nowhere. */
  globals: ReadonlySet<string>;
  /** Methods that every object or function has, or nearly all values of Rust or C#; the tree may define the same names. */
  inherited: ReadonlySet<string>;
  imports: Imports;
  /** What the standard library has, which a file of the tree may define again; undefined where nothing is known of it. */
  standard: StandardNames | undefined;
  /** Whether a name behind a type's is one of what that type holds. */
  hasNestedTypes: boolean;
}

const NONE: ReadonlySet<string> = new Set();
/** Of a file that says nothing. */
const UNKNOWN: NameScope = {
  bound: undefined,
  membersAreMethods: true,
  globals: NONE,
  inherited: NONE,
  imports: new Map(),
  standard: undefined,
  hasNestedTypes: false,
};

const INHERITED_MEMBERS: Readonly<Record<string, ReadonlySet<string>>> = {
  csharp: CSHARP_MEMBERS,
  rust: RUST_MEMBERS,
};

/** Imports are found by patterns in the whole text, comments included: a name too many does little harm. */
export function nameScopeOf(language: string, text: string): NameScope {
  if (language === 'python') return pythonScope(text);
  if (JAVASCRIPT.test(language)) return javaScriptScope(text);
  return {
    ...UNKNOWN,
    inherited: INHERITED_MEMBERS[language] ?? NONE,
    standard: standardNamesOf(language, text),
    imports: IMPORTS[language]?.(text) ?? UNKNOWN.imports,
    hasNestedTypes: hasNestedTypes(language),
  };
}

/** Where types are within types, and a dot stands between their names. */
const NESTING = /^(?:java|kotlin|scala|swift)$/;
/** `Converter.` before a name with a capital. */
const WITHIN_TYPE = /(?<=(?<![\p{L}\p{N}_)\]])\p{Lu}[\p{L}\p{N}_]*\.)(?=\p{Lu})/uy;

export function hasNestedTypes(language: string): boolean {
  return NESTING.test(language);
}

/** @param start of a name */
export function isWithinType(text: string, start: number): boolean {
  return text.charCodeAt(start - 1) === DOT && isAt(WITHIN_TYPE, text, start);
}

const DOT = 0x2e;

export function formOfName(
  name: string,
  { text, start, scope: { bound, standard } }: { text: string; start: number; scope: NameScope },
): ReferenceForm {
  if (standard !== undefined && isStandard(name, text, start, standard)) return 'standard';
  return bound === undefined || bound.has(name) ? 'any' : 'unbound';
}

/**
 * @param start of the member's name
 * @returns undefined for what the language itself defines
 */
export function formOfMember(
  name: string,
  { text, start, scope }: { text: string; start: number; scope: NameScope },
): ReferenceForm | undefined {
  if (scope.inherited.has(name)) return 'standard';
  const object = matchFrom(OBJECT_BEFORE, text, start)?.[1];
  if (object !== undefined) {
    if (scope.bound?.has(object)) return 'any';
    if (scope.globals.has(object)) return undefined;
    if (scope.standard?.names.has(object)) return 'standard';
  }
  return scope.membersAreMethods ? 'method' : 'any';
}

/** `utils.` before the name of a member; an object that is something longer tells nothing. */
const OBJECT_BEFORE = /(?<=(?<![\p{L}\p{N}_$.)\]])([\p{L}\p{N}_$]+)\s*[?!]?\.\s*)/uy;

export const JAVASCRIPT = /^(?:typescript|tsx|javascript)$/;
const ES_MODULE = /^(?:import|export)\b/m;
/** As most write the script of a Svelte component; elsewhere it may stand in a text. */
const INDENTED_IMPORT = /^[ \t]+import\s[^;'"()]{1,2000}?\bfrom\s*["']/m;
const COMMON_JS = /\brequire\s*\(|^(?:module\.)?exports\b/m;
/** `import x, { y as z } from './m'`, `import * as x from './m'`. */
const IMPORT =
  /\bimport(?:\s+type\b)?\s*([\w$]+(?:\s*,\s*(?:\{[^{}]*\}|\*\s*as\s+[\w$]+))?|\{[^{}]*\}|\*\s*as\s+[\w$]+)\s*from\s*["']([^"'\n]+)["']/g;
/** What is passed on: `export { y } from './m'`, `export * from './m'`. */
const EXPORT_FROM = /\bexport\s+(?:type\s+)?(\{[^{}]*\}|\*(?:\s*as\s+[\w$]+)?)\s*from\s*["']([^"'\n]+)["']/g;
/** So, too: `module.exports = require('./m')`. */
const EXPORT_REQUIRE = /\bexports(?:\.[\w$]+)?()\s*=\s*require\s*\(\s*["']([^"'\n]+)["']/g;
/** `const { x } = require('./m'), y = require('./n')`, `await import('./m')`, TypeScript's `import x = require('./m')`. */
const REQUIRE =
  /(?:\b(?:const|let|var|import(?:\s+type)?)\s+|,\s*)(\{[\w$\s:,]*\}|[\w$]+)\s*=\s*(?:await\s+import|require)\s*\(\s*["']([^"'\n]+)["']/g;
/**
 * Modules of Node that programs use most; all can have `node:` before them. A scheme (`bun:test`, `astro:content`,
 * `https://…`) is never a file's of the tree.
 */
const BUILTIN =
  /^(?:[a-z]{2,}:.*|assert|buffer|child_process|crypto|events|fs|fs\/promises|http|https|net|os|path|process|readline|stream|tls|url|util|worker_threads|zlib)$/;
/** `./list`, `@/list`, `~/list`, `#list`: no package. */
const PLACE = /^(?:[.~#$/]|@\/)/;
const GLOBALS = new Set(
  'Array Buffer Date JSON Math Number Object Promise Reflect String Symbol console process'.split(' '),
);
/** The second line: of what a page consists of. */
const INHERITED = words(`apply bind call hasOwnProperty toString valueOf
  addEventListener appendChild getAttribute getBoundingClientRect preventDefault querySelector querySelectorAll
  removeAttribute removeChild removeEventListener setAttribute stopPropagation`);
/** Of a file that says nothing of modules. */
const SCRIPT: NameScope = { ...UNKNOWN, membersAreMethods: false, globals: GLOBALS, inherited: INHERITED };

const ES_FORMS = [
  [IMPORT, 'import'],
  [REQUIRE, 'import'],
  [EXPORT_FROM, 'reexport'],
] as const;
const COMMON_JS_FORMS = [
  [REQUIRE, 'import'],
  [EXPORT_REQUIRE, 'reexport'],
] as const;

function javaScriptScope(text: string): NameScope {
  const isEsModule = ES_MODULE.test(text) || (!COMMON_JS.test(text) && INDENTED_IMPORT.test(text));
  if (!isEsModule && !COMMON_JS.test(text)) return SCRIPT;
  const bound = new Set<string>();
  const builtin = new Set<string>();
  const imports: WritableImports = new Map();
  for (const [pattern, form] of isEsModule ? ES_FORMS : COMMON_JS_FORMS) {
    for (const [, clause, module] of text.matchAll(pattern)) {
      const isBuiltin = BUILTIN.test(module!);
      addWords(isBuiltin ? builtin : bound, clause!);
      if (isBuiltin) continue;
      imports.set(module!, form);
      if (!PLACE.test(module!)) addImported(imports, module!, clause!);
    }
  }
  const standard = { names: builtin, namespaces: NONE };
  const globals = new Set([...GLOBALS, ...builtin]);
  return { ...SCRIPT, bound, membersAreMethods: isEsModule, globals, imports, standard };
}

/** `import com.example.list.Entry;`, but what comes from Java itself. */
const JAVA_IMPORT = /^[ \t]*import[ \t]+(?!static\b|javax?\.)(?:\w+\.)*(\w+)\.(\p{Lu}\w*)[ \t]*;/gmu;
/** `import static com.example.list.Entries.entry;`: the class, and behind the beginning of its package what it has or inherits. */
const JAVA_STATIC_IMPORT =
  /^[ \t]*import[ \t]+static[ \t]+(?!javax?\.)(?=(\p{Ll}\w*(?:\.\p{Ll}\w*)?))(?:\w+\.)*(\w+)\.(\p{Lu}\w*)\.(\w+|\*)[ \t]*;/gmu;

function javaImports(text: string): Imports {
  const imports = new Map<string, 'imported-class'>();
  for (const [, parent, name] of text.matchAll(JAVA_IMPORT))
    imports.set(`${parent!}/${name!}`, 'imported-class');
  for (const [, beginning, parent, name, member] of text.matchAll(JAVA_STATIC_IMPORT)) {
    imports.set(`${parent!}/${name!}`, 'imported-class');
    if (member !== '*') imports.set(`/${beginning!.replace('.', '/')}/${member!}`, 'imported-class');
  }
  return imports;
}

/** `module Shop`, `class Shop::Cart` */
const RUBY_MODULE = /^[ \t]*(?:module|class)[ \t]+((?:::)?[A-Z][\w:]*)/gm;
/** `Shop::Cart` */
const RUBY_QUALIFIED = /(?<![\w:])(?:[A-Z]\w*::)+[A-Z]\w*/g;

/** What stands before a name, or, for a bare one, around it: by custom the folder of its file has that name. */
function rubyImports(text: string): Imports {
  const imports: WritableImports = new Map();
  for (const [, module] of text.matchAll(RUBY_MODULE))
    for (const part of module!.split('::')) imports.set(`${part}/`, 'imported-class');
  for (const [qualified] of text.matchAll(RUBY_QUALIFIED)) {
    const parts = qualified.split('::');
    for (let i = 1; i < parts.length; i++) imports.set(`${parts[i - 1]!}/${parts[i]!}`, 'imported-class');
  }
  return imports;
}

const PHP_NAMESPACE = /^[ \t]*namespace[ \t]+(?:\w+\\)*(\w+)[ \t]*[;{]/m;
/** `use Shop\Models\Cart;`, `use Shop\Models\{Cart, Item};` */
const PHP_USE = /^[ \t]*use[ \t]+\\?(?:\w+\\)*?(\w+)\\(\w+|\{[^{}]*\})[ \t]*;/gm;

function phpImports(text: string): Imports {
  const imports: WritableImports = new Map();
  const own = PHP_NAMESPACE.exec(text)?.[1];
  if (own !== undefined) imports.set(`${own}/`, 'imported-class');
  for (const [, folder, names] of text.matchAll(PHP_USE))
    for (const [name] of names!.matchAll(/\w+/g)) imports.set(`${folder!}/${name}`, 'imported-class');
  return imports;
}

/** `using Shop.Models;`, `namespace Shop.Models` */
const CSHARP_NAMESPACE =
  /^[ \t]*(?:(?:global[ \t]+)?using|namespace)[ \t]+(?:\w+\.)*(\w+)[ \t]*(?:[;{\r]|$)/gm;

function csharpImports(text: string): Imports {
  const imports: WritableImports = new Map();
  for (const [, folder] of text.matchAll(CSHARP_NAMESPACE)) imports.set(`${folder!}/`, 'imported-class');
  return imports;
}

const IMPORTS: Readonly<Record<string, (text: string) => Imports>> = {
  java: javaImports,
  ruby: rubyImports,
  php: phpImports,
  csharp: csharpImports,
};

const KOTLIN_PACKAGE = /^[ \t]*package[ \t]+(\w+(?:\.\w+)?)/m;
/** `import com.example.list.Entry`, also of a function or member. */
const KOTLIN_IMPORT =
  /^[ \t]*import[ \t]+(\p{Ll}\w*(?:\.\p{Ll}\w*(?=\.))?)(?:\.\w+)*\.(\w+)[ \t]*(?:as[ \t]+\w+[ \t]*)?;?$/gmu;

/**
 * As static ones of Java, but of other packages than begin as the file's own: a folder need not say the package.
 *
 * @param code without comments
 */
export function kotlinImports(code: string): Imports {
  const imports: WritableImports = new Map();
  const own = `${KOTLIN_PACKAGE.exec(code)?.[1] ?? ''}.`;
  for (const [, beginning, name] of code.matchAll(KOTLIN_IMPORT)) {
    const isOwn = own.startsWith(`${beginning!}.`) || `${beginning!}.`.startsWith(own);
    if (!isOwn) imports.set(`/${beginning!.replace('.', '/')}/${name!}`, 'imported-class');
  }
  return imports;
}

const FROM_IMPORT =
  /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\((?:[^()#]|#[^\n]*\n)*\)|(?:[^\n\\]|\\\r?\n)*)/gm;
/** What is brought in from a package may be a module of it. */
const MODULE_NAME = /^[a-z_][a-z\d_]*$/;
/** Of `a.b as c, d` each module with its name here. */
const IMPORTED = /(?:^|,)\s*([\p{L}\p{N}_.]+)[^,]*/gu;
const PYTHON_IMPORT = /^[ \t]*import[ \t]+([^\n]+)/gm;

function pythonScope(text: string): NameScope {
  const bound = new Set<string>();
  const standard = new Set<string>();
  const imports: WritableImports = new Map();
  let bindsAll = false;
  for (const [, source, clause] of text.matchAll(FROM_IMPORT)) {
    const module = pythonModule(source!);
    imports.set(module, 'import');
    bindsAll ||= clause!.startsWith('*');
    const names = new Set<string>();
    addWords(names, clause!);
    for (const name of names) {
      (isPythonLibrary(source!) ? standard : bound).add(name);
      if (MODULE_NAME.test(name)) imports.set(`${module}/${name}`, 'import');
    }
    if (!module.startsWith('.') && !isPythonLibrary(source!)) addImported(imports, module, clause!);
  }
  for (const [, clause] of text.matchAll(PYTHON_IMPORT)) {
    for (const [imported, module] of clause!.matchAll(IMPORTED)) {
      addWords(isPythonLibrary(module!) ? standard : bound, imported);
      imports.set(pythonModule(module!), 'import');
    }
  }
  // As a file has it that runs with older versions, too.
  for (const name of bound) standard.delete(name);
  return {
    ...UNKNOWN,
    bound: bindsAll ? undefined : bound,
    globals: standard,
    imports,
    standard: { names: standard, namespaces: NONE },
  };
}

function isPythonLibrary(module: string): boolean {
  return PYTHON_LIBRARIES.has(module.replace(/\..*/, ''));
}

/** `.a.b` as `./a/b`, `..c` as `../c`. */
function pythonModule(name: string): string {
  const [, dots, rest] = /^(\.*)(.*)$/.exec(name)!;
  const folder = dots!.length > 1 ? Array<string>(dots!.length - 1).fill('..') : [...dots!];
  return [...folder, ...rest!.split('.').filter(Boolean)].join('/');
}

/** Each name that is brought in from a package, behind its module: `django/conf//settings`. */
function addImported(imports: WritableImports, module: string, clause: string): void {
  const names = new Set<string>();
  addWords(names, clause);
  for (const name of names) imports.set(`${module}//${name}`, 'imported-class');
}

export function addWords(names: Set<string>, text: string): void {
  for (const [word] of text.matchAll(/[\p{L}\p{N}_$]+/gu)) names.add(word);
}
