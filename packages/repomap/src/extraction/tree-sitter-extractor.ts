import type Parser from 'tree-sitter';
import { readableBash } from './bash-source.js';
import type { Captures, capturesOf } from './captures.js';
import { withoutSplits } from './c-directives.js';
import { withoutMacros } from './c-macros.js';
import { declaredName } from './c-declarators.js';
import { CONDITIONAL, withoutDirectives } from './csharp-directives.js';
import { readableCSharp } from './csharp-source.js';
import { isFlow, readableFlow } from './flow-source.js';
import { GRAMMARS } from './grammars.js';
import { isAt, matchFrom } from './match-from.js';
import { lineCounter } from './lines.js';
import {
  JAVASCRIPT,
  formOfMember,
  formOfName,
  isWithinType,
  nameScopeOf,
  type NameScope,
} from './name-scope.js';
import { ParseTimeoutError } from './parse-timeout.js';
import { readableEndless } from './ruby-endless.js';
import { withoutLongHeredocs } from './ruby-heredocs.js';
import { readableRust } from './rust-source.js';
import { readableTypeScript } from './typescript-source.js';
import {
  type Definition,
  type DefinitionKind,
  type ReferenceForm,
  type References,
  variantOf,
} from '../tags.js';

export interface ExtractedTags {
  definitions: Definition[];
  references: References;
}

interface LoadedGrammar {
  parser: Parser;
  query: Parser.Query;
  capturesOf: typeof capturesOf;
  /** What each pattern's capture says, once it has been met. */
  roles: Role[];
}

type Role =
  | { says: 'reference'; written: number }
  /** A signature is a function without its body, which follows. */
  | { says: 'definition'; kind: DefinitionKind; signature: boolean }
  /** A declarator of C or C++, which holds the defined name somewhere inside. */
  | { says: 'declarator'; kind: DefinitionKind }
  /** A symbol of Ruby, which names a method if the call is one that defines or calls it. */
  | { says: 'symbol' }
  /** A string that a function of PHP is called with, which names a constant if the function defines one. */
  | { says: 'first-argument' }
  /** A variable of Bash or Ruby that the file declares: a mention of it in the same file means that. */
  | { says: 'own' }
  /** One that it assigns, perhaps for all: then it has capitals. */
  | { says: 'assigned' }
  /** A call beside a module's definitions, which may hold tests. */
  | { says: 'call' };

/** Reads files of one language after the other; holds one parser per language it has met. */
export class TreeSitterExtractor {
  private readonly loaded = new Map<string, Promise<LoadedGrammar>>();

  /** @param timeoutMs for parsing and again for querying one file */
  constructor(private readonly timeoutMs: number) {}

  /** @throws ParseTimeoutError */
  async extract(language: string, text: string): Promise<ExtractedTags> {
    if (language === 'javascript' && isFlow(text))
      return this.extractReadable('tsx', text, readableFlow(text));
    return this.extractReadable(language, text, readable(language, text));
  }

  private async extractReadable(
    language: string,
    text: string,
    readableText: string,
  ): Promise<ExtractedTags> {
    const { parser, query, capturesOf, roles } = await this.grammar(language);
    let tree = parse(parser, readableText);
    if (language === 'csharp' && tree.rootNode.hasError && CONDITIONAL.test(text)) {
      tree = parse(parser, withoutDirectives(readableText));
    }
    const startedAt = performance.now();
    const captures = capturesOf(query, tree, this.timeoutMs);
    if (performance.now() - startedAt >= this.timeoutMs)
      throw new ParseTimeoutError('querying took too long');
    return tagsOf(captures, roles, text, {
      overloads: OVERLOADING[language],
      imports: JAVASCRIPT.test(language),
      word: WORDS[language] ?? WORD,
      scope: nameScopeOf(language, text),
    });
  }

  private grammar(language: string): Promise<LoadedGrammar> {
    let grammar = this.loaded.get(language);
    if (grammar === undefined) {
      grammar = loadGrammar(language, this.timeoutMs);
      this.loaded.set(language, grammar);
    }
    return grammar;
  }
}

/** The parser itself, without a grammar. */
export function loadTreeSitter() {
  return import('./captures.js');
}

/** What the grammar can read, of the same length. */
function readable(language: string, text: string): string {
  if (/^c(?:pp)?$/.test(language)) return withoutMacros(withoutSplits(text));
  if (language === 'bash') return readableBash(text);
  if (language === 'csharp') return readableCSharp(text);
  if (language === 'rust') return readableRust(text);
  if (/^t(?:s|ypescript)/.test(language)) return readableTypeScript(text);
  return language === 'ruby' ? readableEndless(withoutLongHeredocs(text)) : text;
}

