import type Parser from 'tree-sitter';
import type { Definition, DefinitionKind } from '../tags.js';
import { declaredName } from './c-declarators.js';
import type { Role } from './capture-roles.js';
import { lineCounter } from './lines.js';

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

/** What of one name that follows each other is one thing; functions always if they are signatures. */
export type Overloads = 'methods' | 'everything';

export interface DefinedPlace {
  kind: DefinitionKind;
  end: number;
  signature: boolean;
}

export function addKind(
  kinds: Map<number, DefinedPlace>,
  node: Parser.SyntaxNode,
  role: Extract<Role, { kind: DefinitionKind }>,
): void {
  if (role.says === 'definition') return strengthen(kinds, node, role.kind, role.signature);
  const declared = declaredName(node, role.kind);
  if (declared !== undefined) strengthen(kinds, declared, declared.kind);
}

export function strengthen(
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

export function definitionsOf(
  kinds: Map<number, DefinedPlace>,
  text: string,
  overloads: Overloads | undefined,
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
export const ELSEWHERE = /^[_\p{Lu}]$/u;

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
