/** Kinds of definitions, in the order of their numbers in the cache (append only). */
export const DEFINITION_KINDS = [
  'fn',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'struct',
  'trait',
  'module',
  'namespace',
  'const',
  'macro',
  'object',
  'union',
  'record',
  'protocol',
  'extension',
  'package',
  'component',
  /** Inside a function of Python, C, C++ or C#, which no other file can mean. */
  'local-fn',
  'local-class',
  'local-struct',
  'local-type',
  /** Of C++ outside its class, whose name means the class. */
  'constructor',
  /** Within tests of JavaScript and TypeScript, which no other file can mean, and a map can do without. */
  'test-fn',
  'test-method',
  'test-class',
  'test-interface',
  'test-type',
  'test-enum',
  /**
   * Of a trait of Rust or a protocol of Swift: each type that has it has its own; `Output` means those of all of them, and of
   * the standard library's. In Swift an alias within a type, which nearly always is one of these.
   */
  'associated-type',
  /** Within a type of Zig: another file can mean it as of a type alone (`Window.parent`), which a field is not. */
  'member-const',
  /** Of PHP or C#, where each file says which it is in: its name means a class. */
  'open-namespace',
  /** What no other file can name: not exported, private, or `static` in C. A mention elsewhere means something else. */
  'own-fn',
  'own-class',
  'own-interface',
  'own-type',
  'own-enum',
  'own-const',
  'own-macro',
  'own-struct',
  'own-trait',
  'own-method',
  /** Of Haskell, where its file's path says its name. */
  'path-module',
] as const;

export type DefinitionKind = (typeof DEFINITION_KINDS)[number];
export type ShownKind = Exclude<DefinitionKind, keyof typeof SHOWN_AS>;

const SHOWN_AS = {
  'local-fn': 'fn',
  'local-class': 'class',
  'local-struct': 'struct',
  'local-type': 'type',
  constructor: 'method',
  'test-fn': 'fn',
  'test-method': 'method',
  'test-class': 'class',
  'test-interface': 'interface',
  'test-type': 'type',
  'test-enum': 'enum',
  'associated-type': 'type',
  'member-const': 'const',
  'open-namespace': 'namespace',
  'own-fn': 'fn',
  'own-class': 'class',
  'own-interface': 'interface',
  'own-type': 'type',
  'own-enum': 'enum',
  'own-const': 'const',
  'own-macro': 'macro',
  'own-struct': 'struct',
  'own-trait': 'trait',
  'own-method': 'method',
  'path-module': 'module',
} as const;

const isShownAs = (kind: DefinitionKind): kind is keyof typeof SHOWN_AS => Object.hasOwn(SHOWN_AS, kind);
const SHOWN_KINDS = DEFINITION_KINDS.map((kind): ShownKind => (isShownAs(kind) ? SHOWN_AS[kind] : kind));
/** Files that use the same words change together, even where these are a file's own. */
const MEANT_IN_WALKS = /^(?:associated-|member-|own-|path-)/;
/** A mention of a type that is extended means where that is defined. */
const CAN_BE_MEANT = DEFINITION_KINDS.map(
  (kind) => MEANT_IN_WALKS.test(kind) || (kind !== 'extension' && !isShownAs(kind)),
);

/** As the map shows it. */
export function shownKind(kind: number): ShownKind {
  return SHOWN_KINDS[kind]!;
}

/** Whether a mention of its name may mean a definition of this kind. */
export function canBeMeant(kind: number): boolean {
  return CAN_BE_MEANT[kind]!;
}

const WITHIN_TESTS = DEFINITION_KINDS.map((kind) => kind.startsWith('test-'));

export function isWithinTests(kind: number): boolean {
  return WITHIN_TESTS[kind]!;
}

/** The kind within tests, or of what is its file's own; itself, where there is none. */
export function variantOf(kind: DefinitionKind, variant: 'test' | 'own'): DefinitionKind {
  return DEFINITION_KINDS.find((other) => other === `${variant}-${kind}`) ?? kind;
}

const SHOWN_BY_MENTIONS = DEFINITION_KINDS.map((kind) => !/^(?:associated-|own-)/.test(kind));

/** Whether a mention shows a definition of this kind without a focus. */
export function isShownByMentions(kind: number): boolean {
  return SHOWN_BY_MENTIONS[kind]!;
}

export interface Definition {
  name: string;
  kind: DefinitionKind;
  /** From 1. */
  line: number;
}

/** How a name is mentioned, which limits what it can mean; in the order of their numbers in the cache. */
export const REFERENCE_FORMS = [
  /** Of a module, as an import names it; see ModuleNames. */
  'import',
  /** So, too, and what it defines is brought in with this file: `export * from './list'`. */
  'reexport',
  /** As whatever is defined under that name. */
  'any',
  /** Where only a type can stand: a type, and nothing else. */
  'type',
  /** Where only a function can stand (`collect()` of PHP, a command of Bash): no method or variable. */
  'function',
  /** Where only a variable can stand (`$name` of Bash): no function. */
  'variable',
  /** Behind an object (`rows.filter`): a method, and nothing else. */
  'method',
  /** Bare, in a file that neither defines it nor brings it in: most likely a variable, which is defined nowhere. */
  'unbound',
  /** As the standard library has it: hardly ever what the tree defines under the same name. */
  'standard',
  /** Never called in its file, in a language where functions are called by brackets, or a variable of Ruby: hardly ever a function. */
  'uncalled',
  /** So, and nowhere in its file as of a type (`Window.parent`), in a language that shows it: no constant of one either. */
  'bare',
  /** Behind the type that it is within (`Converter.Factory`), where a file may hold several types. */
  'nested',
  /**
   * No mention, but where one is meant: `list/Entry` for `Entry`, which the file imports from a package `list`, and
   * `/com/example/entry` for a member `entry` of a class somewhere in `com.example`, in Kotlin for anything there. In
   * JavaScript, TypeScript and Python `django/conf//settings` for `settings`, which the file imports from `django/conf`.
   * In Ruby, PHP and C# without a name, too: `Shop/` for all that stands in such a module or namespace.
   */
  'imported-class',
] as const;

export type ReferenceForm = (typeof REFERENCE_FORMS)[number];

/** By form, how often each name is mentioned. */
export type References = Partial<Record<ReferenceForm, Map<string, number>>>;

/** What is extracted from one text: its definitions by line, and the names it mentions. */
export interface ExtractedTags {
  definitions: Definition[];
  references: References;
}

/** The tags of one file. */
export interface FileTags extends ExtractedTags {
  language: number;
}

/** A file that could not be read; the rest of the map is not affected. */
export interface RepoMapIssue {
  file: string;
  code: 'UNREADABLE' | 'PARSE_TIMEOUT' | 'PARSE_FAILED' | 'CACHE_FAILED';
  message: string;
}