async function loadGrammar(name: string, timeoutMs: number): Promise<LoadedGrammar> {
  const grammar = GRAMMARS[name];
  if (grammar === undefined) throw new RangeError(`no grammar for ${name}`);
  const { TreeSitter, capturesOf } = await loadTreeSitter();
  const language = withoutNodeClasses(await grammar.load());
  const parser = new TreeSitter();
  parser.setLanguage(language);
  parser.setTimeoutMicros(timeoutMs * 1000);
  return {
    parser,
    query: new TreeSitter.Query(language, grammar.query),
    capturesOf,
    roles: [],
  };
}

/** A class with getters for each type of node takes 10 ms a grammar to make, and nothing here uses them. */
function withoutNodeClasses(language: unknown): Parser.Language {
  (language as { nodeTypeInfo: unknown[] }).nodeTypeInfo = [];
  return language as Parser.Language;
}

/** The native reader copies the text into a buffer of its own; one that holds all of it is filled once. */
function parse(parser: Parser, text: string): Parser.Tree {
  const tree = parser.parse(text, null, { bufferSize: Math.max(text.length + 1, 1024) }) as
    Parser.Tree | undefined;
  if (tree) return tree;
  parser.reset();
  throw new ParseTimeoutError('parsing took too long');
}

/** Where two patterns name one node, the more telling kind stays: a method is also a function. */
const KIND_STRENGTH = new Map<string, number>([
  ['const', -1],
  ['fn', 0],
  ['type', 1],
  ['local-fn', 3],
  ['local-class', 3],
  ['local-struct', 3],
  ['local-type', 3],
]);
const DEFAULT_STRENGTH = 2;
/**
 * Here a function has one body, after its other signatures; elsewhere each overload is a function of its own. In Python what
 * defines a name again in the next place is an overload, a setter, or what another version of Python has instead: between
 * functions of two scopes stands what holds the second.
 */
const OVERLOADING: Readonly<Record<string, 'methods' | 'everything'>> = {
  typescript: 'methods',
  tsx: 'methods',
  python: 'everything',
};

/**
 * `const Router = require('./router')` mentions what another file of the tree defines, as an import does. What a package
 * gives stays a constant: as a mention its name (`path`, `request`) would point to whatever is called that.
 */
