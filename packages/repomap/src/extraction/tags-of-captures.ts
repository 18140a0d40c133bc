import { type ExtractedTags, variantOf } from '../tags.js';
import { QUALIFIED, type Role, roleOf, WAYS } from './capture-roles.js';
import type { Captures } from './captures.js';
import { countReferences } from './counted-references.js';
import {
  addKind,
  type DefinedPlace,
  definitionsOf,
  type Overloads,
  strengthen,
} from './found-definitions.js';
import { isAt, matchFrom } from './match-from.js';
import { JAVASCRIPT, nameScopeOf } from './name-scope.js';

/**
 * Here a function has one body, after its other signatures; elsewhere each overload is a function of its own. In Python what
 * defines a name again in the next place is an overload, a setter, or what another version of Python has instead: between
 * functions of two scopes stands what holds the second.
 */
const OVERLOADING: Readonly<Record<string, Overloads>> = {
  typescript: 'methods',
  tsx: 'methods',
  python: 'everything',
};

/**
 * `const Router = require('./router')` mentions what another file of the tree defines, as an import does. What a package
 * gives stays a constant: as a mention its name (`path`, `request`) would point to whatever is called that.
 */
const REQUIRED = /[\p{L}\p{N}_$]+\s*(?::[^=;\n]*)?=\s*require\s*\(\s*["'`]\.[^()]*\)(?!\s*\()/uy;

/** Names are words: their ends are found in the text, which is cheaper than asking the native node. */
const WORD = /[\p{L}\p{N}_$#@]+/uy;
const WORDS: Readonly<Record<string, RegExp>> = {
  ruby: /[\p{L}\p{N}_$#@]+[?!]?/uy,
  // Names of commands may hold more than those of variables, behind which an operator may stand: `${line##*/}`.
  bash: /(?<=[${!#])[\p{L}\p{N}_]+|(?<![${!#])[\p{L}\p{N}_][\p{L}\p{N}_.:@+-]*/uy,
};

function wordOf(language: string): RegExp {
  return WORDS[language] ?? WORD;
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

const LOWER_CASE = /^\p{Ll}/u;

/**
 * @param captures of the language's query in the text
 * @param roles what each pattern's capture says, once it has been met
 */
export function tagsOf(captures: Captures, roles: Role[], text: string, language: string): ExtractedTags {
  const { starts } = captures;
  const word = wordOf(language);
  const mayRequire = JAVASCRIPT.test(language);
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
      const [variable = ''] = matchFrom(word, text, starts[i]!) ?? [];
      if (role.says === 'own' || LOWER_CASE.test(variable)) ownVariables.add(variable);
    } else if (mayRequire && role.kind === 'const' && isAt(REQUIRED, text, starts[i]!))
      references[mentioned++] = WAYS * starts[i]! + QUALIFIED;
    else addKind(kinds, captures.node(i), role);
  }
  const ownNames = setApart(tests, kinds, text);
  return {
    definitions: definitionsOf(kinds, text, OVERLOADING[language]),
    references: countReferences(references.subarray(0, mentioned), { kinds, ownNames, ownVariables }, text, {
      word,
      scope: nameScopeOf(language, text),
    }),
  };
}

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
