import { blanked, lineCounter } from './lines.js';
import { ParseTimeoutError } from './parse-timeout.js';
import { REGEX_LANGUAGES } from './regex-languages/index.js';
import type { RegexLanguage } from './regex-language.js';
import { maskSource } from './source-mask.js';
import { isAt } from './match-from.js';
import { hasNestedTypes, isWithinType, kotlinImports, type Imports } from './name-scope.js';
import { isStandard, standardNamesOf, type StandardNames } from './standard-names.js';
import type { Definition, DefinitionKind, ExtractedTags, References } from '../tags.js';

/** Extracts by patterns over code alone: comments and strings are blanked first. Linear in the text's length. */
export function extractWithRegex(language: string, source: string, timeoutMs = Infinity): ExtractedTags {
  const found = REGEX_LANGUAGES[language];
  if (found === undefined) throw new RangeError(`no patterns for ${language}`);
  // Patterns know one line end.
  const text = source.replaceAll('\r\n', '\n');
  const deadlineMs = performance.now() + timeoutMs;
  const code = maskSource(text, found.mask, deadlineMs);
  const named = definedNames(found, code, text);
  if (performance.now() > deadlineMs) throw new ParseTimeoutError('finding definitions took too long');
  return {
    definitions: withLines(named, text, found.clauses ?? false),
    references: mentions(
      found,
      {
        code,
        text,
        imports: language === 'kotlin' ? kotlinImports(code) : new Map(),
        standard: standardNamesOf(language, text),
        isNesting: hasNestedTypes(language),
      },
      named,
    ),
  };
}

interface NamedPlace {
  name: string;
  kind: DefinitionKind;
}

/** By the place of the name, in the order of the rules: the first rule that names a place decides. */
function definedNames(
  { rules, members }: RegexLanguage,
  code: string,
  text: string,
): Map<number, NamedPlace> {
  const places = new Map<number, NamedPlace>();
  for (const [start, name] of members ? memberNames(members, code) : [])
    places.set(start, { name, kind: 'method' });
  for (const { kind, nestedKind, pattern, inSource, ofTypes } of rules) {
    const types = ofTypes ? typesAmong(places) : undefined;
    for (const match of (inSource ? text : code).matchAll(pattern)) {
      const { length } = match.groups?.['name'] ?? match[1]!;
      const start = match.index + match[0].length - length;
      const name = bareName(text.slice(start, start + length));
      if (places.has(start) || (inSource && code[match.index] !== text[match.index])) continue;
      if (types?.has(match.groups!['of']!) === false) continue;
      places.set(start, {
        name,
        kind: nestedKind !== undefined && isIndented(code, match.index) ? nestedKind : kind,
      });
    }
  }
  return places;
}

/** With their places: names that stand in a list of methods itself, not within a bracket in it. */
function* memberNames(members: RegExp, code: string): Generator<[start: number, name: string]> {
  const isList: boolean[] = [];
  for (const { index, 0: met, 1: list, 2: name } of code.matchAll(members)) {
    if (name === undefined && /[([{]$/.test(met)) isList.push(list !== undefined);
    else if (name === undefined) isList.pop();
    else if (isList.at(-1) === true) yield [index, name];
  }
}

function typesAmong(places: ReadonlyMap<number, NamedPlace>): Set<string> {
  const types = [...places.values()].filter(({ kind }) => kind !== 'fn' && kind !== 'method');
  return new Set(types.map(({ name }) => name));
}

/** `when` of `` `when` ``, `<+>` of `(<+>)`, and `zls env` of `@"zls env"`. */
function bareName(name: string): string {
  if (name.startsWith('@"')) return name.slice(2, -1);
  return name.startsWith('`') || name.startsWith('(') ? name.slice(1, -1) : name;
}

function isIndented(code: string, at: number): boolean {
  return /[ \t]/.test(code[code.lastIndexOf('\n', at) + 1]!);
}

function withLines(places: ReadonlyMap<number, NamedPlace>, text: string, clauses: boolean): Definition[] {
  const definitions: Definition[] = [];
  const lineOf = lineCounter(text);
  for (const [start, { name, kind }] of [...places].sort((a, b) => a[0] - b[0])) {
    const before = definitions.at(-1);
    if (clauses && before?.name === name && before.kind === kind) continue;
    definitions.push({ name, kind, line: lineOf(start) });
  }
  return definitions;
}

interface MentioningText {
  code: string;
  text: string;
  imports: Imports;
  standard: StandardNames | undefined;
  isNesting: boolean;
}

/** Without a tree every word may be a mention; what nobody defines is dropped when the graph is built. */
function mentions(
  { word, keywords, noMention, call, ofType }: RegexLanguage,
  { code, text, imports, standard, isNesting }: MentioningText,
  places: ReadonlyMap<number, NamedPlace>,
): References {
  const references: References = { any: new Map() };
  for (const [name, form] of imports) (references[form] ??= new Map()).set(name, 1);
  const called = new Set<string>();
  const ofTypes = ofType && new Set<string>();
  const count = (name: string, counts: Map<string, number>) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const formOf = (name: string, start: number) => {
    if (standard !== undefined && isStandard(name, code, start, standard)) return 'standard';
    return isNesting && isWithinType(code, start) ? 'nested' : 'any';
  };
  const mentioning = noMention ? code.replace(noMention, blanked) : code;
  for (const match of mentioning.matchAll(word)) {
    const name = bareName(text.slice(match.index, match.index + match[0].length));
    if (name.length < MIN_REFERENCE_CHARACTERS || keywords.has(name) || places.has(match.index)) continue;
    const form = formOf(name, match.index);
    count(name, (references[form] ??= new Map()));
    if (match[1] !== undefined) {
      const start = match.index + match[0].length - match[1].length;
      count(match[1], (references[form === 'any' ? formOf(match[1], start) : form] ??= new Map()));
    }
    if (ofType !== undefined && code[match.index - 1] === '.' && isAt(ofType, code, match.index))
      ofTypes!.add(name);
    if (call !== undefined && isAt(call, text, match.index + match[0].length)) called.add(name);
  }
  if (call !== undefined) setUncalledApart(references, called, ofTypes);
  return references;
}

/** A name with a capital is a type's, which need not be called. */
function setUncalledApart(
  references: References,
  called: ReadonlySet<string>,
  ofTypes: ReadonlySet<string> | undefined,
): void {
  for (const [name, count] of references.any ?? []) {
    const isBare = ofTypes?.has(name) === false;
    if (called.has(name) || (!isBare && /^\p{Lu}/u.test(name))) continue;
    (references[isBare ? 'bare' : 'uncalled'] ??= new Map()).set(name, count);
    references.any!.delete(name);
  }
}

/** Shorter words are loop variables and the like. */
const MIN_REFERENCE_CHARACTERS = 3;