const REQUIRED = /[\p{L}\p{N}_$]+\s*(?::[^=;\n]*)?=\s*require\s*\(\s*["'`]\.[^()]*\)(?!\s*\()/uy;

interface TagOptions {
  /** What of one name that follows each other is one thing; functions always if they are signatures. */
  overloads: 'methods' | 'everything' | undefined;
  /** Whether a constant that holds what `require` gives is a mention. */
  imports: boolean;
  /** Sticky; what a mentioned name is made of. */
  word: RegExp;
  scope: NameScope;
}

function tagsOf(captures: Captures, roles: Role[], text: string, options: TagOptions): ExtractedTags {
  const { starts } = captures;
  const kinds = new Map<number, DefinedPlace>();
  /** Of each, its place and how it is written, as one number that sorts by place. */
  const references = new Uint32Array(starts.length);
  const tests: Span[] = [];
  const ownVariables = new Set<string>();
  let mentioned = 0;
  for (let i = 0; i < starts.length; i++) {
    const role = (roles[captures.pattern(i)] ??= roleOf(captures.name(i)));
    if (role.says === 'reference') references[mentioned++] = WAYS * starts[i]! + role.written;
    else if (role.says === 'symbol') {
      // Behind its colon.
      const startIndex = starts[i]! + 1;
      if (isAt(DEFINING_SYMBOL, text, starts[i]!))
        strengthen(kinds, { startIndex, endIndex: captures.node(i).endIndex }, 'method');
      else if (isAt(CALLED_SYMBOL, text, starts[i]!)) references[mentioned++] = WAYS * startIndex;
    } else if (role.says === 'call') {
      if (isAt(TEST, text, starts[i]!)) tests.push({ start: starts[i]!, end: captures.node(i).endIndex });
    } else if (role.says === 'first-argument') {
      if (isAt(DEFINED_CONSTANT, text, starts[i]!)) strengthen(kinds, captures.node(i), 'const');
    } else if (role.says === 'own' || role.says === 'assigned') {
      // What the grammar adds to broken code is empty.
      const [variable = ''] = matchFrom(options.word, text, starts[i]!) ?? [];
      if (role.says === 'own' || LOWER_CASE.test(variable)) ownVariables.add(variable);
    } else if (options.imports && role.kind === 'const' && isAt(REQUIRED, text, starts[i]!))
      references[mentioned++] = WAYS * starts[i]! + QUALIFIED;
    else addKind(kinds, captures.node(i), role);
  }
  const ownNames = setApart(tests, kinds, text);
  return {
    definitions: definitionsOf(kinds, text, options.overloads),
    references: countReferences(
      references.subarray(0, mentioned),
      { kinds, ownNames, ownVariables },
      text,
      options,
    ),
  };
}

const LOWER_CASE = /^\p{Ll}/u;

interface Span {
  start: number;
  end: number;
}

/** @returns the names of what is defined within these tests, by which the file means nothing else */
function setApart(
  tests: readonly Span[],
  kinds: ReadonlyMap<number, DefinedPlace>,
  text: string,
): Set<string> {
  const names = new Set<string>();
  if (tests.length === 0) return names;
  for (const [at, place] of kinds) {
    if (!tests.some(({ start, end }) => start < at && at < end)) continue;
    place.kind = variantOf(place.kind, 'test');
    names.add(text.slice(at, place.end));
  }
  return names;
}

/** `describe('a list', () => {`; what is defined inside is known nowhere else. */
const TEST =
  /(?:(?:Deno|QUnit|tap|t)\.)?(?:describe|it|suite|test|(?:after|before)(?:All|Each)?)\b(?=[.(<])/y;

/** `alias_method :size, :count`, `define_method(:size) {`; a sticky pattern that looks back costs next to nothing. */
const DEFINING_SYMBOL = /(?<=^[ \t]*(?:alias(?:_method)?|define_method)[ \t(]+):/my;
/** `define('LIMIT', 10)` of PHP */
const DEFINED_CONSTANT = /(?<=\bdefine\s?\(\s{0,20}["'])[A-Za-z_]\w*(?=["'])/iy;
/** `before_action :authenticate, :authorize`, `validate :name_is_free, if: :public?` */
const CALLED_SYMBOL =
  /(?<=^[ \t]*(?:(?:append_|prepend_|skip_)?(?:after|around|before)_\w+|helper_method|validate)[ \t(]+(?::\w+[?!]?,[ \t]*)*|\b(?:if|unless|with):[ \t]+):/my;

/**
 * How a mentioned name can stand: alone, behind what it is a part of (`new ast.Node`), behind an object (`rows.filter()`), as the
 * object, which is a variable unless it has a capital, where only a type, a function or a variable can, or as an argument of
 * Ruby, where what is called may look like a variable. What two patterns find counts as the first of these.
 */
const WRITTEN = ['ref', 'qualified', 'member', 'object', 'type', 'function', 'variable', 'argument'];
const WAYS = WRITTEN.length;
const MEMBER = WRITTEN.indexOf('member');
const QUALIFIED = WRITTEN.indexOf('qualified');
const OBJECT = WRITTEN.indexOf('object');
const VARIABLE = WRITTEN.indexOf('variable');
const ARGUMENT = WRITTEN.indexOf('argument');
/** These are forms, too. */
const PLACES: Readonly<Partial<Record<number, ReferenceForm>>> = {
  [WRITTEN.indexOf('type')]: 'type',
  [WRITTEN.indexOf('function')]: 'function',
  [VARIABLE]: 'variable',
};

/** Roles of captures that say nothing more. */
const SAID_ALONE = ['symbol', 'call', 'first-argument', 'own', 'assigned'] as const;

/** Strings that come from native code are slow to compare, so this is asked once a pattern. */
function roleOf(captureName: string): Role {
  const written = WRITTEN.indexOf(captureName);
  if (written >= 0) return { says: 'reference', written };
  const alone = SAID_ALONE.find((each) => each === captureName);
  if (alone) return { says: alone };
  const [says, kind] = captureName.split('.') as ['def' | 'signature' | 'declarator', DefinitionKind];
  if (says === 'declarator') return { says, kind };
  return { says: 'definition', kind, signature: says === 'signature' };
}

interface DefinedPlace {
  kind: DefinitionKind;
  end: number;
  signature: boolean;
}

function addKind(
  kinds: Map<number, DefinedPlace>,
  node: Parser.SyntaxNode,
  role: Extract<Role, { kind: DefinitionKind }>,
): void {
  if (role.says === 'definition') return strengthen(kinds, node, role.kind, role.signature);
  const declared = declaredName(node, role.kind);
  if (declared !== undefined) strengthen(kinds, declared, declared.kind);
}

function strengthen(
  kinds: Map<number, DefinedPlace>,
  { startIndex, endIndex }: { startIndex: number; endIndex: number },
  kind: DefinitionKind,
  signature = false,
): void {
  const known = kinds.get(startIndex);
  if (known === undefined) kinds.set(startIndex, { kind, end: endIndex, signature });
  else if (strengthOf(kind) > strengthOf(known.kind)) known.kind = kind;
}

function strengthOf(kind: DefinitionKind): number {
  return KIND_STRENGTH.get(kind) ?? DEFAULT_STRENGTH;
}

function definitionsOf(
  kinds: Map<number, DefinedPlace>,
  text: string,
  overloads: TagOptions['overloads'],
): Definition[] {
  const definitions: Definition[] = [];
  const lineOf = lineCounter(text);
  let afterSignature = false;
  for (const [start, { kind, end, signature }] of [...kinds].sort((a, b) => a[0] - b[0])) {
    const isOverload =
      overloads === 'everything' || (overloads === 'methods' && (/method$/.test(kind) || afterSignature));
    const definition = { name: oneLine(text.slice(start, end)), kind, line: lineOf(start) };
    addDefinition(definitions, definition, isOverload);
    afterSignature = signature;
  }
  return definitions;
}

/** C++ lets `operator` and its type stand on two lines. */
function oneLine(name: string): string {
  return name.includes('\n') ? name.replace(/\s+/g, ' ') : name;
}

/** `var _ Reader = &file{}` checks a type, and what mentions a `T` means its own type parameter. */
const ELSEWHERE = /^[_\p{Lu}]$/u;

/** `const f = function f() {}` names one thing twice, and so do overloads and accessors where a language has them. */
function addDefinition(definitions: Definition[], definition: Definition, isOverload: boolean): void {
  const before = definitions.at(-1);
  if (definition.name === '' || (definition.kind === 'const' && ELSEWHERE.test(definition.name))) return;
  // `module.exports = class Application {}` has a better name.
  if (before?.name === 'exports' && before.line === definition.line) definitions.pop();
  if (before?.name === definition.name) {
    if (before.line === definition.line || (isOverload && before.kind === definition.kind)) return;
  }
  definitions.push(definition);
}

/** Names are words: their ends are found in the text, which is cheaper than asking the native node. */
const WORD = /[\p{L}\p{N}_$#@]+/uy;
const WORDS: Readonly<Record<string, RegExp>> = {
  ruby: /[\p{L}\p{N}_$#@]+[?!]?/uy,
  // Names of commands may hold more than those of variables, behind which an operator may stand: `${line##*/}`.
  bash: /(?<=[${!#])[\p{L}\p{N}_]+|(?<![${!#])[\p{L}\p{N}_][\p{L}\p{N}_.:@+-]*/uy,
};

interface Known {
  kinds: ReadonlyMap<number, unknown>;
  ownNames: ReadonlySet<string>;
  ownVariables: ReadonlySet<string>;
}

/** @param mentioned as {@link tagsOf} has them; a name that two patterns found stands there twice */
function countReferences(
  mentioned: Uint32Array,
  { kinds, ownNames, ownVariables }: Known,
  text: string,
  { word, scope }: TagOptions,
): References {
  const references: References = {};
  for (const [module, form] of scope.imports) (references[form] ??= new Map()).set(module, 1);
  let last = -1;
  for (const entry of mentioned.sort()) {
    const start = Math.floor(entry / WAYS);
    if (start === last || kinds.has(start)) continue;
    last = start;
    if (!isAt(word, text, start)) continue;
    const name = text.slice(start, word.lastIndex);
    if (name.length === 1 && ELSEWHERE.test(name)) continue;
    const written = entry % WAYS;
    const isOwnVariable = ownVariables.has(name);
    if (ownNames.has(name) || (written === VARIABLE && isOwnVariable)) continue;
    // Elsewhere in the file it may be called all the same, and files that use the same words change together.
    const form =
      written === ARGUMENT && isOwnVariable ? 'uncalled' : formOf(name, { start, written, text, scope });
    if (form === undefined) continue;
    const counts = (references[form] ??= new Map());
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return references;
}

function formOf(
  name: string,
  { start, written, text, scope }: { start: number; written: number; text: string; scope: NameScope },
): ReferenceForm | undefined {
  if (written === QUALIFIED) return 'any';
  if (written === OBJECT && !/^\p{Lu}/u.test(name)) return undefined;
  if (written === MEMBER) return formOfMember(name, { text, start, scope });
  const form = formOfName(name, { text, start, scope });
  if (form === 'any' && scope.hasNestedTypes && isWithinType(text, start)) return 'nested';
  return form === 'any' ? (PLACES[written] ?? form) : form;
}
